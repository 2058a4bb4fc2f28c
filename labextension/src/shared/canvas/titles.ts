/** Titles as they may be shown: what reorders or hides the text around it is taken out (CNV-8). Pure. */

const MOVES = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const HIDES = /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;
const JOINS = /[\s\u200c\u200d\ufe0e\ufe0f]/g;

/** The title in one line; "" when nothing of it can be seen. */
export function shownTitle(title: string): string {
  const line = title.replace(MOVES, ' ').replace(HIDES, '').replace(/\s+/g, ' ').trim();
  return line.replace(JOINS, '') === '' ? '' : line;
}
