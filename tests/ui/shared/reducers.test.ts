import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceActivity } from '@crew/shared/activity';
import type { ConversationEvent, Message, Watching } from '@crew/shared/contract';
import { emptyConversation, reduceConversation, showConversation } from '@crew/shared/conversation';
import type { ThreadItem } from '@crew/shared/view';
import { crews, crewView, everyEvent, frames, golden, talk, talks, talkView } from './recorded';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const tools = (name: string): string[] =>
  talkView(talk(name)).items.flatMap(item => (item.kind === 'tool' ? [`${item.tool_call_id} ${item.state}`] : []));

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

describe('the reducer of a conversation', () => {
  // spec: TURN-6, UI-2
  it.each(talks)('makes of %s what the other side makes of it', name => {
    expect(plain(talkView(talk(name)))).toEqual(golden(name));
  });

  it.each(talks)('never changes what it was given (%s)', name => {
    const events = freeze(talk(name));
    let view = freeze(emptyConversation());
    for (const event of events) {
      view = freeze(reduceConversation(view, event));
    }
  });

  // spec: UI-29, UI-30
  it('shows after a fresh watching what its conversation says, whatever was heard before', () => {
    const starts = everyEvent.filter((event): event is Watching => event.type === 'watching');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...everyEvent), { maxLength: 14 }), fc.constantFrom(...starts), (heard, start) => {
        expect(reduceConversation(talkView(heard), start)).toEqual(showConversation(start.conversation, start.running));
      })
    );
  });

  it('gives every thing of a thread a key of its own, in every order of events', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...everyEvent), { maxLength: 30 }), heard => {
        const keys = talkView(heard)
          .items.filter(item => item.kind === 'tool')
          .map(item => item.key);
        expect(new Set(keys).size).toBe(keys.length);
      })
    );
  });

  // spec: UI-111
  it('ignores an event it does not know', () => {
    const view = talkView(talk('plain'));
    for (const type of ['no_such_event', 'constructor', '__proto__', 'toString']) {
      expect(reduceConversation(view, { type } as unknown as ConversationEvent)).toBe(view);
    }
  });

  // spec: UI-27
  it('thinks only while thinking was the last thing heard', () => {
    expect(talkView(talk('thinking')).thinking).toBe(true);
    expect(talkView([...talk('thinking'), { type: 'text_delta', text: 'a' }]).thinking).toBe(false);
  });

  // spec: UI-47
  it('takes the chips from the conversation that is loaded', () => {
    expect(talkView(talk('reload-in-mid-turn')).queued.map(chip => chip.text)).toEqual(['Then plot']);
  });

  // spec: UI-43
  it('turns an inserted chip into a message of the thread', () => {
    const view = talkView(talk('steer'));
    expect(view.queued.map(chip => [chip.item_id, chip.position])).toEqual([[7, 1]]);
    expect(view.items.filter(item => item.kind === 'user').map(item => [item.text, item.steered])).toEqual([
      ['When is high tide?', false],
      ['Use UTC', true]
    ]);
  });

  // spec: TURN-42
  it('keeps one of two nested calls with the same index', () => {
    const before = talk('nested-calls').slice(0, -1);
    expect(talkView(before).items.flatMap(item => (item.kind === 'tool' ? item.calls.map(call => call.output) : []))).toEqual([
      'a',
      'b',
      'c'
    ]);
  });

  it.each([
    ['tool', ['c1 done']],
    ['tool-failed', ['c1 error']],
    ['tool-refused', ['c1 refused']],
    ['approval-required', ['c1 waiting']],
    ['approval-approved', ['c1 done']],
    ['approval-denied', ['c1 denied']],
    ['approval-expired', ['c1 expired']],
    ['question-answered', ['c1 done']],
    ['question-expired', ['c1 done']],
    ['reload-waiting', ['c1 waiting']],
    ['reload-in-mid-turn', ['c1 done', 'c2 running', 'c3 open']],
    ['reload-delegates', ['d1 running', 'd2 running', 'c3 open']],
    ['stopped', ['c1 done', 'c2 open']]
  ])('shows how the calls of %s stand', (name, states) => {
    expect(tools(name)).toEqual(states);
  });

  // spec: CTX-1
  it('shows after a reload how each call ended', () => {
    expect(tools('reload-outcomes')).toEqual([
      'c1 done',
      'c2 error',
      'c3 refused',
      'c4 denied',
      'c5 expired',
      'c6 error',
      'c7 open',
      'c99 done'
    ]);
  });

  // spec: UI-25
  it('follows the spending of done and halted', () => {
    const view = talkView(talk('halted-budget'));
    expect([view.spent_usd, view.conversation?.spent_usd, view.unknown_cost_calls]).toEqual([2, 2, 1]);
  });

  it('copies nothing of a long thread but its list while text comes', () => {
    const start = talk('plain')[0] as Watching;
    const message = start.conversation.messages[0] as Message;
    const messages = Array.from({ length: 2000 }, (_, place) => ({
      ...message,
      id: place + 1,
      seq: place + 1
    }));
    let view = showConversation({ ...start.conversation, messages }, true);
    const first: readonly ThreadItem[] = view.items;
    const begin = performance.now();
    for (let count = 0; count < 500; count += 1) {
      view = reduceConversation(view, { type: 'text_delta', text: 'word ' });
    }
    expect(performance.now() - begin).toBeLessThan(1000); // ten seconds of text at 50 pieces a second
    expect(view.items).toHaveLength(2001);
    expect(first.every((item, place) => item === view.items[place])).toBe(true);
  });
});

describe('the reducer of the activity', () => {
  // spec: TURN-6, UI-2
  it.each(crews)('makes of %s what the other side makes of it', name => {
    expect(plain(crewView(frames(name)))).toEqual(golden(name));
  });

  // spec: UI-111
  it('ignores a frame it does not know', () => {
    const view = crewView(frames('activity-snapshot'));
    expect(reduceActivity(view, { type: 'toString' } as never)).toBe(view);
  });

  it('forgets the request of a conversation that is deleted', () => {
    expect(crewView(frames('activity-deleted')).pending).toBe(0);
  });

  it('keeps what ended while it watched over a reconnection', () => {
    const view = crewView(frames('activity-reconnected'));
    expect([view.runs.map(run => run.id), view.ended.map(run => run.id), view.pending, view.snapshots]).toEqual([
      ['run-4'],
      ['run-2'],
      1,
      2
    ]);
  });
});
