import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import { useNow, useSelect, useStore } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { Region } from '../parts/page';
import { Templates } from './Templates';
import { labelsOf, lineOf } from './words';

const AGE_MS = 30_000;

/** The crew, the master first, and below it what can be installed (UI-85). */
export function AgentList({ chosen, onNew }: { chosen: string | null; onNew: () => void }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const state = useStore(app.agents);
  return (
    <section className="crew-agents" aria-label={t('manage.section.team')}>
      <header>
        <h1 tabIndex={-1}>{t('manage.section.team')}</h1>
        <button type="button" className="crew-btn small" onClick={onNew}>
          <Icon name="plus" size="s" />
          {t('team.add')}
        </button>
      </header>
      <Removed />
      <Region state={state} has={state.agents.length > 0} rows={4} retry={() => void app.agents.load()}>
        <ul>
          {state.agents.map(agent => (
            <Row key={agent.id} agent={agent} chosen={agent.id === chosen} />
          ))}
        </ul>
      </Region>
      <Templates />
    </section>
  );
}

function Row({ agent, chosen }: { agent: AgentView; chosen: boolean }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { manager } = useManager();
  const live = useSelect(app.activity, state => state.view.runs.some(run => run.agent_id === agent.id && run.status === 'running'));
  const jobs = useSelect(manager.jobs, state => state.data?.jobs);
  const unsaved = useSelect(manager.team, () => manager.team.dirty(agent));
  const now = useNow(true, AGE_MS);
  return (
    <li>
      <button type="button" className="agent" aria-current={chosen ? 'true' : undefined} onClick={() => manager.go('team', agent.id)}>
        <Avatar id={agent.id} name={agent.name} size="l" />
        <span className="words">
          <span className="crew-row crew-wrap">
            <span className="crew-b">{agent.name}</span>
            {labelsOf(agent, live, unsaved, t).map(({ text, tone, hint }) => (
              <span key={text} className={`crew-label ${tone}`} title={hint}>
                {text}
              </span>
            ))}
          </span>
          <span className="crew-sm crew-2 line">{lineOf(agent, jobs ?? [], now, t)}</span>
        </span>
      </button>
    </li>
  );
}

/** Where the agent that was removed last lies now. */
function Removed(): JSX.Element | null {
  const { t } = useApp();
  const { team } = useManager().manager;
  const removed = useSelect(team, state => state.removed);
  return removed ? (
    <p className="crew-sm crew-2 said" role="status">
      {t('team.removed', { name: removed.removed })} <span className="crew-mono">{removed.moved_to}</span>
    </p>
  ) : null;
}
