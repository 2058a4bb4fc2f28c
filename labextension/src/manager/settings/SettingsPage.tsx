import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { useManager } from '../app';
import { Group } from '../connections/ConnectionsPage';
import { Page, Region } from '../parts/page';
import { CrewSummary } from './CrewSummary';
import { Device } from './Device';
import { PersonForm } from './PersonForm';
import { Versions } from './Versions';

const WIDTH = 920;
const EDITOR = 'settingeditor:open';

/** Summaries that lead to the place of each change, the lines about the person, this device, the versions (UI-102). */
export function SettingsPage(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { person } = useManager().manager.settings;
  const lines = useStore(person);
  return (
    <Page title={t('manage.section.settings')} width={WIDTH}>
      <div className="crew-stack">
        <Group icon="edit" title={t('settings.you')}>
          <Region state={lines} has={lines.data !== null} rows={3} retry={() => void person.load()}>
            {lines.data ? <PersonForm lines={lines.data} /> : null}
          </Region>
        </Group>
        <CrewSummary />
        <Group icon="sliders" title={t('settings.lab')}>
          <Language />
          <p className="crew-sm crew-2 mend">{t('settings.lab_note')}</p>
          {app.has(EDITOR) ? (
            <div className="crew-line">
              <button type="button" className="crew-link" onClick={() => app.execute(EDITOR, { query: 'Crew' })}>
                {t('settings.lab_open')}
              </button>
            </div>
          ) : null}
        </Group>
        <Device />
        <Versions />
      </div>
    </Page>
  );
}

/** The language of these pages, and who decides it (UI-6). */
function Language(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { data } = useStore(useManager().manager.settings.version);
  const language = t(`settings.language.${app.language}`);
  return (
    <div className="crew-line">
      <span>{t('settings.language')}</span>
      <span className="v">{data ? t(data.language === null ? 'settings.language_lab' : 'settings.language_home', { language }) : language}</span>
    </div>
  );
}
