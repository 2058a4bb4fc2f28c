import { type KeyboardEvent, type FocusEvent, type RefObject, useRef } from 'react';

const ENTRY = '.crew-entry';
const INSIDE = 'button, a[href], [tabindex="0"]';

interface OneStop {
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent) => void;
  onPointerDown: () => void;
}

/**
 * The thread is one stop of Tab: arrows move between messages, Enter goes inside, Escape comes out again (guide section 14).
 * `after` is an element behind the thread from which Tab goes on.
 */
export function useOneStop(box: RefObject<HTMLElement | null>, after: RefObject<HTMLElement | null>): OneStop {
  const pressed = useRef(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (target !== box.current && !target.matches(ENTRY)) {
      leave(event, target);
    } else if (event.key === 'Tab') {
      (event.shiftKey ? box.current : after.current)?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      step(event, box.current, target);
    } else if (event.key === 'Enter') {
      target.querySelector<HTMLElement>(INSIDE)?.focus();
      event.preventDefault();
    }
  };
  const onFocus = (event: FocusEvent): void => {
    const from = event.relatedTarget as Node | null;
    const outside = from !== null && !box.current?.contains(from);
    if (outside && !pressed.current && event.target !== box.current) {
      box.current?.focus(); // Shift+Tab from behind lands on the thread, not on its last link
    }
    pressed.current = false;
  };
  const onPointerDown = (): void => {
    pressed.current = true;
  };
  return { onKeyDown, onFocus, onPointerDown };
}

function step(event: KeyboardEvent, box: HTMLElement | null, target: HTMLElement): void {
  const entries = [...(box?.querySelectorAll<HTMLElement>(ENTRY) ?? [])];
  const here = entries.indexOf(target);
  const up = event.key === 'ArrowUp';
  const next = here < 0 ? entries.length - 1 : here + (up ? -1 : 1);
  const entry = entries[Math.min(entries.length - 1, Math.max(0, next))];
  if (entry) {
    event.preventDefault();
    entry.focus();
    entry.scrollIntoView?.({ block: 'nearest' });
  }
}

function leave(event: KeyboardEvent, target: HTMLElement): void {
  if (event.key === 'Escape') {
    target.closest<HTMLElement>(ENTRY)?.focus();
    event.stopPropagation();
  }
}
