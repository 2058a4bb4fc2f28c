// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { piecesOf } from '@crew/chat/list/snippet';
import type { SearchResult } from '@crew/shared/contract';
import { drawPanel, fakeApp, settle } from './app';
import { summary, user } from './data';

const WIDE = 1200;
const many = Array.from({ length: 8 }, (_, index) => summary(`c${index}`));

function hit(changes: Partial<SearchResult> = {}): SearchResult {
  return {
    conversation_id: 'c1',
    agent_id: 'master',
    agent_name: 'Master',
    title: 'Tides',
    message_id: 7,
    role: 'user',
    snippet: 'the \u0002harbour\u0003 <b>wall</b>',
    created_at: '2026-11-30T14:02:00+00:00',
    ...changes
  };
}

describe('pieces of a snippet', () => {
  it.each([
    ['a \u0002b\u0003 c', ['a ', '[b]', ' c']],
    ['\u0002b\u0003', ['[b]']],
    ['a \u0002b', ['a ', '[b]']],
    ['a\u0003 b', ['a', ' b']],
    ['', []]
  ])('of %j', (snippet, pieces) => {
    expect(piecesOf(snippet).map(piece => (piece.marked ? `[${piece.text}]` : piece.text))).toEqual(pieces);
  });
});

describe('the search of the list', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: false }));
  afterEach(() => void vi.useRealTimers());

  const draw = (hits: readonly SearchResult[] = [hit()], parts: Parameters<typeof fakeApp>[0] = {}) => {
    const app = fakeApp({ width: WIDE, list: { conversations: many, loading: 'ready' }, ...parts });
    app.list.search.mockResolvedValue(hits);
    drawPanel(app);
    return app;
  };
  const type = (value: string): void => void fireEvent.change(screen.getByRole('textbox', { name: 'Search titles and messages' }), { target: { value } });
  const pause = async (ms = 300): Promise<void> => {
    act(() => void vi.advanceTimersByTime(ms));
    await settle();
  };

  // spec: UI-14
  it('asks the server 300 ms after the last key, and titles are filtered at once', async () => {
    const app = draw();
    type('c');
    await pause(200);
    type('c3 ');
    expect(screen.getAllByRole('option').map(row => row.getAttribute('aria-label'))).toEqual(['Title c3']);
    await pause(299);
    expect(app.list.search).not.toHaveBeenCalled();
    await pause(1);
    expect(app.list.search.mock.calls.map(call => call[0])).toEqual(['c3']);
    expect(screen.getByRole('group', { name: 'In messages' })).toBeTruthy();
  });

  // spec: UI-14, FTS-9
  it('shows matches as marks built from text, never as markup', async () => {
    draw();
    type('harbour');
    await pause();
    const section = screen.getByRole('group', { name: 'In messages' });
    expect(section.querySelector('mark')?.textContent).toBe('harbour');
    expect(section.querySelector('b')).toBeNull();
    expect(section.textContent).toContain('the harbour <b>wall</b>');
    expect(section.textContent).toContain('Tides');
  });

  // spec: UI-14
  it('names another agent than the current one, and opens that very conversation', async () => {
    const app = draw([hit(), hit({ message_id: 8, agent_id: 'coder', agent_name: 'Coder', conversation_id: 'c99' })], { view: { items: [user('q')] } });
    type('harbour');
    await pause();
    const rows = within(screen.getByRole('group', { name: 'In messages' })).getAllByRole('option');
    expect(rows.map(row => /Coder/.test(row.textContent ?? ''))).toEqual([false, true]);
    fireEvent.click(rows[0] as HTMLElement);
    expect(app.conversation.open).toHaveBeenCalledWith('c1');
    fireEvent.keyDown(rows[1] as HTMLElement, { key: 'Enter' });
    expect(app.conversation.openChild).toHaveBeenCalledWith('c99'); // not in the list: with a way back
  });

  // spec: UI-15
  it('says nothing of no results when texts match, and says it when nothing does', async () => {
    const app = draw();
    type('harbour');
    expect(screen.queryByText(/Nothing found/)).toBeNull(); // not before the server has answered
    await pause();
    expect(screen.queryByText(/Nothing found/)).toBeNull();
    expect(screen.getByRole('group', { name: 'In messages' })).toBeTruthy();
    app.list.search.mockResolvedValue([]);
    type('nowhere');
    await pause();
    expect(screen.getByText('Nothing found for "nowhere".')).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'In messages' })).toBeNull();
  });

  // spec: UI-14
  it('never shows the answer to older words', async () => {
    const app = draw();
    let late: (hits: SearchResult[]) => void = () => undefined;
    app.list.search.mockImplementationOnce(() => new Promise(resolve => (late = resolve)));
    type('old');
    await pause();
    app.list.search.mockResolvedValue([hit({ snippet: 'new words' })]);
    type('new');
    await pause();
    late([hit({ snippet: 'old words' })]);
    await settle();
    expect(app.list.search.mock.calls[0]?.[1].aborted).toBe(true);
    expect(screen.queryByText('old words')).toBeNull();
    expect(screen.getByText('new words')).toBeTruthy();
    type('');
    expect(screen.queryByText('new words')).toBeNull();
  });

  // spec: UI-8
  it('says when the messages could not be searched', async () => {
    const app = draw();
    app.list.search.mockRejectedValue(new Error('The server is starting.'));
    type('harbour');
    await pause();
    expect(screen.getByText('Messages were not searched: The server is starting.')).toBeTruthy();
    expect(screen.queryByText(/Nothing found/)).toBeNull();
  });

  // spec: UI-118
  it('is worked by keyboard: arrows lead from titles to messages, and Tab stops at the first hit when no title is left', async () => {
    draw();
    type('c3');
    await pause();
    const rows = screen.getAllByRole('option');
    expect(rows).toHaveLength(2);
    rows[0]?.focus();
    fireEvent.keyDown(rows[0] as HTMLElement, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(rows[1]);
    type('harbour');
    await pause();
    expect(screen.getAllByRole('option').map(row => row.tabIndex)).toEqual([0]);
  });
});
