/** `MEDIA:` and `FILE:` lines of an answer (UI-36, MED-1 to MED-9). Pure. */
import { closesFence, opensFence } from './notebook/code';

/** A piece of an answer: words, a picture, a file to download, a canvas. */
export type Piece =
  { kind: 'text'; text: string } | { kind: 'picture'; path: string } | { kind: 'file'; path: string } | { kind: 'canvas'; id: string };

/** Why a line may not be sent; null when it may. */
export type Refusal = 'media.picture_format' | 'media.file_format' | null;

export const MAX_FILE_BYTES = 20 * 1024 * 1024; // MED-5
const PICTURES = new Set(['png', 'jpg', 'jpeg', 'webp', 'gif']); // MED-7
const FILE_PICTURES = new Set(['png', 'jpg', 'jpeg', 'webp']); // MED-4: a picture is shown whatever its prefix
const DOCUMENTS = new Set(['pdf', 'csv', 'md', 'txt', 'xlsx', 'json', 'zip']); // MED-5
const LINE = /^(MEDIA|FILE):(.*)$/;
const BEGUN = /^(?:M(?:E(?:D(?:I(?:A(?::.*)?)?)?)?)?|F(?:I(?:L(?:E(?::.*)?)?)?)?)$/;
const CANVAS = /^artifact:(\S+)$/;

/** What follows the last dot of a name, small; "" when there is no dot or nothing before it. */
export function suffixOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** Whether a line of this kind may show this path, by its suffix (MED-5, MED-7). */
export function refusalOf(piece: Piece): Refusal {
  if (piece.kind === 'picture') {
    return PICTURES.has(suffixOf(piece.path)) ? null : 'media.picture_format';
  }
  return piece.kind === 'file' && !DOCUMENTS.has(suffixOf(piece.path)) ? 'media.file_format' : null;
}

/**
 * The pieces of an answer in their order. Lines count only at their start and outside of code blocks (MED-8). While the
 * answer is being written a last line that may become such a line is held back.
 */
export function piecesOf(text: string, streaming = false): Piece[] {
  if (!/^(?:MEDIA|FILE):/m.test(text) && !(streaming && /(?:^|\n)[MF][A-Z]*:?[^\n]*$/.test(text))) {
    return [{ kind: 'text', text }];
  }
  const pieces: Piece[] = [];
  let words: string[] = [];
  let bar: string | null = null;
  const flush = (): void => {
    if (words.join('').trim() !== '') {
      pieces.push({ kind: 'text', text: words.join('\n') });
    }
    words = [];
  };
  const lines = text.split(/\r\n|\r|\n/);
  lines.forEach((line, index) => {
    const held = streaming && index === lines.length - 1 && bar === null && BEGUN.test(line);
    const found = bar === null && !held ? pieceOf(line) : null;
    if (found) {
      flush();
      pieces.push(found);
    } else if (!held) {
      bar = bar === null ? (opensFence(line)?.bar ?? null) : closesFence(line, bar) ? null : bar;
      words.push(line);
    }
  });
  flush();
  return pieces;
}

function pieceOf(line: string): Piece | null {
  const [, prefix, rest = ''] = LINE.exec(line) ?? [];
  const path = rest.trim();
  if (prefix === undefined || path === '') {
    return null;
  }
  if (prefix === 'MEDIA') {
    return { kind: 'picture', path };
  }
  const canvas = CANVAS.exec(path)?.[1];
  if (canvas !== undefined) {
    return { kind: 'canvas', id: canvas };
  }
  return FILE_PICTURES.has(suffixOf(path)) ? { kind: 'picture', path } : { kind: 'file', path };
}
