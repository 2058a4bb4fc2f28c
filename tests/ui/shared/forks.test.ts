import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '@crew/shared/contract';
import { storedId } from '@crew/shared/stores/forks';
import { savedName } from '@crew/shared/urls';
import { detail, World } from './world';

const FORK = 'POST conversations/cv-1/fork';
const message = (id: number, role: Message['role'], content: string): Message => ({ id, role, content }) as Message;

describe('the stored number of a bubble', () => {
  const stored = [message(1, 'user', 'one'), message(2, 'assistant', 'x'), message(3, 'user', 'same'), message(4, 'user', 'same')];

  // spec: UI-57
  it.each([
    ['same', 0, 4],
    ['same', 1, 3],
    ['one', 2, 1],
    ['one', 0, null],
    ['one', 3, null]
  ])('%s, %i from the end', (text, fromEnd, id) => {
    expect(storedId(stored, text, fromEnd)).toBe(id);
  });
});

describe('branching', () => {
  let world: World;
  beforeEach(async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    world = new World();
    await world.open();
    world.reply(FORK, { status: 201, body: { ...detail, id: 'cv-9' } });
  });
  afterEach(() => vi.useRealTimers());

  const first = () => {
    const found = world.crew.conversation.getSnapshot().view.items.find(item => item.kind === 'user');
    if (found?.kind !== 'user') {
      throw new Error('the recorded conversation begins with a message of the person');
    }
    return found;
  };
  const reads = (): number => world.bodies('GET conversations/cv-1').length;

  // spec: UI-57
  it('names the stored message without reading anything', async () => {
    const before = reads();
    expect((await world.crew.conversation.fork(first().key)).id).toBe('cv-9');
    expect(world.bodies(FORK)).toEqual([{ before_message_id: first().message_id }]);
    expect(reads()).toBe(before);
  });

  // spec: UI-57
  it('reads the conversation once for a bubble without a number; what does not match is an error', async () => {
    const { key, message_id, text } = first();
    const lose = (words: string): void =>
      world.crew.conversation.change(view => ({ ...view, items: view.items.map(item => (item.kind === 'user' && item.key === key ? { ...item, message_id: null, text: words } : item)) }));
    const before = reads();
    lose(text);
    await world.crew.conversation.fork(key);
    expect(world.bodies(FORK)).toEqual([{ before_message_id: message_id }]);
    expect(reads()).toBe(before + 1);
    lose('other words');
    await expect(world.crew.conversation.fork(key)).rejects.toMatchObject({ code: 'bad_cut' });
    await expect(world.crew.conversation.fork('no such key')).rejects.toMatchObject({ code: 'bad_cut' });
    expect(world.bodies(FORK)).toHaveLength(1);
  });

  // spec: UI-14
  it('searches messages with at most 200 characters', async () => {
    const where = `messages/search?q=${'x'.repeat(200)}`;
    world.reply(`GET ${where}`, { status: 200, body: { results: [] } });
    expect(await world.crew.list.search('x'.repeat(300), new AbortController().signal)).toEqual([]);
  });
});

describe('the name of a saved file', () => {
  // spec: TURN-108
  it.each([
    [`attachment; filename="K_ ho_ch.md"; filename*=UTF-8''K%E1%BA%BF%20ho%E1%BA%A1ch.md`, 'Kế hoạch.md'],
    ['attachment; filename="run-1.json"', 'run-1.json'],
    [`attachment; filename*=UTF-8''%E0%A4%A`, ''],
    ['', '']
  ])('%s', (header, name) => {
    expect(savedName(header)).toBe(name);
  });
});
