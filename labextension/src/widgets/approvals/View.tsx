import { useEffect, useMemo, useRef, useState } from 'react';
import { RequestCard } from '../../chat/approval/RequestCard';
import { AppProvider, DeciderProvider, useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { Decided } from '../../manager/approvals/Decided';
import { Empty } from '../../manager/parts/page';
import type { Approval } from '../../shared/contract';
import { appOf, languageOf, lasting } from '../live/app';
import { KernelDecider } from '../live/deciding';
import type { LiveModel } from '../live/model';
import { Still, Waiting } from '../live/Still';
import type { Shown } from './state';

/** Requests of the whole crew: those that wait, decided in place, and those that were decided (UI-155, GATE-32). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const parts = useMemo(() => lasting(model), [model]);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => appOf(parts, language), [parts, language]);
  const { state } = snapshot;
  return (
    <AppProvider value={app}>
      <section className="crew-card" lang={language} aria-label={app.t('manage.section.approvals')}>
        {state === null ? <Waiting snapshot={snapshot} t={app.t} /> : <Body model={model} state={state} still={<Still snapshot={snapshot} t={app.t} />} />}
      </section>
    </AppProvider>
  );
}

function Body({ model, state, still }: { model: LiveModel<Shown>; state: Shown; still: JSX.Element }): JSX.Element {
  const { t } = useApp();
  const [open, setOpen] = useState(false);
  const decided = useMemo(() => [...state.decided].reverse(), [state.decided]);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfter(state.pending, heading);
  return (
    <>
      {still}
      <div className="h">
        <h3 ref={heading} tabIndex={-1} className="crew-b">
          {t('manage.section.approvals')}
        </h3>
        {state.pending.length > 0 ? <span className="crew-label warn">{t('approvals.waiting', { n: state.pending.length + state.hidden })}</span> : null}
      </div>
      <div className="body tall">
        {state.pending.map(approval => (
          <Request key={approval.id} model={model} approval={approval} />
        ))}
        {state.pending.length === 0 && state.hidden === 0 ? <Empty>{t('approvals.none')}</Empty> : null}
        {state.hidden > 0 ? <p className="crew-sm crew-2">{t('widgets.hidden', { n: state.hidden })}</p> : null}
        <button type="button" className="crew-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'widgets.hide_decided' : 'widgets.show_decided', { n: decided.length })}
        </button>
        {open && decided.length > 0 ? (
          <div className="crew-scrollx" tabIndex={0} role="region" aria-label={t('approvals.decided')}>
            <Decided decided={decided} />
          </div>
        ) : null}
        {open && (state.dropped ?? 0) > 0 ? <p className="crew-sm crew-2">{t('widgets.dropped_requests', { n: state.dropped ?? 0 })}</p> : null}
      </div>
    </>
  );
}

function Request({ model, approval }: { model: LiveModel<Shown>; approval: Approval }): JSX.Element {
  const decider = useMemo(() => new KernelDecider(model, approval.id), [model, approval.id]);
  return (
    <DeciderProvider value={decider}>
      <div className="crew-request" data-id={approval.id}>
        <RequestCard approval={approval} />
      </div>
    </DeciderProvider>
  );
}

/** When the card that held the focus is gone, the heading has it (UI-62). */
function useFocusAfter(pending: readonly Approval[], heading: React.RefObject<HTMLHeadingElement>): void {
  const inside = useRef<string | null>(null);
  useEffect(() => {
    const root = heading.current?.closest('section');
    const note = (event: FocusEvent): void => {
      inside.current = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset['id'] ?? null;
    };
    root?.addEventListener('focusin', note);
    return () => root?.removeEventListener('focusin', note);
  }, [heading]);
  useEffect(() => {
    if (inside.current !== null && !pending.some(one => one.id === inside.current)) {
      inside.current = null;
      heading.current?.focus();
    }
  }, [pending, heading]);
}
