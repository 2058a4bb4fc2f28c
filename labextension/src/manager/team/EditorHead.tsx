import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import { Icon } from '../../chat/parts/icon';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { originOf } from './words';

export const STORE_COMMAND = 'crewlab:open-script-store'; // UI-130

/** Who is edited, where the profile lies, and what else there is to see of the agent. */
export function EditorHead({ agent }: { agent: AgentView }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { manager } = useManager();
  const { words, file } = originOf(agent, t);
  return (
    <header className="head">
      <Avatar id={agent.id} name={agent.name} size="xl" />
      <div className="crew-grow">
        <h2>{agent.name}</h2>
        <div className="crew-sm crew-2 where">
          <span className="crew-mono">{agent.id}</span>, {words} <span className="crew-mono">{file}</span>
        </div>
      </div>
      <div className="acts">
        <button type="button" className="crew-btn small" onClick={() => manager.go('team', `${agent.id}/prompt`)}>
          {t('team.show_prompt')}
        </button>
        {app.has(STORE_COMMAND) ? (
          <button type="button" className="crew-btn small" onClick={() => app.execute(STORE_COMMAND, { agent: agent.id })}>
            {t('team.store')}
          </button>
        ) : null}
      </div>
    </header>
  );
}

/** What the server found odd about the agent when it was read. */
export function Warnings({ agent }: { agent: AgentView }): JSX.Element | null {
  const { t } = useApp();
  return agent.warnings.length === 0 ? null : (
    <section className="crew-card warn crew-notice" aria-label={t('team.warnings', { n: agent.warnings.length })}>
      {agent.warnings.map(warning => (
        <div key={warning} className="crew-row crew-sm warning">
          <Icon name="warning" size="s" />
          <span>{warning}</span>
        </div>
      ))}
    </section>
  );
}
