import { useApp } from './parts/context';
import { timeOfDay } from './parts/figures';
import { useStore } from './parts/hooks';
import { Icon } from './parts/icon';

/** Says since when the server cannot be reached; it goes without a word (UI-112). */
export function OfflineBar(): JSX.Element | null {
  const app = useApp();
  const { status, offlineSince } = useStore(app.connection);
  if (status !== 'offline' || offlineSince === null) {
    return null;
  }
  return (
    <div className="crew-offline" role="status">
      <Icon name="offline" size="s" />
      <span>{app.t('offline.since', { time: timeOfDay(offlineSince, app.t) })}</span>
    </div>
  );
}
