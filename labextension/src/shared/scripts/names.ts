/**
 * Names that scripts chose, written so that two that differ only in an invisible character read differently (STO-52 to STO-54).
 * Also what a notebook widget shows: no import of JupyterLab. Pure.
 */

const CUT = 80; // STO-54
const CODE_DIGITS = 4;

/** What draws nothing, or draws like a space other than the ordinary one (STO-53); U+FFF9 to U+FFFB mark notes between lines. */
export const DRAWS_NOTHING = '(?! )[\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Co}\\p{Cn}\\u2800\\ufff9-\\ufffb]';

const ESCAPED = '["\\\\\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]';
const SPACES = '^ +| +$| {2,}';
const LITERAL = '\\[(?=U\\+)'; // what looks like one of our codes
const PIECE = new RegExp(`${ESCAPED}|${SPACES}|${LITERAL}|${DRAWS_NOTHING}`, 'gu');
const JSON_ESCAPE = /^["\\\u0000-\u001f]$/;

/** `[U+200B]`. */
export function codeOf(character: string): string {
  return `[U+${hex(character).toUpperCase()}]`;
}

/** A name with everything that cannot be seen written out; no two names are written alike. */
export function written(name: string): string {
  return pieces(name).join('');
}

/** The name in quotation marks, cut at 80 characters but never within a code (STO-54). */
export function quoted(name: string): string {
  let room = CUT;
  let kept = '';
  for (const piece of pieces(name)) {
    const size = [...piece].length;
    if (size > room) {
      return `"${kept}…"`;
    }
    room -= size;
    kept += piece;
  }
  return `"${kept}"`;
}

/** The name in the smallest parts that may stand alone. */
function pieces(name: string): string[] {
  const found: string[] = [];
  let after = 0;
  for (const match of name.matchAll(PIECE)) {
    found.push(...name.slice(after, match.index), ...shown(match[0]));
    after = match.index + match[0].length;
  }
  return [...found, ...name.slice(after)];
}

function shown(piece: string): string[] {
  if (piece.startsWith(' ')) {
    return [...piece].map(codeOf);
  }
  if (JSON_ESCAPE.test(piece)) {
    return [JSON.stringify(piece).slice(1, -1)];
  }
  return [/[\u007f-\u009f\u2028\u2029]/.test(piece) ? `\\u${hex(piece)}` : codeOf(piece)];
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(CODE_DIGITS, '0');
}
