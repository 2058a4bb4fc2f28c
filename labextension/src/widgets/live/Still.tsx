import { timeOfDay } from '../../chat/parts/figures';
import type { Translate } from '../../shared/texts';
import type { Snapshot } from './model';
import type { Base } from './wire';

/** Says that what follows is the last state, and of when (UI-160), or why the server cannot be heard; nothing while all is live. */
export function Still<S extends Base>({ snapshot, t }: { snapshot: Snapshot<S>; t: Translate }): JSX.Element | null {
  const { state, kernel } = snapshot;
  const words = kernel === 'still' && state ? t('timeline.state_of', { time: timeOfDay(state.at, t) }) : (state?.offline ?? null);
  return words === null ? null : (
    <div className={state?.offline ? 'crew-still crew-sm crew-t-error' : 'crew-still crew-sm crew-2'} role="status">
      {words}
    </div>
  );
}

/** What stands there before the kernel has said anything. */
export function Waiting<S extends Base>({ snapshot, t }: { snapshot: Snapshot<S>; t: Translate }): JSX.Element {
  return (
    <div className="h crew-2" role="status">
      {t(snapshot.kernel === 'still' ? 'widgets.no_kernel' : 'widgets.loading')}
    </div>
  );
}
