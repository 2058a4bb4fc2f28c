/** How the card of a tool call looks: bead, words and reason from its state (UI-31, OUT-41). Pure. */
import type { ConversationView, ThreadItem, ToolState } from '../../shared/view';
import type { Translate } from '../../shared/texts';
import type { BeadKind } from '../parts/bead';
import { notRunWords, toolWords } from './tool-words';

export type ToolItem = Extract<ThreadItem, { kind: 'tool' }>;

const BEADS: Record<ToolState, BeadKind> = { running: 'run', done: 'tool', error: 'error', refused: 'error', denied: 'error', expired: 'error', waiting: 'wait', open: 'note' };

/** The bead of a call. */
export function toolBead(state: ToolState): BeadKind {
  return BEADS[state];
}

/** The reason of a failed or refused call, shown at once; null for every other. */
export function toolReason(item: Pick<ToolItem, 'name' | 'state' | 'output'>, t: Translate): string | null {
  const said = item.output?.trim() ?? '';
  switch (item.state) {
    case 'error':
      return said === '' ? t('tool.failed') : said;
    case 'refused':
      return t('tool.not_allowed', { reason: said });
    case 'denied':
      return t('tool.denied');
    case 'expired':
      return t(item.name === ASKING ? 'tool.unanswered' : 'tool.expired');
    case 'open':
      return t('tool.no_answer');
    default:
      return null;
  }
}

const NOT_RUN: ReadonlySet<ToolState> = new Set(['refused', 'denied', 'expired']);
const ASKING = 'ask_user';
const CLOSED: Record<string, 'tool.ask_user.skipped' | 'tool.ask_user.default'> = { 'answer=skipped': 'tool.ask_user.skipped', 'answer=default': 'tool.ask_user.default' };

/** The words of a call's row; a question that was skipped, or went on with its default, says so (ASKU-10). */
export function rowWords(item: Pick<ToolItem, 'name' | 'state' | 'output'>, t: Translate): string {
  if (item.state === 'waiting') {
    return t(item.name === ASKING ? 'tool.waits_answer' : 'tool.waits');
  }
  const closed = item.name === ASKING ? CLOSED[item.output?.split('\n', 1)[0] ?? ''] : undefined;
  if (closed) {
    return t(closed);
  }
  return NOT_RUN.has(item.state) && item.name !== ASKING ? notRunWords(item.name, t) : toolWords(item.name, item.state === 'running', t);
}

/** Whether a call stands in the turn that goes on or waits, and has not been begun: no answer is missing yet. */
export function comesLater({ items, running, pending }: Pick<ConversationView, 'items' | 'running' | 'pending'>, key: string): boolean {
  const place = items.findIndex(item => item.key === key);
  return (running || pending !== null) && place > items.findLastIndex(item => item.kind === 'user' && !item.steered);
}

const SCRIPT = 'tool_script'; // the two measures are its alone: cells have none (UI-32)
type Measures = Pick<ToolItem, 'received_chars' | 'printed_chars'>;

const LAST_WHILE_RUNNING = 3;
const FIRST_WHEN_DONE = 8;

/** The calls that are shown before "Show all": the last ones while it runs, the first ones after. */
export function shownCalls(item: Pick<ToolItem, 'state' | 'calls'>): ToolItem['calls'] {
  return item.state === 'running' ? item.calls.slice(-LAST_WHILE_RUNNING) : item.calls.slice(0, FIRST_WHEN_DONE);
}

/** "Script made 12 calls · 1 failed" (SCR-193). */
export function madeCalls(name: string, calls: readonly { ok: boolean }[], t: Translate): string {
  const failed = calls.filter(call => !call.ok).length;
  const who = name === SCRIPT ? 'script' : 'cell';
  return failed > 0 ? t(`calls.${who}_failed`, { n: calls.length, failed }) : t(`calls.${who}`, { n: calls.length });
}

/** The two measures of a script; what the server has not counted is a dash (SCR-199). */
export function measuresSaid({ received_chars, printed_chars }: Measures, t: Translate): string {
  return t('tool.measures', { received: received_chars ?? t('calls.uncounted'), printed: printed_chars ?? t('calls.uncounted') });
}

/** The foot of a script's card: the calls so far, or once it has ended the two measures (SCR-193, SCR-199). */
export function callsSaid(item: ToolItem, t: Translate): string {
  if (item.state === 'running' && item.calls.length > 0) {
    return t('tool.calls_so_far', { n: item.calls.length, failed: item.calls.filter(call => !call.ok).length });
  }
  const ended = item.state === 'done' || item.state === 'error';
  return item.name === SCRIPT && ended ? measuresSaid(item, t) : '';
}

/** The result; of a running call its live output; nothing for a failed one, whose reason stands under its row. */
export function shownOutput(item: Pick<ToolItem, 'state' | 'output' | 'stream'>): string | null {
  if (item.state === 'error' || NOT_RUN.has(item.state)) {
    return null;
  }
  return item.output ?? (item.stream === '' ? null : item.stream);
}
