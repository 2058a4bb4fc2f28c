import { useApp } from '../../chat/parts/context';
import { useAgent } from '../../chat/thread/useAgent';
import type { TelegramState } from '../../shared/contract';
import { Group, State } from './ConnectionsPage';

/** The chat of each agent that has one: named by the variable that holds its token (CHN-41, CHN-42). */
export function Telegram({ states }: { states: readonly TelegramState[] }): JSX.Element {
  const { t } = useApp();
  return (
    <Group icon="send" title={t('connections.telegram')}>
      {states.length === 0 ? <p className="crew-2 none">{t('connections.no_telegram')}</p> : null}
      {states.map(state => (
        <Row key={state.agent_id} state={state} />
      ))}
    </Group>
  );
}

function Row({ state }: { state: TelegramState }): JSX.Element {
  const { t } = useApp();
  const agent = useAgent(state.agent_id);
  const words = state.ignored ? 'connections.telegram_ignored' : state.configured ? 'connections.telegram_on' : 'connections.telegram_off';
  return (
    <>
      <div className="crew-line">
        <span>{agent.name}</span>
        <span className="crew-mono crew-sm crew-2 crew-ell">{state.token_env}</span>
        <State good={state.configured && !state.ignored && state.problem === ''} text={t(words)} />
      </div>
      {state.problem ? <p className="crew-sm crew-t-error mend">{state.problem}</p> : null}
    </>
  );
}
