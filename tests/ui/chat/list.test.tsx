// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { filterTitles, groupByDay, hasSearch } from '@crew/chat/list/groups';
import { drawPanel, fakeApp, settle } from './app';
import { approval, run, summary, user } from './data';

const NOW = new Date('2026-11-30T03:00:00Z');
const at = (id: string, updated_at: string) => summary(id, { updated_at });
const grouped = (zone: string, ...times: string[]) =>
  groupByDay(
    times.map((time, index) => at(String(index), time)),
    NOW,
    zone
  ).map(group => `${group.name}: ${group.conversations.map(one => one.id).join(' ')}`);

describe('groups of the list', () => {
  // spec: UI-13
  it.each([
    ['UTC', ['today: 0', 'yesterday: 1', 'older: 2']],
    ['Asia/Ho_Chi_Minh', ['today: 0 1', 'yesterday: 2']],
    ['America/Los_Angeles', ['today: 0 1', 'yesterday: 2']]
  ])('follow the calendar of %s, not UTC days', (zone, groups) => {
    // In Ho Chi Minh City it is the 30th, 10:00; in Los Angeles the 29th, 19:00.
    expect(grouped(zone, '2026-11-30T02:00:00Z', '2026-11-29T18:00:00Z', '2026-11-28T17:30:00Z')).toEqual(groups);
  });

  // spec: UI-13
  it('keep a day of 23 hours apart and put the newest first', () => {
    const spring = new Date('2026-03-30T08:00:00Z'); // the night of the 29th was short in Berlin
    const names = groupByDay([at('a', '2026-03-28T22:30:00Z'), at('b', '2026-03-29T21:30:00Z'), at('c', '2026-03-30T07:00:00Z')], spring, 'Europe/Berlin');
    expect(names.map(group => [group.name, group.conversations[0]?.id])).toEqual([
      ['today', 'c'],
      ['yesterday', 'b'],
      ['older', 'a']
    ]);
    expect(grouped('UTC', '2026-11-30T01:00:00Z', '2026-11-30T02:00:00+00:00')).toEqual(['today: 1 0']);
  });

  // spec: UI-14
  it('have a search box from eight conversations on, which filters titles', () => {
    expect([7, 8].map(hasSearch)).toEqual([false, true]);
    const list = [summary('1', { title: 'Độ trễ nhiệt' }), summary('2', { title: 'Heat lag' })];
    expect(filterTitles(list, ' do tre ').map(one => one.id)).toEqual(['1']);
    expect(filterTitles(list, 'LAG').map(one => one.id)).toEqual(['2']);
    expect(filterTitles(list, '')).toBe(list);
  });
});

const WIDE = 1200;
const many = Array.from({ length: 8 }, (_, index) => summary(`c${index}`, { updated_at: new Date(Date.now() - index * 60_000).toISOString() }));

describe('the list', () => {
  // spec: UI-14
  it('has no box for seven', () => {
    drawPanel(fakeApp({ width: WIDE, list: { conversations: many.slice(0, 7) } }));
    expect(screen.queryByRole('textbox', { name: 'Search titles and messages' })).toBeNull();
  });

  // spec: UI-14
  it('filters as one types', () => {
    drawPanel(fakeApp({ width: WIDE, list: { conversations: many } }));
    const box = screen.getByRole('textbox', { name: 'Search titles and messages' });
    fireEvent.change(box, { target: { value: 'c3' } });
    expect(screen.getAllByRole('option').map(row => row.getAttribute('aria-label'))).toEqual(['Title c3']);
  });

  // spec: UI-16, UI-118
  it('says of each row what its mark shows', () => {
    const conversations = [summary('w', { pending: approval() }), summary('r', { running: true }), summary('u'), summary('i')];
    drawPanel(fakeApp({ width: WIDE, list: { conversations, unread: new Set(['u']) } }));
    expect(screen.getAllByRole('option').map(row => row.getAttribute('aria-label'))).toEqual(['Title w, Waits for you', 'Title r, Working', 'Title u, New since you looked', 'Title i']);
  });

  // spec: UI-10
  it('opens the welcome of the master for a new conversation', () => {
    const app = fakeApp({ width: WIDE, list: { conversations: many } });
    drawPanel(app);
    fireEvent.click(within(screen.getByRole('navigation')).getByRole('button', { name: 'New conversation' }));
    expect(app.conversation.open).toHaveBeenCalledWith(null);
  });

  const menu = async (app: ReturnType<typeof fakeApp>, item: string): Promise<void> => {
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Actions for Title c1' }));
    fireEvent.click(screen.getByRole('menuitem', { name: item }));
    await settle();
  };

  // spec: UI-16, UI-17
  it('deletes only after asking, says that it cannot be undone, and opens the next one', async () => {
    const app = fakeApp({ width: WIDE, list: { conversations: [summary('c1'), summary('c2')] } });
    app.list.remove.mockResolvedValue('c2');
    await menu(app, 'Delete');
    await settle();
    expect(app.confirm).toHaveBeenCalledWith(expect.objectContaining({ body: 'Delete "Title c1"? This cannot be undone.', danger: true }));
    expect(app.list.remove).toHaveBeenCalledWith('c1');
    expect(app.conversation.open).toHaveBeenCalledWith('c2');
  });

  // spec: UI-16
  it('deletes nothing when the answer is no', async () => {
    const app = fakeApp({ width: WIDE, list: { conversations: [summary('c1')] } });
    app.confirm.mockResolvedValue(false);
    await menu(app, 'Delete');
    expect(app.list.remove).not.toHaveBeenCalled();
  });

  // spec: UI-16, UI-8
  it('renames, and says beside the list when that was refused', async () => {
    const app = fakeApp({ width: WIDE, list: { conversations: [summary('c1')] } });
    app.askText.mockResolvedValue(' A better title ');
    app.list.rename.mockRejectedValue(new Error('The title is too long.'));
    await menu(app, 'Rename');
    await settle();
    expect(app.list.rename).toHaveBeenCalledWith('c1', 'A better title');
    expect(screen.getByText('Not changed: The title is too long.')).toBeTruthy();
  });

  // spec: UI-118
  it('is worked by keyboard: one stop, arrows, Enter', () => {
    const app = fakeApp({ width: WIDE, list: { conversations: many } });
    drawPanel(app);
    const rows = screen.getAllByRole('option');
    expect(rows.map(row => row.tabIndex)).toEqual([-1, 0, -1, -1, -1, -1, -1, -1]);
    rows[1]?.focus();
    fireEvent.keyDown(rows[1] as HTMLElement, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(rows[2]);
    fireEvent.keyDown(rows[2] as HTMLElement, { key: 'Enter' });
    expect(app.conversation.open).toHaveBeenCalledWith('c2');
  });
});

describe('the drawer', () => {
  const open = (): ReturnType<typeof fakeApp> => {
    const app = fakeApp({ view: { items: [user('x')] }, list: { conversations: many.slice(0, 2) } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Conversations' }));
    return app;
  };

  // spec: UI-113, UI-114
  it('lies over the chat, which is inert, and closes with Escape; the focus goes back to its button', () => {
    const app = open();
    expect(screen.getByRole('dialog', { name: 'Conversations' })).toBeTruthy();
    expect(document.querySelector('main')?.hasAttribute('inert')).toBe(true);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Conversations' }));
    expect(app.layers.any).toBe(false);
  });

  // spec: UI-113
  it('closes with a touch outside and when a conversation is chosen', () => {
    const app = open();
    fireEvent.pointerDown(document.querySelector('.crew-scrim') as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Conversations' }));
    fireEvent.click(screen.getAllByRole('option')[0] as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(app.conversation.open).toHaveBeenCalledWith('c0');
  });

  // spec: UI-115
  it('opens at its search box when that is asked for', () => {
    const app = fakeApp({ view: { items: [user('x')] } });
    drawPanel(app);
    app.request({ type: 'open-search' });
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search titles and messages' }));
  });

  // spec: UI-116
  it('has the dot that something waits also in the name of its button', () => {
    const app = fakeApp({ view: { items: [user('x')] } });
    const now = app.activity.getSnapshot();
    app.activity.put({ ...now, view: { ...now.view, pending: 1 } });
    drawPanel(app);
    expect(screen.getByRole('button', { name: 'Conversations, something waits for you' }).querySelector('.crew-dot')).toBeTruthy();
  });

  // spec: UI-114, UI-103
  it('goes before the strip beneath when Escape is pressed', () => {
    const app = fakeApp({ view: { items: [user('x')] }, activity: { history: { c1: [run()] } } });
    app.device.setFlag('strip', 'open');
    drawPanel(app);
    const strip = (): string | null | undefined => document.querySelector('.crew-strip')?.getAttribute('aria-expanded');
    fireEvent.click(screen.getByRole('button', { name: 'Conversations' }));
    app.activity.put({ ...app.activity.getSnapshot(), history: { c1: [run({ summary: 'again' })] } });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect([screen.queryByRole('dialog'), strip()]).toEqual([null, 'true']);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(strip()).toBe('false');
    expect(app.device.flag('strip')).toBeNull();
  });
});
