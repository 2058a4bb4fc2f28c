import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { AgentList } from './AgentList';
import { Editor } from './Editor';
import { NewAgent } from './NewAgent';
import { PromptView } from './PromptView';

const NEW = '+'; // no agent can have this id (AGT-12)

/** The agents, and beside them or in their place the one that is edited (UI-85, UI-86). */
export function TeamPage({ beside }: { beside: boolean }): JSX.Element {
  const app = useApp();
  const { manager } = useManager();
  const { rest } = useStore(manager.place);
  const agents = useSelect(app.agents, state => state.agents);
  const [id = null, part = null] = rest?.split('/') ?? [];
  const chosen = id ?? (beside ? first(agents) : null);
  return (
    <div className={beside ? 'crew-team wide' : 'crew-team'}>
      {beside || chosen === null ? <AgentList chosen={chosen} onNew={() => manager.go('team', NEW)} /> : null}
      {chosen === null ? null : (
        <div className="side">
          {beside ? null : <Back />}
          <Side id={chosen} part={part} />
        </div>
      )}
    </div>
  );
}

/** Beside the list there is always one. */
function first(agents: readonly AgentView[]): string | null {
  return agents[0]?.id ?? null;
}

function Side({ id, part }: { id: string; part: string | null }): JSX.Element {
  const app = useApp();
  const state = useStore(app.agents);
  return (
    <Region state={state} has={state.agents.length > 0} rows={5} retry={() => void app.agents.load()}>
      {id === NEW ? <NewAgent /> : <One agent={state.agents.find(agent => agent.id === id)} part={part} />}
    </Region>
  );
}

function One({ agent, part }: { agent: AgentView | undefined; part: string | null }): JSX.Element {
  const { t } = useApp();
  if (!agent) {
    return (
      <div className="crew-pad">
        <Empty>{t('team.gone')}</Empty>
      </div>
    );
  }
  return part === 'prompt' ? <PromptView key={agent.id} agent={agent} /> : <Editor key={agent.id} agent={agent} part={part} />;
}

function Back(): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  return (
    <div className="back">
      <button type="button" className="crew-link" onClick={() => manager.go('team')}>
        {t('team.back')}
      </button>
    </div>
  );
}
