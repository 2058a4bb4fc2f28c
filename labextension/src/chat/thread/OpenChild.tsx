import type { NestedCall } from '../../shared/contract';
import { useApp } from '../parts/context';

const FIRST = /^conversation=(\S+) status=/; // SCR-161

/** Opens the conversation that a call of a script gave work to, from the line of the call. */
export function OpenChild({ call }: { call: NestedCall }): JSX.Element | null {
  const app = useApp();
  const child = call.name === 'delegate' ? FIRST.exec(call.output)?.[1] : undefined;
  return child === undefined ? null : (
    <button type="button" className="crew-link" onClick={() => app.conversation.openChild(child)}>
      {app.t('job.open')}
    </button>
  );
}
