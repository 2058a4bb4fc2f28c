/** Stored messages as things of the thread. Pure; `crewlab/notebook/reducers/thread.py` gives the same JSON. */
import type { Approval, AttachedFile, Compaction, Conversation, Json, Message, NestedCall, ToolCall } from './contract';
import { collapsed } from './kept';
import type { ThreadItem, ToolState } from './view';

export type ToolItem = Extract<ThreadItem, { kind: 'tool' }>;
export type AnswerItem = Extract<ThreadItem, { kind: 'answer' }>;
export type UserItem = Extract<ThreadItem, { kind: 'user' }>;

const NOTE = 'progress_note'; // GATE-97
const NOTE_CHARS = 200; // GATE-98
const PARALLEL = 'delegate'; // TURN-26: the only built-in tool whose calls run at the same time

/** A call that has not ended. */
export function newTool(items: readonly ThreadItem[], id: string, name: string, args: Json | string, state: ToolState): ToolItem {
  return {
    kind: 'tool',
    key: toolKey(items, id),
    tool_call_id: id,
    name,
    arguments: args,
    state,
    output: null,
    ms: null,
    cost_usd: null,
    shortened: null,
    original_chars: null,
    received_chars: null,
    printed_chars: null,
    calls: [],
    next_index: 0,
    stream: ''
  };
}

/** Place of the newest call with this id, or -1: providers may give an id again in a later turn. */
export function toolPlace(items: readonly ThreadItem[], id: string): number {
  return items.findLastIndex(item => item.kind === 'tool' && item.tool_call_id === id);
}

/** The call that a request holds up: of a question inside a kernel cell that is the cell's (EVAL-30). */
export function heldCall(approval: Approval): string {
  return approval.nested_in ?? approval.call_id;
}

/** A message a person sent. */
export function userItem(
  id: number | null,
  key: string,
  text: string,
  createdAt: string | null,
  steered: boolean,
  files: readonly AttachedFile[] = [],
  typed: string | null = null
): UserItem {
  return { kind: 'user', key, message_id: id, text, created_at: createdAt, steered, sending: false, typed, files: [...files] };
}

/** A stored message of a person. */
export function userOf({ id, content, created_at, context }: Message): UserItem {
  const command = context?.['command'] as { typed?: unknown } | undefined;
  const typed = typeof command?.typed === 'string' ? command.typed : null;
  const files = context?.['attachments'];
  return userItem(
    id,
    `m${id}`,
    content,
    created_at,
    context?.['steer'] === true,
    Array.isArray(files) ? (files as AttachedFile[]) : [],
    typed
  );
}

/** The line where the model began to read a summary in place of what stands above (CMP-8). */
export function compactedItem({ id, tokens_before, tokens_after, text }: Compaction): ThreadItem {
  return { kind: 'compacted', key: `k${id}`, tokens_before, tokens_after, text };
}

/** The stored thread, with the state of calls that have no result yet. */
export function showMessages(conversation: Conversation, running: boolean): ThreadItem[] {
  const items: ThreadItem[] = [];
  let told = 0;
  for (const message of conversation.messages) {
    add(items, message);
    for (; (conversation.compactions[told]?.at_seq ?? Infinity) <= message.seq; told += 1) {
      items.push(compactedItem(conversation.compactions[told] as Compaction));
    }
  }
  return settle(items, conversation, running);
}

function add(items: ThreadItem[], message: Message): void {
  if (message.role === 'user') {
    items.push(userOf(message));
  } else if (message.role === 'assistant') {
    addAnswer(items, message);
  } else if (message.role === 'tool') {
    addResult(items, message);
  }
}

function addAnswer(items: ThreadItem[], message: Message): void {
  if (message.content !== '' || message.tool_calls.length === 0) {
    items.push(answerOf(message));
  }
  for (const call of message.tool_calls) {
    items.push(newTool(items, call.id, call.name, call.arguments, 'open'));
  }
}

function answerOf(message: Message): AnswerItem {
  const partial = message.context?.['partial'];
  const relayed = message.context?.['relayed_from'];
  return {
    kind: 'answer',
    key: `m${message.id}`,
    message_id: message.id,
    text: message.content,
    model: message.model,
    cost_usd: message.cost_usd,
    created_at: message.created_at,
    partial: partial === 'error' || partial === 'stopped' ? partial : null,
    streaming: false,
    relayed_from: typeof relayed === 'string' ? relayed : null
  };
}

function addResult(items: ThreadItem[], message: Message): void {
  const id = message.tool_call_id ?? '';
  const place = toolPlace(items, id);
  const call = items[place];
  const before = call?.kind === 'tool' && call.output === null ? call : newTool(items, id, message.name ?? '', {}, 'open');
  const at = before === call ? place : items.length;
  if (isNote(message)) {
    return takeNote(items, before, at);
  }
  const calls = listOf(message.context?.['calls']);
  const after: ToolItem = {
    ...before,
    state: stateOf(message.context?.['outcome']),
    output: message.content,
    cost_usd: message.cost_usd,
    received_chars: numberOf(message.context?.['received_chars']),
    printed_chars: numberOf(message.context?.['printed_chars']),
    calls,
    next_index: calls.length
  };
  items[at] = after;
}

function isNote(message: Message): boolean {
  return message.name === NOTE && message.context?.['outcome'] === undefined;
}

/** A progress note is a line and no call; an empty one is nothing (GATE-97, GATE-98). */
function takeNote(items: ThreadItem[], call: ToolItem, place: number): void {
  const said = typeof call.arguments === 'string' ? undefined : call.arguments['text'];
  const text = [...collapsed(typeof said === 'string' ? said : '')].slice(0, NOTE_CHARS).join('').trimEnd();
  items.splice(place, 1, ...(text === '' ? [] : [{ kind: 'note' as const, key: call.key, text }]));
}

/** How a stored call ended (CTX-1). */
export function stateOf(outcome: unknown): ToolState {
  if (outcome === 'error' || outcome === 'unknown') {
    return 'error';
  }
  return outcome === 'refused' || outcome === 'denied' || outcome === 'expired' ? outcome : 'done';
}

/** Calls without a result: what waits, what runs, and what nobody works on any more. */
function settle(items: ThreadItem[], conversation: Conversation, running: boolean): ThreadItem[] {
  const waiting = conversation.pending ? heldCall(conversation.pending) : null;
  const working = running ? runningCalls(conversation.messages) : new Set<string>();
  return items.map(item => {
    if (item.kind !== 'tool' || item.output !== null) {
      return item;
    }
    const id = item.tool_call_id;
    return id === waiting ? { ...item, state: 'waiting' } : working.has(id) ? { ...item, state: 'running' } : item;
  });
}

/** The first call of the last answer that has no result, and those that run beside it (TURN-26). */
function runningCalls(messages: readonly Message[]): Set<string> {
  const last = messages.findLastIndex(message => message.role === 'assistant');
  const ended = new Set(messages.slice(last + 1).map(message => message.tool_call_id));
  const open: readonly ToolCall[] = (messages[last]?.tool_calls ?? []).filter(call => !ended.has(call.id));
  const alone = open.findIndex(call => call.name !== PARALLEL);
  return new Set((alone < 0 ? open : open.slice(0, Math.max(alone, 1))).map(call => call.id));
}

function toolKey(items: readonly ThreadItem[], id: string): string {
  const same = items.filter(item => item.kind === 'tool' && item.tool_call_id === id).length;
  return same === 0 ? `t${id}` : `t${id}:${same + 1}`;
}

function listOf(value: unknown): NestedCall[] {
  return Array.isArray(value) ? (value as NestedCall[]) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
