import { useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import { legendOf, SIGNS } from '../../shared/manage/marks';
import { useManager } from '../app';
import { Empty, Page, Region } from '../parts/page';
import { ToolTable } from './ToolTable';

/** Who holds which tool, and why not (TOOL-47, UI-94). */
export function ToolsPage(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { tools } = useManager().manager;
  const state = useStore(tools);
  const agents = useSelect(app.agents, all => all.agents);
  const [text, setText] = useState('');
  const rows = state.data?.tools ?? [];
  const found = rows.filter(row => row.name.includes(text.trim().toLowerCase().replace(/\s+/g, '_')));
  return (
    <Page title={t('manage.section.tools')}>
      <Region state={state} has={state.data !== null && agents.length > 0} rows={5} retry={() => void tools.load()}>
        {rows.length === 0 ? (
          <Empty>{t('tools.none')}</Empty>
        ) : (
          <>
            <dl className="crew-legend crew-sm" aria-label={t('tools.legend')}>
              {legendOf(rows, agents).map(mark => (
                <div key={mark}>
                  <dt aria-hidden="true" className={mark}>
                    {SIGNS[mark]}
                  </dt>
                  <dd>{t(`tools.mark.${mark}`)}</dd>
                </div>
              ))}
            </dl>
            <label className="crew-field crew-find">
              <Icon name="search" size="s" />
              <input type="search" value={text} placeholder={t('tools.find')} aria-label={t('tools.find')} onChange={event => setText(event.target.value)} />
            </label>
            {found.length === 0 ? <Empty>{t('tools.no_match', { text })}</Empty> : <ToolTable rows={found} agents={agents} />}
          </>
        )}
      </Region>
    </Page>
  );
}
