import { useEffect, useRef } from 'react';
import { useApp } from '../../chat/parts/context';
import { IconButton } from '../../chat/parts/controls';
import { useSelect, useStore } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import type { Notice, Shelf } from '../../shared/manage/scripts';
import { quoted } from '../../shared/scripts/names';
import type { Translate } from '../../shared/texts';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { ScriptCard } from './ScriptCard';

/** What the scripts of one agent keep from run to run; `wanted` is the agent of a link (STO-45). */
export function Scripts({ wanted }: { wanted: string | undefined }): JSX.Element | null {
  const app = useApp();
  const { manager } = useManager();
  const { agents, loading } = useSelect(app.agents, state => state);
  const chosen = !wanted ? agents.find(one => one.master) ?? agents[0] : agents.find(one => one.id === wanted);
  if (agents.length === 0) {
    return <Region state={{ loading, failure: null }} has={false} rows={3} retry={() => void app.agents.load()}>{null}</Region>;
  }
  const pick = (id: string): void => manager.go('memory', `scripts/${id}`);
  return chosen ? (
    <ShelfView key={chosen.id} shelf={manager.scripts.of(chosen.id)} agent={chosen} agents={agents} pick={pick} />
  ) : (
    <>
      <div className="crew-scripthead">
        <PickOne agents={agents} value="" pick={pick} />
      </div>
      <Empty>{app.t('scripts.no_agent', { name: quoted(wanted ?? '') })}</Empty>
    </>
  );
}

interface Agents {
  agents: readonly AgentView[];
  pick: (id: string) => void;
}

function ShelfView({ shelf, agent, agents, pick }: Agents & { shelf: Shelf; agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const state = useStore(shelf.list);
  const { notice } = useStore(shelf);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => void shelf.load(), [shelf]);
  const places = state.data?.namespaces ?? [];
  const values = places.reduce((sum, one) => sum + one.entries.length, 0);
  return (
    <>
      <div className="crew-scripthead">
        <PickOne agents={agents} value={agent.id} pick={pick} />
        <span className="crew-sm crew-2 note">
          {t('scripts.note')} {values > 0 ? t('scripts.counted', { places: places.length, n: values }) : ''}
        </span>
        <IconButton icon="refresh" label={t('manage.read_again')} onClick={() => void shelf.load()} />
      </div>
      <div ref={line} className="crew-sm crew-scriptnotice" role="status" tabIndex={-1}>
        {notice ? noticeWords(notice, t) : ''}
      </div>
      <Region state={state} has={state.data !== null} rows={4} retry={() => void shelf.load()}>
        {places.length === 0 ? <Empty>{t('scripts.none')}</Empty> : null}
        <div className="crew-stack">
          {places.map(one => (
            <ScriptCard key={one.namespace} shelf={shelf} namespace={one} limit={state.data?.limit_chars ?? 1} said={() => line.current?.focus()} />
          ))}
        </div>
      </Region>
    </>
  );
}

/** The box at the top; with one agent it says whose scripts these are. */
function PickOne({ agents, value, pick }: Agents & { value: string }): JSX.Element {
  const { t } = useApp();
  return (
    <select className="crew-pick on" aria-label={t('scripts.agent')} value={value} onChange={event => pick(event.target.value)}>
      {value === '' ? <option value="" /> : null}
      {agents.map(agent => (
        <option key={agent.id} value={agent.id}>
          {agent.name}
        </option>
      ))}
    </select>
  );
}

/** What was deleted, or that a key is gone (STO-50, STO-51). */
export function noticeWords(notice: Notice, t: Translate): string {
  const name = quoted(notice.name);
  if (notice.kind === 'gone') {
    return t('scripts.gone', { name });
  }
  return t(notice.kind === 'all' ? 'scripts.deleted_all' : 'scripts.deleted_key', { n: notice.n, name });
}
