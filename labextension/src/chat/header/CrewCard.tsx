import { Avatar } from '../parts/avatar';
import { useApp } from '../parts/context';
import { useStore } from '../parts/hooks';

/** Every agent, the master first (UI-21). */
export function CrewCard(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { agents } = useStore(app.agents);
  return (
    <>
      {agents.map(agent => (
        <div className="crew-line" key={agent.id} title={agent.description}>
          <Avatar id={agent.id} name={agent.name} />
          <span className="crew-ell">{agent.name}</span>
          {agent.master ? <span className="crew-label accent">{t('crew.master')}</span> : null}
          {agent.mode === 'work' ? <span className="crew-label">{t('crew.work')}</span> : null}
          {agent.warnings.length > 0 ? <span className="crew-label warn">{agent.warnings[0]}</span> : null}
        </div>
      ))}
      <div className="pad">
        <button type="button" className="crew-link" onClick={() => app.execute('crewlab:open-manager', { section: 'team' })}>
          {t('team.open')}
        </button>
      </div>
      {agents.length === 1 ? <div className="pad crew-sm crew-2">{t('crew.alone')}</div> : null}
    </>
  );
}
