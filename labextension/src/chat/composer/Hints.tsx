import { useApp } from '../parts/context';

/** What may follow a slash; while the agent works that is `/steer` (UI-51). */
export function Hints({ onChoose }: { onChoose: () => void }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-card crew-hints" role="listbox" aria-label={t('composer.commands')}>
      <div
        role="option"
        aria-selected
        onPointerDown={event => {
          event.preventDefault();
          onChoose();
        }}
      >
        <code>/steer</code>
        <span className="crew-2 crew-ell">{t('composer.steer_hint')}</span>
      </div>
    </div>
  );
}
