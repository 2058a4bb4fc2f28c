import { type FormEvent, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { Shell } from './Shell';

/** Removing asks for the name and says what goes along (UI-93, AGT-37). */
export function RemoveAgent({ agent }: { agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const { team } = manager;
  const act = `remove ${agent.id}`;
  const busy = useSelect(team.acts, state => state.busy.has(act));
  const failure = useSelect(team.acts, state => state.failures[act] ?? null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (typed.trim() === agent.name && (await team.remove(agent.id))) {
      manager.go('team');
    }
  };
  return (
    <section className="crew-part" aria-label={t('team.remove')}>
      <h2>{t('team.remove')}</h2>
      <p className="crew-2">{t('team.remove_says', { id: agent.id })}</p>
      {open ? (
        <form onSubmit={event => void remove(event)}>
          <Shell label={t('team.remove_name', { name: agent.name })} errors={[]}>
            {part => <input {...part} className="crew-input" autoFocus autoComplete="off" value={typed} onChange={event => setTyped(event.target.value)} />}
          </Shell>
          <div className="crew-row">
            <button type="submit" className="crew-btn danger" disabled={busy || typed.trim() !== agent.name}>
              {t('team.remove_now')}
            </button>
            <button type="button" className="crew-btn" onClick={() => setOpen(false)}>
              {t('memory.cancel')}
            </button>
          </div>
        </form>
      ) : (
        <button type="button" className="crew-btn danger" onClick={() => setOpen(true)}>
          {t('team.remove_open')}
        </button>
      )}
      {failure ? <ActFailure text={t('team.not_removed', { message: failure.message })} /> : null}
    </section>
  );
}
