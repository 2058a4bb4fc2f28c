import { useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { Switch } from '../../chat/parts/controls';
import { useStore } from '../../chat/parts/hooks';
import { isSet } from '../../shared/manage/runs';
import { useManager } from '../app';
import { Group } from '../connections/ConnectionsPage';

/** What is true only for whoever looks at this screen: kept by the browser, never by the server (UI-102, UI-103). */
export function Device(): JSX.Element {
  const app = useApp();
  const { t, device } = app;
  const { runs } = useManager().manager;
  const history = useStore(runs);
  const { previews } = useStore(app.canvases);
  const [kept] = useState(() => ({ ...device.summary(), strip: device.flag('strip') !== null })); // as it is when the page is opened
  const count = new Intl.NumberFormat(t.language);
  const rows = [
    [t('settings.drafts'), count.format(kept.drafts)],
    [t('settings.read_up_to'), count.format(kept.seen)],
    [t('settings.seen_failures'), count.format(history.seen.size)],
    [t('settings.filter_kept'), t(isSet(history) ? 'settings.filter_set' : 'settings.filter_unset')],
    [t('settings.strip'), t(kept.strip ? 'settings.strip_open' : 'settings.strip_closed')]
  ] as const;
  return (
    <Group icon="open" title={t('settings.device')}>
      <p className="crew-sm crew-2 mend">{t(kept.refused ? 'settings.device_refused' : 'settings.device_note')}</p>
      {rows.map(([name, value]) => (
        <div key={name} className="crew-line">
          <span>{name}</span>
          <span className="v crew-num">{value}</span>
        </div>
      ))}
      <div className="crew-line">
        <span>{t('settings.preview')}</span>
        <span className="v">
          <Switch on={previews} label={t('settings.preview')} onChange={on => app.canvases.setPreviews(on)} />
        </span>
      </div>
    </Group>
  );
}
