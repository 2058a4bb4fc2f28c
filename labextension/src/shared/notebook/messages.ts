/** The text that a notebook or an editor puts into the composer (UI-136, UI-137). Pure. */
import type { Translate } from '../texts';
import { lastError, type Output, outputText } from './outputs';
import { between, fence, markFor, newMark, shortenMiddle, shownName } from './quote';

const OUTPUT_CHARS = 4000; // UI-136: of one cell

/** A cell as it is sent. */
export interface SentCell {
  path: string;
  /** Its place in the notebook, counted from 1. */
  number: number;
  source: string;
  /** The language of its fenced block, "" when none is known. */
  language: string;
  outputs: readonly Output[];
}

/** A part of a text file. */
export interface SentPart {
  path: string;
  text: string;
  language: string;
  /** Lines counted from 1. */
  first: number;
  last: number;
}

type Mark = () => string;

/** A cell, with its outputs when the person wants them and there are any. */
export function cellMessage(cell: SentCell, withOutputs: boolean, t: Translate, next: Mark = newMark): string {
  const head = `${t('cells.cell', { number: String(cell.number), path: shownName(cell.path) })}\n\n${fence(cell.source, cell.language)}`;
  const text = withOutputs ? outputText(cell.outputs) : '';
  return text === '' ? head : `${head}\n\n${data(text, t('cells.outputs'), t, next)}`;
}

/** A cell that failed, with its last traceback; null when it did not fail. */
export function errorMessage(cell: SentCell, t: Translate, next: Mark = newMark): string | null {
  const error = lastError(cell.outputs);
  return error === null ? null : `${t('cells.repair')}\n\n${cellMessage(cell, false, t)}\n\n${data(error, t('cells.traceback'), t, next)}`;
}

/** The selected part of a cell's source. */
export function cellPartMessage(cell: SentCell, text: string, t: Translate): string {
  return `${t('cells.part', { number: String(cell.number), path: shownName(cell.path) })}\n\n${fence(text, cell.language)}`;
}

/** The selected part of a text file: contents of a file are data (UI-137). */
export function filePartMessage(part: SentPart, t: Translate, next: Mark = newMark): string {
  const { first, last } = part;
  const head = t('cells.file', { path: shownName(part.path), first: String(first), last: String(last) });
  return `${head}\n\n${quoted(fence(part.text, part.language), t('cells.content'), t, next)}`;
}

function data(text: string, title: string, t: Translate, next: Mark): string {
  const short = shortenMiddle(text, OUTPUT_CHARS, count => t('cells.left_out', { count }));
  return quoted(short, title, t, next);
}

function quoted(text: string, title: string, t: Translate, next: Mark): string {
  const number = markFor([text], next);
  return `${t('cells.data', { number })}\n\n${between(number, title, text)}`;
}
