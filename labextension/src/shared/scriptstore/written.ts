/** Names and values of the script store as people read them: what differs reads differently (STO-49, STO-52 to STO-54). Pure. */

const CUT = 80; // STO-54
const TOKEN = /\[U\+|^ +| +$| {2,}|["\\\u0000-\u001f]|[\u007f-\u009f\u2028\u2029]|(?! )[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\p{Cs}\p{Co}\p{Cn}]/gu;

/** A name in the writing of STO-52. */
export function written(name: string): string {
  return piecesOf(name).join('');
}

/** A name for questions and reports: in quotation marks, cut at 80 characters and never within an escape (STO-54). */
export function quoted(name: string): string {
  const pieces = piecesOf(name);
  let shown = '';
  for (const piece of pieces) {
    if ([...shown].length + [...piece].length > CUT) {
      return `"${shown}…"`;
    }
    shown += piece;
  }
  return `"${shown}"`;
}

/** Characters, each as it is written. */
function piecesOf(name: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const found of name.matchAll(TOKEN)) {
    pieces.push(...name.slice(from, found.index), ...escapes(found[0]));
    from = found.index + found[0].length;
  }
  return [...pieces, ...name.slice(from)];
}

function escapes(token: string): string[] {
  if (token === '[U+') {
    return ['[U+005B]', 'U', '+'];
  }
  if (token.startsWith(' ')) {
    return [...token].map(coded);
  }
  if (/["\\\u0000-\u001f]/.test(token)) {
    return [JSON.stringify(token).slice(1, -1)];
  }
  return /[\u007f-\u009f\u2028\u2029]/.test(token) ? [`\\u${hex(token)}`.toLowerCase()] : [coded(token)];
}

function coded(character: string): string {
  return `[U+${hex(character)}]`;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

const INDENT = 2;

/** JSON laid out over lines, every number and text as it was written; null for what is no JSON (STO-49). */
export function laidOut(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  const line = (by: number): string => `\n${' '.repeat((depth += by) * INDENT)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+|[[{]\s*[\]}]|[[\]{},:]/g, token => {
    if (token.startsWith('"')) {
      return token;
    }
    const mark = token.trim();
    switch (mark[0]) {
      case undefined:
        return '';
      case '{':
      case '[':
        return mark.length > 1 ? `${mark[0]}${mark.at(-1) ?? ''}` : mark + line(1);
      case '}':
      case ']':
        return line(-1) + mark;
      default:
        return mark === ',' ? mark + line(0) : `${mark} `;
    }
  });
}

const WARN_FROM = 0.8; // STO-48

/** How full a namespace is: what the bar and its line say (STO-48). */
export function fillOf(chars: number, limit: number): 'room' | 'nearly' | 'full' {
  return limit > 0 && chars >= limit ? 'full' : limit > 0 && chars >= limit * WARN_FROM ? 'nearly' : 'room';
}
