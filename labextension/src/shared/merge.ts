/** What a face knows besides the events: own messages, chips with words, how the last turn ended, figures of its run. Pure. */
import type { AttachedFile, QueuedItem, Run, Step } from './contract';
import { userItem } from './thread';
import type { ConversationView, ThreadItem, TurnEnd } from './view';

/**
 * How the last turn ended is not part of a stored conversation: a `watching` outside a turn forgets it. This puts it back
 * while the thread still ends with the same turn.
 */
export function keepEnd(before: ConversationView, after: ConversationView): ConversationView {
  const same = before.conversation?.id === after.conversation?.id && lastUser(before) === lastUser(after);
  return same && before.end && !after.end && !after.running && !after.pending ? { ...after, end: before.end } : after;
}

/** A message of this window whose turn has begun; nothing when the thread has it already. */
export function addSent(view: ConversationView, messageId: number, text: string, files: readonly AttachedFile[] = []): ConversationView {
  if (view.items.some(item => item.kind === 'user' && item.message_id === messageId)) {
    return view;
  }
  return { ...view, end: null, items: [...view.items, userItem(messageId, `m${messageId}`, text, null, false, files)] };
}

/** A chip with its words; the event `queued` has none (UI-42). */
export function addQueued(view: ConversationView, item: QueuedItem): ConversationView {
  const known = view.queued.some(one => one.item_id === item.item_id);
  const queued = known ? view.queued.map(one => (one.item_id === item.item_id ? item : one)) : [...view.queued, item];
  return { ...view, queued };
}

/** Fills what only the record of the run knows: duration and price of stored calls, and which were refused (TURN-83). */
export function withRun(view: ConversationView, run: Run): ConversationView {
  const steps = new Map(run.steps.filter(step => step.kind === 'tool').map(step => [step.tool_call_id, step]));
  const from = view.items.findLastIndex(item => item.kind === 'user' && !item.steered);
  const changed = view.items.map((item, place) => (place > from ? withStep(item, steps) : item));
  return changed.some((item, place) => item !== view.items[place]) ? { ...view, items: changed } : view;
}

/** How a finished run ended, for a conversation that is loaded after its turn (UI-39); null while it goes on. */
export function endOf(run: Run): TurnEnd | null {
  switch (run.status) {
    case 'done':
      return { type: 'done', run_id: run.id, cost_usd: run.cost_usd, suggestions: [] };
    case 'halted':
      return { type: 'halted', run_id: run.id, reason: run.halt_reason ?? '', cost_usd: run.cost_usd };
    case 'error':
      return run.summary === INTERRUPTED
        ? { type: 'stopped', run_id: run.id }
        : { type: 'error', run_id: run.id, code: '', message: run.summary };
    default:
      return null;
  }
}

const INTERRUPTED = 'interrupted'; // TURN-82

function withStep(item: ThreadItem, steps: ReadonlyMap<string | null, Step>): ThreadItem {
  const step = item.kind === 'tool' && item.output !== null ? steps.get(item.tool_call_id) : undefined;
  if (item.kind !== 'tool' || !step) {
    return item;
  }
  const state = step.status === 'refused' && item.state === 'error' ? 'refused' : item.state;
  const ms = item.ms ?? step.ms;
  const cost_usd = item.cost_usd ?? step.cost_usd;
  return state === item.state && ms === item.ms && cost_usd === item.cost_usd ? item : { ...item, state, ms, cost_usd };
}

function lastUser(view: ConversationView): number | null {
  const item = view.items.findLast(one => one.kind === 'user');
  return item?.kind === 'user' ? item.message_id : null;
}
