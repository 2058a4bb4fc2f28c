/** Characters that are not seen, or that change the order of others: written as their numbers where somebody must decide (SHL-90). Pure. */

/** Controls but line break and tab, soft hyphen, all format characters (bidi, zero width, tags), spaces that are no plain space, fillers, selectors. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;

/** A piece of a text as it is, or one unseen character by its number. */
export interface Piece {
  text: string;
  unseen: boolean;
}

/** The text in pieces, nothing left out: `U+202E` for what would not be seen. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found[0] === '\n' || found[0] === '\t') {
      continue;
    }
    if (found.index > from) {
      pieces.push({ text: text.slice(from, found.index), unseen: false });
    }
    pieces.push({ text: `U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`, unseen: true });
    from = found.index + found[0].length;
  }
  if (from < text.length || pieces.length === 0) {
    pieces.push({ text: text.slice(from), unseen: false });
  }
  return pieces;
}
