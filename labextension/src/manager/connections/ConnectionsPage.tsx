import type { ReactNode } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import { Icon, type IconName } from '../../chat/parts/icon';
import { Words } from '../../chat/parts/words';
import type { Connections } from '../../shared/contract';
import { Page, Region } from '../parts/page';
import { KeyGroups } from './KeyGroups';
import { Machine } from './Machine';
import { RoutesCard } from './RoutesCard';
import { Telegram } from './Telegram';

const WIDTH = 920;

/** Providers, routes, keys and channels, without any secret (UI-99, CHN-40, CHN-41). */
export function ConnectionsPage(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const state = useStore(app.agents);
  return (
    <Page
      title={t('manage.section.connections')}
      width={WIDTH}
      note={
        <button type="button" className="crew-link" onClick={() => void app.agents.load()}>
          {t('manage.read_again')}
        </button>
      }
    >
      <Region state={state} has={state.connections !== null} retry={() => void app.agents.load()}>
        {state.connections ? <Groups connections={state.connections} /> : null}
      </Region>
    </Page>
  );
}

function Groups({ connections }: { connections: Connections }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-stack">
      <Answers />
      <Group icon="crew" title={t('connections.providers')}>
        {connections.providers.length === 0 ? <p className="crew-2 none">{t('connections.no_providers')}</p> : null}
        {connections.providers.map(one => (
          <div key={one.name}>
            <div className="crew-line">
              <span>{one.name}</span>
              <State good={one.ready} text={t(one.ready ? 'connections.ready' : 'connections.not_ready')} />
            </div>
            {one.why ? (
              <p className="crew-sm crew-2 mend">
                <Words text={one.why} />
              </p>
            ) : null}
          </div>
        ))}
      </Group>
      <RoutesCard connections={connections} />
      <KeyGroups keys={connections.keys} />
      <Telegram states={connections.telegram} />
      <Machine connections={connections} />
    </div>
  );
}

/** What answers now, and what to do when nothing or little does. */
function Answers(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const answering = useSelect(app.agents, state => state.answering);
  return (
    <Group icon="model" title={t('connections.answering')}>
      <div className="crew-line">
        <span className={answering?.route ? 'crew-mono crew-ell' : ''}>{answering?.route ?? t('connections.none_answers')}</span>
        {answering?.small ? <span className="crew-label v">{t('connections.small')}</span> : null}
      </div>
      {answering?.mend ? (
        <p className="crew-sm crew-2 mend">
          <Words text={answering.mend} />
        </p>
      ) : null}
    </Group>
  );
}

/** One card of the page: a heading and its rows (guide section 8). */
export function Group({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }): JSX.Element {
  return (
    <section className="crew-card crew-group" aria-label={title}>
      <div className="head">
        <Icon name={icon} />
        <h2>{title}</h2>
      </div>
      {children}
    </section>
  );
}

/** A state in words; what is missing has a mark before it as well. */
export function State({ good, text }: { good: boolean; text: string }): JSX.Element {
  return (
    <span className={good ? 'v crew-row' : 'v crew-row crew-2'}>
      {good ? <Icon name="check" size="s" /> : null}
      {text}
    </span>
  );
}
