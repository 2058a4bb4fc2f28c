import { useApp } from '../../chat/parts/context';
import { useEditing } from './editing';
import { STORE_COMMAND } from './EditorHead';

/** The way to what scripts of this agent keep (SCR-235). */
export function ScriptStoreLink(): JSX.Element | null {
  const app = useApp();
  const { agent } = useEditing();
  return app.has(STORE_COMMAND) ? (
    <p>
      <button type="button" className="crew-link" onClick={() => app.execute(STORE_COMMAND, { agent: agent.id })}>
        {app.t('team.store_link')}
      </button>
    </p>
  ) : null;
}
