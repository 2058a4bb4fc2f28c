import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { useManager } from '../app';
import { Group } from '../connections/ConnectionsPage';
import { Region } from '../parts/page';

/** The page's version beside the server's (UI-129). */
export function Versions(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { version } = useManager().manager.settings;
  const server = useStore(version);
  const page = useStore(app.build);
  const own = page.version ?? t(page.development ? 'settings.page_development' : 'settings.page_unknown');
  return (
    <Group icon="info" title={t('settings.versions')}>
      <div className="crew-line">
        <span>{t('settings.page_version')}</span>
        <span className="v crew-num">{own}</span>
      </div>
      <Region state={server} has={server.data !== null} rows={1} retry={() => void version.load()}>
        <div className="crew-line">
          <span>{t('settings.server_version')}</span>
          <span className="v crew-num">{server.data?.version}</span>
        </div>
      </Region>
    </Group>
  );
}
