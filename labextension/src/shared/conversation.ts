/**
 * From the events of one conversation to what is drawn (UI-2, TURN-40). Pure: the same events give the same view,
 * a `watching` gives the view of its conversation alone, and what did not change stays the same object.
 * `crewlab/notebook/reducers/conversation.py` gives the same JSON.
 */
import type * as C from './contract';
import { addQueued } from './merge';
import { compactedItem, heldCall, newTool, showMessages, stateOf, toolPlace, userItem, userOf, type ToolItem } from './thread';
import type { ConversationView, ThreadItem, TurnEnd } from './view';

export { showMessages } from './thread';

type Handlers = {
  [T in C.ConversationEvent['type']]?: (view: ConversationView, event: Extract<C.ConversationEvent, { type: T }>) => ConversationView;
};

/** The view before anything is known. */
export function emptyConversation(): ConversationView {
  return {
    conversation: null,
    items: [],
    queued: [],
    tasks: [],
    pending: null,
    running: false,
    thinking: false,
    end: null,
    spent_usd: 0,
    unknown_cost_calls: 0,
    estimated_cost_calls: 0
  };
}

/** The view of a stored conversation. */
export function showConversation(conversation: C.Conversation, running: boolean): ConversationView {
  const { messages: _messages, compactions: _compactions, queued, tasks, pending, ...head } = conversation;
  return {
    ...emptyConversation(),
    conversation: head,
    items: showMessages(conversation, running),
    queued,
    tasks,
    pending,
    running,
    spent_usd: conversation.spent_usd,
    unknown_cost_calls: conversation.unknown_cost_calls,
    estimated_cost_calls: conversation.estimated_cost_calls
  };
}

/** The view after one more event; an event that is not known changes nothing (UI-111). */
export function reduceConversation(view: ConversationView, event: C.ConversationEvent): ConversationView {
  if (!Object.hasOwn(HANDLERS, event.type)) {
    return view;
  }
  const handle = HANDLERS[event.type] as (view: ConversationView, event: C.ConversationEvent) => ConversationView;
  const next = handle(view, event);
  const thinking = event.type === 'thinking' || (event.type === 'queued' && next.thinking); // UI-27
  return next.thinking === thinking ? next : { ...next, thinking };
}

const HANDLERS: Handlers = {
  watching: (_view, event) => showConversation(event.conversation, event.running),
  queued: (view, { item_id, kind, position }) =>
    view.queued.some(one => one.item_id === item_id) ? view : addQueued(view, { item_id, kind, text: '', position, created_at: '', attachments: [] }),
  opened: open,
  text_delta: (view, event) => working({ ...view, items: grow(view.items, event.text) }),
  thinking: view => working(view),
  tool_call: (view, event) => working(startCall(view, event.tool_call_id, event.name, event.arguments, 'running')),
  tool_stream: (view, event) => changeTool(view, event.tool_call_id, item => ({ ...item, stream: item.stream + event.text })),
  nested_call: (view, event) =>
    changeTool(view, event.tool_call_id, item =>
      event.index < item.next_index ? item : { ...item, calls: [...item.calls, event.call], next_index: event.index + 1 }
    ),
  tool_result: endCall,
  approval_required: pause,
  approval_decided: goOn,
  steer: takeSteer,
  note: (view, event) => push(view, { kind: 'note', key: liveKey(view), text: event.text }),
  tasks: (view, event) => ({ ...view, tasks: event.tasks }),
  route_fallback: (view, { from_route, to_route, error }) =>
    push(view, { kind: 'fallback', key: liveKey(view), from_route, to_route, error }),
  escalated: (view, { route, reason }) => push(view, { kind: 'escalated', key: liveKey(view), route, reason }),
  compacted: (view, { compaction }) => push(view, compactedItem(compaction)),
  done: (view, { run_id, cost_usd, suggestions, relayed_from, type: _type, ...costs }) =>
    spend(relay(finish(view, { type: 'done', run_id, cost_usd, suggestions }, null), relayed_from), costs),
  halted: (view, { run_id, reason, cost_usd, type: _type, ...costs }) =>
    spend(finish(view, { type: 'halted', run_id, reason, cost_usd }, null), costs),
  stopped: (view, { run_id }) => ({ ...finish(view, { type: 'stopped', run_id }, 'stopped'), queued: [] }), // QUE-19
  error: (view, { run_id, code, message }) => finish(view, { type: 'error', run_id, code, message }, 'error')
};

/** A turn has begun: its message joins the thread once, its chips go (WIRE-14). */
function open(view: ConversationView, { conversation, message, item_ids }: C.Opened): ConversationView {
  const { pending: _pending, ...head } = conversation;
  const queued = view.queued.filter(one => !item_ids.includes(one.item_id)).map((one, place) => ({ ...one, position: place + 1 }));
  const next = { ...view, conversation: head, queued, running: true, pending: null, end: null };
  if (message === null) {
    return next;
  }
  const known = view.items.findIndex(item => item.kind === 'user' && item.message_id === message.id);
  const item = userOf(message);
  return known < 0 ? push(next, item) : { ...next, items: view.items.with(known, item) }; // this window sent it: now it is told as it was stored
}

/** Something of a turn was heard, so one runs. */
function working(view: ConversationView): ConversationView {
  return view.running && view.end === null ? view : { ...view, running: true, end: null };
}

/** Text joins the answer being written, which is always the last item. */
function grow(items: ThreadItem[], text: string): ThreadItem[] {
  const last = items.at(-1);
  const next = items.slice();
  if (last?.kind === 'answer' && last.streaming) {
    next[items.length - 1] = { ...last, text: last.text + text };
    return next;
  }
  const key = `x${items.length}`;
  const unstored = { message_id: null, model: null, cost_usd: null, created_at: null, partial: null, relayed_from: null };
  next.push({ kind: 'answer', key, text, ...unstored, streaming: true });
  return next;
}

/** The answer being written is complete as far as it goes. */
function closeText(items: ThreadItem[], partial: 'error' | 'stopped' | null): ThreadItem[] {
  const last = items.at(-1);
  return last?.kind === 'answer' && last.streaming ? [...items.slice(0, -1), { ...last, streaming: false, partial }] : items;
}

function push(view: ConversationView, item: ThreadItem): ConversationView {
  return { ...view, items: [...closeText(view.items, null), item] };
}

function liveKey(view: ConversationView): string {
  return `x${view.items.length}`;
}

function changeTool(view: ConversationView, id: string, change: (item: ToolItem) => ToolItem): ConversationView {
  const place = toolPlace(view.items, id);
  const before = view.items[place];
  if (before?.kind !== 'tool') {
    return view;
  }
  const after = change(before);
  return after === before ? view : { ...view, items: view.items.with(place, after) };
}

function startCall(view: ConversationView, id: string, name: string, args: C.Json | string, state: ToolItem['state']): ConversationView {
  const known = view.items[toolPlace(view.items, id)];
  if (known?.kind === 'tool' && known.output === null) {
    const closed = (known.state === 'denied' || known.state === 'expired') && state === 'running'; // a decided call is announced again before its result
    const open = changeTool(view, id, item => ({ ...item, name, arguments: args, state: closed ? item.state : state }));
    return { ...open, items: closeText(open.items, null) };
  }
  return push(view, newTool(view.items, id, name, args, state));
}

/** A call has ended, also one whose beginning this page has not heard. */
function endCall(view: ConversationView, event: C.ToolResult): ConversationView {
  const known = view.items[toolPlace(view.items, event.tool_call_id)];
  const begun = known?.kind === 'tool' && known.output === null;
  const start = begun ? view : push(view, newTool(view.items, event.tool_call_id, event.name, {}, 'refused'));
  const { output, ms, cost_usd, shortened, original_chars, received_chars, printed_chars, calls } = event;
  return changeTool(start, event.tool_call_id, item => ({
    ...item,
    state: stateOf(event.outcome),
    ...{ output, ms, cost_usd, shortened, original_chars, received_chars, printed_chars, calls },
    next_index: Math.max(item.next_index, calls.length)
  }));
}

function pause(view: ConversationView, { approval }: C.ApprovalRequired): ConversationView {
  const nested = approval.nested_in !== null;
  const held = nested
    ? changeTool(view, heldCall(approval), item => ({ ...item, state: 'waiting' }))
    : startCall(view, approval.call_id, approval.tool, approval.arguments, 'waiting');
  return { ...held, pending: approval, running: nested, end: null };
}

/** A decision takes hold of the conversation at once (QUE-4): the turn goes on, with the call run or refused. */
function goOn(view: ConversationView, event: C.ApprovalDecided): ConversationView {
  const { pending } = view;
  if (pending?.id !== event.approval_id) {
    return view;
  }
  const next = changeTool(view, heldCall(pending), item => ({ ...item, state: decidedState(pending, event.status) }));
  return { ...next, pending: null, running: true, conversation: event.always ? allow(next.conversation, pending.tool) : next.conversation };
}

/** A denied or expired call does not run; a question that nobody answered may go on with its default. */
function decidedState({ nested_in, kind }: C.Approval, status: C.ApprovalDecided['status']): ToolItem['state'] {
  if (nested_in !== null) {
    return 'running';
  }
  return status === 'denied' || (status === 'expired' && kind === 'tool') ? status : 'running';
}

function allow(head: ConversationView['conversation'], tool: string): ConversationView['conversation'] {
  return head && !head.auto_approve.includes(tool) ? { ...head, auto_approve: [...head.auto_approve, tool] } : head;
}

function takeSteer(view: ConversationView, event: C.Steer): ConversationView {
  const queued = view.queued.filter(one => !event.item_ids.includes(one.item_id)).map((one, place) => ({ ...one, position: place + 1 }));
  return push({ ...view, queued }, userItem(event.message_id, `m${event.message_id}`, event.text, null, true, event.attachments, event.typed));
}

function finish(view: ConversationView, end: TurnEnd, partial: 'error' | 'stopped' | null): ConversationView {
  const items = closeText(view.items, partial).map(item =>
    item.kind === 'tool' && (item.state === 'running' || item.state === 'waiting') ? { ...item, state: 'open' as const } : item
  );
  return { ...view, items, running: false, pending: null, end };
}

function spend(
  view: ConversationView,
  { delegated_usd, ...costs }: Pick<C.Done, 'spent_usd' | 'delegated_usd' | 'unknown_cost_calls' | 'estimated_cost_calls'>
): ConversationView {
  return { ...view, conversation: view.conversation && { ...view.conversation, ...costs, delegated_usd }, ...costs };
}

/** The answer that ends the turn is another agent's (DLG-77). */
function relay(view: ConversationView, relayed_from: string | null): ConversationView {
  const last = view.items.at(-1);
  return relayed_from === null || last?.kind !== 'answer' ? view : { ...view, items: [...view.items.slice(0, -1), { ...last, relayed_from }] };
}
