/** Snippets of the search: matched words between U+0002 and U+0003 (FTS-9). Pure. */

export interface Piece {
  text: string;
  marked: boolean;
}

/** The snippet in pieces; a mark without its partner reaches to the next one or to the end. */
export function piecesOf(snippet: string): Piece[] {
  const pieces: Piece[] = [];
  let marked = false;
  for (const part of snippet.split(/([\u0002\u0003])/)) {
    if (part === '\u0002' || part === '\u0003') {
      marked = part === '\u0002';
    } else if (part !== '') {
      pieces.push({ text: part, marked });
    }
  }
  return pieces;
}
