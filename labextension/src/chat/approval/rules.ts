/** What an approval card may offer and say (GATE-31 to GATE-33, guide section 6). Pure. */
import type { Approval } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { LONG_QUESTION } from './question';
import { askTitle, plainName, wordForWord } from '../thread/tool-words';

const URGENT_MS = 2 * 60_000; // guide section 6
const SPOKEN_MINUTES: readonly number[] = [5, 1]; // guide section 14
const MINUTE = 60_000;

/** "Always allow" does not exist on a card with a reason, nor on a question (GATE-33). */
export function offersAlways(approval: Approval): boolean {
  return approval.kind === 'tool' && approval.reason === null;
}

/** The share of the time that is left, 0 to 1. */
export function shareLeft(approval: Approval, now: number): number {
  const whole = Date.parse(approval.expires_at) - Date.parse(approval.created_at);
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (Date.parse(approval.expires_at) - now) / whole));
}

/** Milliseconds until the deadline, not below 0. */
export function timeLeft(approval: Approval, now: number): number {
  return Math.max(0, Date.parse(approval.expires_at) - now);
}

/** Whether the countdown takes the error colour. */
export function isUrgent(left: number): boolean {
  return left < URGENT_MS;
}

/** Whole minutes left when they are to be spoken, at five and at one; else null. */
export function spokenMinutes(left: number): number | null {
  const minutes = Math.ceil(left / MINUTE);
  return left > 0 && SPOKEN_MINUTES.includes(minutes) ? minutes : null;
}

/** Four to six words that ask; a long question stands below a heading that names who asks. */
export function questionOf({ kind, question, tool }: Approval, agent: string, t: Translate): string {
  if (kind !== 'question') {
    return askTitle(tool, t);
  }
  return question && question.length <= LONG_QUESTION ? question : t('ask.question', { agent });
}

/** One sentence: the tool's own when it has one. */
export function sentenceOf(approval: Approval, agent: string, t: Translate): string {
  const path = approval.arguments['path'];
  if (approval.summary) {
    return approval.summary;
  }
  return typeof path === 'string' && approval.tool.startsWith('workspace_') ? t('ask.wants_path', { agent, path }) : t('ask.wants', { agent, tool: plainName(approval.tool) });
}

const FOLD_CHARS = 480;
const FOLD_LINES = 6;

/** Whether words are folded until somebody wants all of them. */
export function isLong(text: string): boolean {
  return text.length > FOLD_CHARS || text.split('\n').length > FOLD_LINES;
}

/** A passage that is replaced by another: what the person decides on is both of them. */
export interface Change {
  old: string;
  new: string;
}

/** The change that a call asks for, if it asks for one. */
export function changeOf({ arguments: { old, new: by } }: Approval): Change | null {
  return typeof old === 'string' && typeof by === 'string' ? { old, new: by } : null;
}

const CHANGED = ['old', 'new'];
const MAIN = ['command', 'code', 'content', 'patch'];

export interface AskParts {
  /** The argument that stands in the box, word for word. */
  main: { name: string; text: string } | null;
  rest: Record<string, unknown>;
}

/** The argument that says what would happen, and the others. */
export function partsOf(approval: Approval): AskParts {
  const name = MAIN.find(key => typeof approval.arguments[key] === 'string');
  const changed = changeOf(approval) !== null;
  const rest = Object.fromEntries(Object.entries(approval.arguments).filter(([key]) => key !== name && !(changed && CHANGED.includes(key))));
  return { main: name ? { name, text: wordForWord(approval.arguments[name]) } : null, rest };
}
