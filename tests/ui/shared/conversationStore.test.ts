import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '@crew/shared/api';
import type { Approval, ConversationEvent, Message } from '@crew/shared/contract';
import { talk } from './recorded';
import { detail, run, settle, start, summary, World } from './world';

const SEND = 'POST conversations/cv-1/messages';
const STOP = 'POST conversations/cv-1/stop';
const sent = (more: object = {}): Answer => ({
  status: 200,
  body: {
    status: 'started',
    run_id: 'run-1',
    message_id: 5,
    queued: null,
    running: true,
    ...more
  }
});
const place = (item_id: number, kind = 'follow_up'): object => ({
  status: 'queued',
  run_id: null,
  message_id: null,
  queued: { item_id, kind, position: 1 }
});
const no = (status: number, code: string): Answer => ({
  status,
  body: { code, message: `says ${code}` }
});
const text = (words: string): ConversationEvent => ({
  type: 'text_delta',
  text: words
});

describe('the open conversation', () => {
  let world: World;
  const state = () => world.crew.conversation.getSnapshot();
  const users = (): [string, boolean][] =>
    state().view.items.flatMap(item => (item.kind === 'user' ? [[item.text, item.sending] as [string, boolean]] : []));

  const ask = async (): Promise<void> => {
    const events = talk('approval-required');
    const last = events.at(-1);
    world.reply('GET conversations/cv-1', {
      status: 200,
      body: { ...detail, pending: last?.type === 'approval_required' ? last.approval : null }
    });
    events.forEach(event => world.say(event));
    await settle();
  };

  beforeEach(async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    world = new World();
    await world.open();
  });
  afterEach(() => vi.useRealTimers());

  it('is loaded and then follows its topic', async () => {
    expect(state()).toMatchObject({
      id: 'cv-1',
      loading: 'ready',
      gone: false
    });
    world.say(start);
    world.say(text('At three.'));
    await settle(50);
    expect(state().view.items.at(-1)).toMatchObject({
      kind: 'answer',
      text: 'At three.'
    });
    world.crew.conversation.open(null);
    world.say(text('never'));
    expect(state()).toMatchObject({ id: null, view: { items: [] } });
    expect(world.topics.get('conversation:cv-1')?.size).toBe(0);
  });

  it('tells about running text at most twenty times a second', async () => {
    world.say(start);
    const listener = vi.fn();
    world.crew.conversation.subscribe(listener);
    for (let count = 0; count < 200; count += 1) {
      world.say(text('a'));
      await settle(5);
    }
    expect(listener.mock.calls.length).toBeLessThanOrEqual(21);
    expect(state().view.items.at(-1)).toMatchObject({ text: 'a'.repeat(200) });
  });

  // spec: UI-49
  it('sends with an id of 32 hex characters, the time zone, and shows the own words at once', async () => {
    world.reply(SEND, sent());
    const outcome = world.crew.conversation.send('Hello');
    await Promise.resolve();
    expect(users().at(-1)).toEqual(['Hello', true]);
    expect(await outcome).toBe('started');
    expect(world.bodies(SEND)).toEqual([
      {
        text: 'Hello',
        request_id: '0'.repeat(31) + '1',
        timezone: 'Europe/Berlin'
      }
    ]);
    expect(users().at(-1)).toEqual(['Hello', false]);
    expect(state()).toMatchObject({ sending: false, view: { running: true } });
  });

  it('shows own words once when the frames are faster than the answer', async () => {
    let answer: (value: Answer) => void = () => undefined;
    world.reply(SEND, new Promise(resolve => (answer = resolve)));
    const outcome = world.crew.conversation.send('Hello');
    await settle();
    const message = {
      ...start.conversation.messages[0],
      id: 5,
      seq: 2,
      content: 'Hello'
    };
    const messages = [...start.conversation.messages, message] as typeof start.conversation.messages;
    world.say({ ...start, conversation: { ...start.conversation, messages } });
    world.say(talk('plain').at(-1) as ConversationEvent);
    answer(sent());
    await outcome;
    expect(users()).toEqual([
      ['When is high tide?', false],
      ['Hello', false]
    ]);
    expect(state().view.running).toBe(false);
  });

  // spec: WIRE-14
  it('shows own words once when the turn is opened before the answer comes', async () => {
    let answer: (value: Answer) => void = () => undefined;
    world.reply(SEND, new Promise(resolve => (answer = resolve)));
    const outcome = world.crew.conversation.send('Hello');
    await settle();
    const message = { ...(start.conversation.messages[0] as Message), id: 5, seq: 2, content: 'Hello' };
    world.say({ type: 'opened', run_id: 'run-2', conversation: { ...summary, running: true }, message, item_ids: [] });
    expect(users()).toEqual([
      ['When is high tide?', false],
      ['Hello', false]
    ]);
    answer(sent());
    await outcome;
    expect(users()).toHaveLength(2);
    expect(state().view.running).toBe(true);
  });

  // spec: UI-49
  it('sends the same id again after 1, 2 and 4 seconds, then keeps the words for "Send again"', async () => {
    world.reply(SEND, new Error('line broken'));
    const outcome = world.crew.conversation.send('Hello');
    const counts = [];
    for (const ms of [0, 999, 1, 1999, 1, 3999, 1]) {
      await settle(ms);
      counts.push(world.bodies(SEND).length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(await outcome).toBe('refused');
    expect(new Set(world.bodies(SEND).map(body => body['request_id'])).size).toBe(1);
    expect(state().unsent).toMatchObject({
      text: 'Hello',
      again: true,
      failure: { code: 'unreachable', status: 0 }
    });
    expect(users()).toEqual([['When is high tide?', false]]);
    world.reply(SEND, sent({ status: 'known' }));
    expect(await world.crew.conversation.sendAgain()).toBe('known');
    expect(world.bodies(SEND).at(-1)?.['request_id']).toBe('0'.repeat(31) + '1');
    expect(state().unsent).toBeNull();
  });

  // spec: UI-48
  it.each([
    [409, 'approval_pending'],
    [422, 'empty_steer'],
    [429, 'queue_full']
  ])('keeps the words after %i %s and says why', async (status, code) => {
    world.reply(SEND, no(status, code));
    expect(await world.crew.conversation.send('/steer')).toBe('refused');
    expect(world.bodies(SEND)).toHaveLength(1);
    expect(state().unsent).toMatchObject({
      text: '/steer',
      again: false,
      failure: { code, status, message: `says ${code}` }
    });
  });

  // spec: UI-42
  it('makes a chip of a message sent while busy and leaves the running turn alone', async () => {
    world.say(start);
    world.say(text('Working'));
    world.reply(SEND, sent(place(7)));
    const outcome = world.crew.conversation.send('Then plot');
    await settle();
    world.say({ type: 'queued', item_id: 7, kind: 'follow_up', position: 1 });
    expect(await outcome).toBe('queued');
    world.say(text(' on'));
    await settle(50);
    expect(state().view.queued.map(chip => chip.text)).toEqual(['Then plot']);
    expect(state().view.items.at(-1)).toMatchObject({
      text: 'Working on',
      streaming: true
    });
    expect(users()).toHaveLength(1);
  });

  // spec: UI-43
  it('shows no chip for a steer that was inserted before the answer came', async () => {
    world.say(start);
    let answer: (value: Answer) => void = () => undefined;
    world.reply(SEND, new Promise(resolve => (answer = resolve)));
    const outcome = world.crew.conversation.send('/steer Use UTC');
    await settle();
    world.say({ type: 'queued', item_id: 8, kind: 'steer', position: 1 });
    world.say({ type: 'steer', item_ids: [8], message_id: 6, text: 'Use UTC', typed: null, attachments: [] });
    answer(sent(place(8, 'steer')));
    await outcome;
    expect(state().view.queued).toEqual([]);
    expect(users().at(-1)).toEqual(['Use UTC', false]);
  });

  it('reads the words of a chip of another tab', async () => {
    world.say({ ...start });
    const chip = {
      item_id: 9,
      kind: 'follow_up',
      text: 'From the phone',
      position: 1,
      created_at: ''
    };
    world.reply('GET conversations/cv-1', {
      status: 200,
      body: { ...detail, running: true, queued: [chip] }
    });
    world.say({ type: 'queued', item_id: 9, kind: 'follow_up', position: 1 });
    await settle();
    expect(state().view.queued).toEqual([chip]);
  });

  it('sends in the order of typing', async () => {
    let first: (value: Answer) => void = () => undefined;
    world.reply(SEND, new Promise(resolve => (first = resolve)), sent(place(7)));
    const both = [world.crew.conversation.send('one'), world.crew.conversation.send('two')];
    await settle();
    expect(world.bodies(SEND).map(body => body['text'])).toEqual(['one']);
    first(sent());
    expect(await Promise.all(both)).toEqual(['started', 'queued']);
    expect(world.bodies(SEND).map(body => body['text'])).toEqual(['one', 'two']);
  });

  it('creates the conversation with its first message', async () => {
    world.crew.conversation.open(null);
    world.reply('POST conversations', {
      status: 201,
      body: { ...detail, id: 'cv-9' }
    });
    world.reply('GET conversations/cv-9', {
      status: 200,
      body: { ...detail, id: 'cv-9', messages: [] }
    });
    world.reply('POST conversations/cv-9/messages', sent());
    expect(await world.crew.conversation.send('Hello')).toBe('started');
    expect(state()).toMatchObject({ id: 'cv-9', unsent: null });
    expect(users()).toEqual([['Hello', false]]);
  });

  describe('Stop', () => {
    // spec: UI-45
    it('asks the server and gives the words of the chips back in their order', async () => {
      world.say({
        ...start,
        conversation: { ...start.conversation, queued: [] }
      });
      world.reply(STOP, {
        status: 200,
        body: { cleared: ['one', 'two'], cancelled: true, attachments: [] }
      });
      const back = world.crew.conversation.stop();
      expect(state().stopping).toBe(true);
      expect(await back).toEqual(['one', 'two']);
      expect(state()).toMatchObject({
        stopping: false,
        stopNotice: null,
        view: { queued: [] }
      });
    });

    // spec: UI-46
    it('says that the work runs elsewhere when it was not cancelled', async () => {
      world.say(start);
      world.reply(STOP, {
        status: 200,
        body: { cleared: ['one'], cancelled: false, attachments: [] }
      });
      expect(await world.crew.conversation.stop()).toEqual(['one']);
      expect(state().stopNotice).toBe('elsewhere');
    });

    // spec: UI-46
    it('says nothing when nothing was running', async () => {
      world.reply(STOP, {
        status: 200,
        body: { cleared: ['one'], cancelled: false, attachments: [] }
      });
      expect(await world.crew.conversation.stop()).toEqual(['one']);
      expect(state().stopNotice).toBeNull();
    });

    // spec: UI-45
    it('waits three seconds at most, then loads the thread again and says so', async () => {
      world.say(start);
      world.reply(STOP, new Promise(() => undefined));
      const back = world.crew.conversation.stop();
      await settle(2999);
      expect(state().stopping).toBe(true);
      const reads = world.bodies('GET conversations/cv-1').length;
      await settle(1);
      expect(await back).toEqual([]);
      expect(state()).toMatchObject({
        stopping: false,
        stopNotice: 'unanswered'
      });
      expect(world.bodies('GET conversations/cv-1')).toHaveLength(reads + 1);
    });
  });

  // spec: UI-25
  it.each([
    ['error', talk('error-with-text').at(-1)],
    ['stopped', talk('stopped').at(-1)],
    ['approval_required', talk('approval-required').at(-1)]
  ])('is read once more for its spending after %s', async (_name, event) => {
    world.say(start);
    const pending = event?.type === 'approval_required' ? event.approval : null;
    world.reply('GET conversations/cv-1', {
      status: 200,
      body: { ...detail, spent_usd: 1.25, pending }
    });
    const before = world.bodies('GET conversations/cv-1').length;
    world.say(event as ConversationEvent);
    await settle();
    expect(world.bodies('GET conversations/cv-1')).toHaveLength(before + 1);
    expect(state().view.spent_usd).toBe(1.25);
    expect(state().view.end?.type ?? 'approval_required').toBe(_name);
  });

  // spec: UI-50
  it('is locked at its cap until the cap is raised', async () => {
    world.say({
      ...start,
      running: false,
      conversation: { ...detail, spent_usd: 2 }
    });
    expect(state().lock).toBe('cap');
    world.reply('PATCH conversations/cv-1', {
      status: 200,
      body: { ...detail, spent_usd: 2, cost_cap_usd: 4 }
    });
    expect(await world.crew.conversation.raiseCap(4)).toBe(true);
    expect(state().lock).toBeNull();
    world.reply('PATCH conversations/cv-1', no(422, 'invalid'));
    expect(await world.crew.conversation.raiseCap(-1)).toBe(false);
    expect(state().patchFailure).toMatchObject({ code: 'invalid' });
  });

  // spec: UI-50, UI-63
  it('is locked while a request waits, and open again as soon as it is decided', async () => {
    await ask();
    expect(state().lock).toBe('approval');
    const approval = state().view.pending as Approval;
    world.reply('POST approvals/ap-1', {
      status: 200,
      body: { ...approval, status: 'approved', always: true }
    });
    await world.crew.conversation.decide('approve', true);
    expect(world.bodies('POST approvals/ap-1')).toEqual([{ decision: 'approve', always: true }]);
    expect(state()).toMatchObject({
      lock: null,
      deciding: false,
      view: { pending: null, conversation: { auto_approve: ['write_file'] } }
    });
  });

  // spec: ASKU-9, GATE-89
  it('answers and skips a question, and is locked until then', async () => {
    const asked = talk('question').at(-1);
    const pending = asked?.type === 'approval_required' ? asked.approval : null;
    world.reply('GET conversations/cv-1', { status: 200, body: { ...detail, pending } });
    talk('question').forEach(event => world.say(event));
    await settle();
    expect(state().lock).toBe('question');
    world.reply('POST approvals/ap-1', no(422, 'invalid'));
    await world.crew.conversation.answer(['Hamburg'], 'soon');
    expect(state()).toMatchObject({ lock: 'question', decisionFailure: { code: 'invalid' } });
    world.reply('POST approvals/ap-1', { status: 200, body: { ...pending, status: 'answered', skipped: true } });
    await world.crew.conversation.skip();
    expect(world.bodies('POST approvals/ap-1')).toEqual([{ answer: { labels: ['Hamburg'], text: 'soon' } }, { skip: true }]);
    expect(state()).toMatchObject({ lock: null, decisionFailure: null, view: { pending: null } });
  });

  // spec: UI-63
  it('says that somebody was first and reads again', async () => {
    await ask();
    world.reply('POST approvals/ap-1', no(409, 'not_pending'));
    world.reply('GET conversations/cv-1', { status: 200, body: detail });
    await world.crew.conversation.decide('deny');
    expect(state()).toMatchObject({
      decisionFailure: { code: 'not_pending' },
      lock: null
    });
  });

  it('tells how the last turn ended, also when it ended before the page was loaded', async () => {
    const ended = {
      ...run,
      status: 'halted',
      halt_reason: 'max_steps',
      ended_at: run.started_at
    };
    world.reply('GET activity/runs?conversation_id=cv-1&limit=20', {
      status: 200,
      body: { runs: [ended], more: false }
    });
    world.crew.conversation.open(null);
    await world.open();
    expect(state().view.end).toMatchObject({
      type: 'halted',
      reason: 'max_steps'
    });
    world.say({ ...start, running: false });
    expect(state().view.end).toMatchObject({ type: 'halted' });
    world.say(start);
    expect(state().view.end).toBeNull();
  });

  it('shows a denied call as denied, also when its run says refused', async () => {
    talk('approval-denied')
      .slice(0, -2)
      .forEach(event => world.say(event));
    const step = {
      index: 0,
      kind: 'tool',
      status: 'refused',
      tool_call_id: 'c1',
      ms: 7,
      cost_usd: null
    };
    world.crew.conversation.hearRun({
      ...run,
      steps: [step] as unknown as typeof run.steps
    });
    expect(state().view.items.at(-1)).toMatchObject({
      kind: 'tool',
      state: 'denied',
      ms: 40
    });
  });

  it('shows that it is gone and keeps what was there', async () => {
    world.refuse('conversation:cv-1', 'not_found');
    expect(state()).toMatchObject({
      gone: true,
      view: { conversation: { id: 'cv-1' } }
    });
  });

  it('opens a delegate with a way back', async () => {
    world.reply('GET conversations/cv-2', {
      status: 200,
      body: { ...detail, id: 'cv-2' }
    });
    world.crew.conversation.openChild('cv-2');
    await settle();
    expect(state()).toMatchObject({ id: 'cv-2', back: 'cv-1' });
    world.crew.conversation.goBack();
    expect(state()).toMatchObject({ id: 'cv-1', back: null });
  });

  // spec: UI-8
  it('says why it could not be loaded', async () => {
    world.reply('GET conversations/cv-3', no(500, 'internal'));
    await world.open('cv-3');
    expect(state()).toMatchObject({
      loading: 'failed',
      failure: { code: 'internal', status: 500, message: 'says internal' }
    });
  });
});
