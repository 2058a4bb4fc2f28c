import { memo, type ReactNode } from 'react';
import { Bead, type BeadKind } from './bead';
import { Icon } from './icon';
import { Reason } from './reason';

interface Props {
  kind: BeadKind;
  /** The state in words for screen readers, where the words of the row do not say it. */
  what: string;
  argument?: string;
  time?: string;
  price?: string;
  /** Failed or refused: shown at once, without a click (OUT-41). */
  why?: string | null;
  /** Whether "Hide result" folds the reason: that of a failed call. */
  folds?: boolean;
  open?: boolean;
  onToggle?: () => void;
  /** Words that may be cut because a person wrote them (a steer). */
  long?: boolean;
  /** What always stands below the row, open or not. */
  below?: ReactNode;
  children?: ReactNode;
}

/** One step: bead, words, figures. With `onToggle` the row is a button that unfolds the children (guide sections 4 and 14). */
export const StepRow = memo(function StepRow(props: Props): JSX.Element {
  const { kind, what, argument, time, price, why, folds, open, onToggle, long, below, children } = props;
  const line = (
    <>
      <Bead kind={kind} />
      <span className={long ? 'what long' : 'what'}>{what}</span>
      {argument ? <span className="arg crew-ell">{argument}</span> : null}
      {onToggle ? (
        <span className="crew-chev">
          <Icon name={open ? 'chevron-down' : 'chevron'} size="xs" />
        </span>
      ) : null}
      {time || price ? (
        <span className="m">
          {time}
          {price ? <span className="price">{time ? `, ${price}` : price}</span> : null}
        </span>
      ) : null}
    </>
  );
  return (
    <li className="crew-step">
      {onToggle ? (
        <button type="button" className="line" aria-expanded={open} onClick={onToggle}>
          {line}
        </button>
      ) : (
        <div className="line">{line}</div>
      )}
      {why ? <Reason why={why} folds={folds} /> : null}
      {open ? children : null}
      {below}
    </li>
  );
});
