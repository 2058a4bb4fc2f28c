import { type KeyboardEvent, useRef } from 'react';

interface Props<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; text: string }[];
  onPick: (value: V) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A few values side by side, one of them chosen: one stop of the Tab key, arrows move. */
export function Choice<V extends string>({ label, value, options, onPick }: Props<V>): JSX.Element {
  const group = useRef<HTMLSpanElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const place = options.findIndex(one => one.value === value);
      const next = (place + step + options.length) % options.length;
      const picked = options[next];
      if (picked) {
        onPick(picked.value);
        group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
      }
    }
  };
  return (
    <span ref={group} className="crew-choice" role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map(one => (
        <button key={one.value} type="button" role="radio" aria-checked={one.value === value} tabIndex={one.value === value ? 0 : -1} onClick={() => onPick(one.value)}>
          {one.text}
        </button>
      ))}
    </span>
  );
}
