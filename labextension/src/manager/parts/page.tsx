import { type ReactNode, type RefObject } from 'react';
import { useApp } from '../../chat/parts/context';
import { Failed, Skeleton } from '../../chat/parts/loading';
import type { Failure, Loading } from '../../shared/stores/types';

interface PageProps {
  title: string;
  /** What stands beside the title, and at the right end of its line. */
  label?: ReactNode;
  note?: ReactNode;
  /** The widest the page gets in CSS pixels. */
  width?: number;
  heading?: RefObject<HTMLHeadingElement>;
  children: ReactNode;
}

/** One page of the manager: a heading and what scrolls below it. */
export function Page({ title, label, note, width, heading, children }: PageProps): JSX.Element {
  return (
    <section className="crew-page" aria-label={title}>
      <div className="in" style={width ? { maxWidth: `${width}px` } : undefined}>
        <header>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {label}
          {note ? <span className="note crew-sm crew-2">{note}</span> : null}
        </header>
        {children}
      </div>
    </section>
  );
}

interface RegionProps {
  state: { loading: Loading; failure: Failure | null };
  /** Whether something was read. */
  has: boolean;
  rows?: number;
  retry: () => void;
  children: ReactNode;
}

/** What was read; before that grey bars, or what failed with a way to try again (guide section 9). */
export function Region({ state, has, rows, retry, children }: RegionProps): JSX.Element {
  const { t } = useApp();
  if (!has) {
    return state.loading === 'failed' ? <Failed title={t('manage.not_read')} failure={state.failure} retry={retry} /> : <Skeleton rows={rows ?? 5} />;
  }
  return (
    <>
      {state.failure ? (
        <div className="crew-reread crew-sm" role="status">
          <span className="crew-t-error">{t('manage.reread_failed', { message: state.failure.message })}</span>
          <button type="button" className="crew-link" onClick={retry}>
            {t('panel.retry')}
          </button>
        </div>
      ) : null}
      {children}
    </>
  );
}

/** One grey sentence that says what will stand here (guide section 9). */
export function Empty({ children }: { children: ReactNode }): JSX.Element {
  return <p className="crew-empty crew-2">{children}</p>;
}

/** Why something that a person started was not done, beside its place (UI-8). */
export function ActFailure({ text }: { text: string }): JSX.Element {
  return (
    <div className="crew-actfail crew-sm crew-t-error" role="alert">
      {text}
    </div>
  );
}
