import { isKey } from '../shared/texts';
import { useApp } from './parts/context';
import { Words } from './parts/words';

/** The panel as one card: the home is held by another server, or the configuration cannot be read (UI-8). */
export function Whole({ blocked }: { blocked: { code: string; message: string } }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const title: string = `fault.${blocked.code}`;
  return (
    <div className="crew-fault">
      <div className="crew-card error" role="alert">
        <div className="crew-b">{t(isKey(title) ? title : 'fault.title')}</div>
        <div className="msg">
          <Words text={blocked.message} />
        </div>
        {isKey(title) ? <div className="crew-sm crew-2">{t('fault.restart')}</div> : null}
        <div className="crew-row crew-wrap">
          <button type="button" className="crew-btn primary" onClick={() => globalThis.location.reload()}>
            {t('fault.reload')}
          </button>
          <button type="button" className="crew-btn" onClick={() => void app.copy(`${blocked.code}: ${blocked.message}`)}>
            {t('fault.details')}
          </button>
        </div>
      </div>
    </div>
  );
}
