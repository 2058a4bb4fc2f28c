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

/** Says that the server serves another build (UI-128); only while it can be reached, because there is one bar at a time. */
export function BuildBar(): JSX.Element | null {
  const app = useApp();
  const { stale } = useStore(app.build);
  const { status } = useStore(app.connection);
  if (!stale || status === 'offline') {
    return null;
  }
  return (
    <div className="crew-offline build" role="status">
      <Icon name="refresh" size="s" />
      <span className="crew-grow">{app.t('build.ready')}</span>
      <button type="button" className="crew-link" onClick={() => globalThis.location.reload()}>
        {app.t('build.reload')}
      </button>
    </div>
  );
}
