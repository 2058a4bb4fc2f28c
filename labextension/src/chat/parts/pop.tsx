import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useApp } from './context';
import { useLayer } from './hooks';
import { Icon, type IconName } from './icon';

interface PopProps {
  label: string;
  /** The pill that opened it: a press on it does not count as outside, focus returns to it. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The card under a pill: focus goes to its first control; Escape and a press outside close it (UI-22). */
export function Pop({ label, opener, onClose, children }: PopProps): JSX.Element {
  const { layers } = useApp();
  const card = useRef<HTMLDivElement>(null);
  const close = (): void => {
    onClose();
    opener.current?.focus();
  };
  useLayer(layers, true, close, [card, opener]);
  useEffect(() => {
    const first = card.current?.querySelector<HTMLElement>('button, input');
    (first ?? card.current)?.focus();
  }, []);
  return (
    <div ref={card} className="crew-card crew-pop" role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}

interface LineProps {
  icon?: IconName;
  label: ReactNode;
  hint?: string;
  children?: ReactNode;
}

/** One row of a card: icon, label, hint, value at the right in tabular digits (UI-23). */
export function Line({ icon, label, hint, children }: LineProps): JSX.Element {
  return (
    <div className="crew-line">
      {icon ? <Icon name={icon} /> : null}
      <span>{label}</span>
      {hint ? (
        <span title={hint} role="img" aria-label={hint} className="crew-2">
          <Icon name="info" size="s" />
        </span>
      ) : null}
      <span className="v">{children}</span>
    </div>
  );
}
