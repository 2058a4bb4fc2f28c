import type { KeyboardEvent } from 'react';

/** Arrows, Home and End move between the rows of a list that has one tab stop. */
export function moveFocus(event: KeyboardEvent, root: HTMLElement | null, selector = '[role="option"]'): void {
  const rows = [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const here = rows.findIndex(row => row === document.activeElement);
  const next = target(event.key, here, rows.length);
  const row = next === null ? undefined : rows[next];
  if (here >= 0 && row) {
    event.preventDefault();
    row.focus();
  }
}

function target(key: string, here: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, here + 1);
    case 'ArrowUp':
      return Math.max(0, here - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
