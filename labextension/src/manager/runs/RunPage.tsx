import { useEffect } from 'react';
import { Timeline } from '../../chat/activity/Timeline';
import { isOpen, runFigures } from '../../chat/activity/words';
import { Avatar } from '../../chat/parts/avatar';
import { Bead } from '../../chat/parts/bead';
import { useApp } from '../../chat/parts/context';
import { useNow, useStore } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import { useAgent } from '../../chat/thread/useAgent';
import type { Run } from '../../shared/contract';
import { sectionOf } from '../../shared/manage/place';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { moment } from '../parts/when';
import { RunKin } from './Kin';
import { useTitles } from './useTitles';
import { beadOf, stateWords, titleOf } from './words';

const NOTEBOOK = 'crewlab:run-notebook';

/** One run by its id, whichever lists were read (UI-69), with its steps and its downloads (UI-71, UI-72). */
export function RunPage({ id }: { id: string }): JSX.Element {
  const { t } = useApp();
  const { runs } = useManager().manager;
  const source = runs.page(id);
  const state = useStore(source);
  useEffect(() => void source.load(), [source]);
  if (state.failure?.status === 404) {
    return <Empty>{t('runs.gone')}</Empty>;
  }
  return (
    <Region state={state} has={state.data !== null} retry={() => void source.load()}>
      {state.data ? <Found run={state.data} /> : null}
    </Region>
  );
}

function Found({ run }: { run: Run }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { exportRun } = useManager();
  const agent = useAgent(run.agent_id);
  const title = titleOf(run, useTitles(), t);
  const now = useNow(isOpen(run));
  return (
    <article className="crew-runpage" aria-label={title}>
      <header>
        <Avatar id={agent.id} name={agent.name} size="l" />
        <div className="crew-grow">
          <h2>{title}</h2>
          <div className="crew-sm crew-2">
            <OfAgent id={agent.id} name={agent.name} />, {t('runs.started', { time: moment(run.started_at, now, t) })}
            {run.conversation_id === null ? null : <OpenConversation id={run.conversation_id} />}
          </div>
        </div>
      </header>
      <div className="crew-runstate">
        <Bead kind={beadOf(run) ?? 'note'} free />
        <span className={run.status === 'error' ? 'crew-b crew-t-error' : 'crew-b'} role="status">
          {stateWords(run, t)}
        </span>
        <span className="crew-2 crew-num">{runFigures(run, t, now)}</span>
        <span className="files">
          {app.has(NOTEBOOK) ? (
            <button type="button" className="crew-btn small" onClick={() => app.execute(NOTEBOOK, { id: run.id })}>
              <Icon name="notebook" size="s" />
              {t('runs.notebook')}
            </button>
          ) : null}
          <button type="button" className="crew-btn small" aria-label={t('runs.json_long')} onClick={() => exportRun(run.id, 'json')}>
            <Icon name="download" size="s" />
            {t('runs.json')}
          </button>
          <button type="button" className="crew-btn small" aria-label={t('runs.markdown_long')} onClick={() => exportRun(run.id, 'md')}>
            <Icon name="download" size="s" />
            {t('runs.markdown')}
          </button>
        </span>
      </div>
      <Timeline run={run} />
      <RunKin run={run} />
      <p className="crew-sm crew-2">{t('runs.read_first')}</p>
    </article>
  );
}

/** The agent; a link to its page where there is one (UI-73). */
function OfAgent({ id, name }: { id: string; name: string }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const team = sectionOf('team');
  if (team === null) {
    return <>{name}</>;
  }
  return (
    <button type="button" className="crew-link" aria-label={t('runs.agent_page', { name })} onClick={() => manager.go(team, id)}>
      {name}
    </button>
  );
}

function OpenConversation({ id }: { id: string }): JSX.Element {
  const app = useApp();
  return (
    <>
      {', '}
      <button type="button" className="crew-link" onClick={() => app.execute('crewlab:open-conversation', { id })}>
        {app.t('manage.open_conversation')}
      </button>
    </>
  );
}
