import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';

/** An agent of a kit is changed in the kit, or by a profile of its own (KIT-6, KIT-8). */
export function KitNotice({ agent }: { agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const { team } = useManager().manager;
  const busy = useSelect(team.acts, state => state.busy.has('create'));
  const failure = useSelect(team.acts, state => state.failures['create'] ?? null);
  return (
    <section className="crew-card crew-notice" aria-label={t('team.kit')}>
      <div>{t('team.kit_locked')}</div>
      <div>
        <button type="button" className="crew-btn small" disabled={busy} onClick={() => void team.create(agent.id, {})}>
          {t('team.own_profile')}
        </button>
      </div>
      {failure ? <ActFailure text={t('team.not_made', { message: failure.message })} /> : null}
    </section>
  );
}
