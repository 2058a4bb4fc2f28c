import type { Failure } from '../../shared/stores/types';
import { useApp } from './context';
import { useLoadingStage } from './hooks';
import { Icon } from './icon';

const BARS = [72, 54, 88, 40, 66];

/** Grey bars in the shape of rows, after 300 ms; after 5 s the words "Still loading". */
export function Skeleton({ rows = 3 }: { rows?: number }): JSX.Element | null {
  const { t } = useApp();
  const stage = useLoadingStage(true);
  if (stage === 'none') {
    return null;
  }
  return (
    <div className="crew-skel" role="status">
      {BARS.slice(0, rows).map(width => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
      {stage === 'words' ? <div className="crew-sm crew-2">{t('panel.loading')}</div> : null}
    </div>
  );
}

/** What failed and why, beside its place, with a way to try again (UI-8). */
export function Failed({ title, failure, retry }: { title: string; failure: Failure | null; retry: () => void }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-card error crew-notice error" role="alert">
      <div className="crew-row">
        <Icon name="warning" />
        <span className="crew-b">{title}</span>
      </div>
      {failure ? <div className="msg crew-sm">{failure.message}</div> : null}
      <div>
        <button type="button" className="crew-btn small" onClick={retry}>
          {t('panel.retry')}
        </button>
      </div>
    </div>
  );
}
