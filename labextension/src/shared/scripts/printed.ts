/**
 * The message that opens the turn after a script, recognised by the one shape in which the server writes it (SCR-230 to SCR-232):
 * `crewlab/engine/jobs/printed.py`. Pure.
 */
import { translate } from '../texts';

export interface Printed {
  /** The prompt of the job, the only words of the bubble. */
  prompt: string;
  /** What the script printed, line for line. */
  text: string;
}

const CLOSING = /\n<<<END SCRIPT OUTPUT ([0-9a-f]{16})>>>>$/;
const FOLDED_LINES = 12; // SCR-231
const FOLDED_CHARS = 800; // SCR-231

/** The parts of such a message; null for every other, also one that merely mentions the marks. */
export function printedIn(message: string): Printed | null {
  const end = CLOSING.exec(message);
  if (!end) {
    return null;
  }
  const opening = `<<<SCRIPT OUTPUT ${end[1]}>>>>\n`;
  const start = message.indexOf(opening);
  if (start < 0 || message.indexOf(opening, start + 1) >= 0 || start + opening.length > end.index) {
    return null;
  }
  for (const language of ['en', 'vi'] as const) {
    const above = `\n\n${translate(language)('printed.for_model')}\n`;
    if (message.slice(0, start).endsWith(above)) {
      return { prompt: message.slice(0, start - above.length), text: message.slice(start + opening.length, end.index) };
    }
  }
  return null;
}

/** How many lines it has. */
export function linesOf(text: string): number {
  return text.split('\n').length;
}

/** Whether it is folded before somebody opens it. */
export function isLong(text: string): boolean {
  return linesOf(text) > FOLDED_LINES || [...text].length > FOLDED_CHARS;
}
