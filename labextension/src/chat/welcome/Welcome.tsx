import type { TextKey, Translate } from '../../shared/texts';
import { Avatar } from '../parts/avatar';
import { useApp } from '../parts/context';
import { useStore } from '../parts/hooks';
import { Icon, type IconName } from '../parts/icon';
import { ModelCard } from './ModelCard';

interface Starter {
  key: TextKey;
  icon: IconName;
}

const STARTERS: readonly Starter[] = [
  { key: 'welcome.start_1', icon: 'crew' },
  { key: 'welcome.start_2', icon: 'folder' },
  { key: 'welcome.start_3', icon: 'search' },
  { key: 'welcome.start_4', icon: 'edit' }
];

/** What a demonstration model does well: talk, look, and stop before it writes. */
const SMALL_STARTERS: readonly Starter[] = [
  { key: 'welcome.small_1', icon: 'crew' },
  { key: 'welcome.small_2', icon: 'search' },
  { key: 'welcome.small_3', icon: 'edit' }
];

/** The master speaks, names the crew, offers four beginnings and says which model answers (UI-10, mock 10). */
export function Welcome(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { agents, answering } = useStore(app.agents);
  const master = agents.find(agent => agent.master);
  const name = master?.name ?? t('crew.master');
  const others = agents.filter(agent => !agent.master).map(agent => agent.name);
  const ready = answering !== null && answering.route !== null;
  const none = answering !== null && answering.route === null; // then what to do comes first
  return (
    <div className="crew-scroll" tabIndex={0} role="region" aria-label={t('welcome.title')}>
      <div className="crew-welcome">
        <Avatar id={master?.id ?? 'master'} name={name} size="xl" />
        <h1>{t('welcome.title')}</h1>
        <div className="lead">{others.length > 0 ? t('welcome.lead_crew', { name, others: joined(others, t) }) : t('welcome.lead', { name })}</div>
        {none ? <ModelCard /> : null}
        <div className="crew-starters">
          {(answering?.small ? SMALL_STARTERS : STARTERS).map(starter => (
            <button key={starter.key} type="button" className="crew-btn" disabled={!ready} onClick={() => void app.conversation.send(t(starter.key))}>
              <Icon name={starter.icon} />
              {t(starter.key)}
            </button>
          ))}
        </div>
        {none ? null : <ModelCard />}
      </div>
    </div>
  );
}

function joined(names: readonly string[], t: Translate): string {
  const last = names[names.length - 1] ?? '';
  return names.length < 2 ? last : t('welcome.and', { list: names.slice(0, -1).join(', '), last });
}
