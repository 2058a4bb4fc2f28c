// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LiveModel } from '@crew/widgets/live/model';
import { renderMarkdown } from '@crew/widgets/live/markdown';
import type { Base } from '@crew/widgets/live/wire';
import { View as Approvals } from '@crew/widgets/approvals/View';
import type { Shown as ApprovalsState } from '@crew/widgets/approvals/state';
import type { Shown as StoreState } from '@crew/widgets/store/shelf';
import { View as Store } from '@crew/widgets/store/View';
import { KernelConversation } from '@crew/widgets/chat/conversation';
import type { Shown as ChatState } from '@crew/widgets/chat/state';
import { emptyConversation } from '@crew/shared/conversation';
import { Model, Timers } from './model';

afterEach(cleanup);
beforeAll(() => {
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
});

const EVIL = '<img src=x onerror="window.pwned=1">';
const HEAD: Base = { v: 1, at: '2026-01-01T00:00:30+00:00', language: 'en', offline: null };

function approval(more: Record<string, unknown> = {}): ApprovalsState['pending'][number] {
  const soon = new Date(Date.now() + 600_000).toISOString();
  return {
    id: 'ap_1', conversation_id: 'c_1', agent_id: 'master', run_id: 'r_1', call_id: 't1', kind: 'tool', tool: 'workspace_write',
    arguments: { path: 'a.txt', content: `${'x'.repeat(900)}${EVIL} the last word`, mode: 'w' }, reason: null, summary: null, again: false, status: 'pending',
    nested_in: null, context: null, read_before: null, question: null, options: [], default: null, allow_free_text: true, multi_select: false,
    always: false, answer: null, labels: [], skipped: false, created_at: new Date().toISOString(), expires_at: soon, decided_at: null, preview: null, ...more
  } as unknown as ApprovalsState['pending'][number];
}

function live<S extends Base>(state: S): { model: Model; timers: Timers; live: LiveModel<S> } {
  const model = new Model({ state });
  const timers = new Timers();
  return { model, timers, live: new LiveModel<S>(model, timers) };
}

function say(model: Model, message: unknown): void {
  act(() => model.tell('msg:custom', message));
}

describe('approvals in a notebook', () => {
  const state = (pending: ApprovalsState['pending']): ApprovalsState => ({ ...HEAD, pending, hidden: 0, decided: [], agents: [{ id: 'master', name: 'Minh', master: true }], dropped: 0 });
  const show = (pending: ApprovalsState['pending']): ReturnType<typeof live<ApprovalsState>> => {
    const made = live(state(pending));
    render(<Approvals model={made.live} />);
    act(() => made.live.start());
    return made;
  };

  // spec: GATE-31, UI-161
  it('shows every argument to its last word, as text', () => {
    const { model } = show([approval()]);
    say(model, { type: 'state', state: state([approval()]) });
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(document.body.textContent).toContain(`${EVIL} the last word`);
    expect(document.querySelectorAll('img')).toHaveLength(0);
  });

  // spec: GATE-33, UI-161
  it('has no "always" on a card with a reason, nor on a question', () => {
    const { model } = show([]);
    say(model, { type: 'state', state: state([approval(), approval({ id: 'ap_2', reason: 'asks every time' }), approval({ id: 'ap_3', kind: 'question', question: 'Which?' })]) });
    const always = screen.getAllByRole('group').map(card => within(card).queryAllByRole('button', { name: /^Always/ }).length);
    expect(always).toEqual([1, 0, 0]);
  });

  // spec: UI-159, UI-63
  it('decides through the kernel and says why a decision did not count', async () => {
    const { model } = show([approval()]);
    say(model, { type: 'state', state: state([approval()]) });
    fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Deny' }).disabled).toBe(true);
    const asked = model.sent.at(-1) as { id: number };
    expect(asked).toMatchObject({ action: 'decide', approval: 'ap_1', decision: 'approve', always: false });
    const error = { code: 'not_pending', status: 409, message: '', fields: { status: 'approved' } };
    await act(async () => model.tell('msg:custom', { type: 'answer', id: asked.id, action: 'decide', error, value: null }));
    expect(screen.getAllByRole('alert').map(one => one.textContent).join()).toContain('Already decided');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Deny' }).disabled).toBe(false);
  });

  // spec: UI-160
  it('shows its last state with its time and its buttons off when no kernel answers', () => {
    const { timers } = show([approval()]);
    act(() => timers.pass());
    expect(document.body.textContent).toMatch(/State of \d\d:\d\d/);
    for (const name of ['Approve', 'Deny', 'Always allow in this conversation']) {
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled, name).toBe(true);
    }
    fireEvent.click(screen.getByRole('button', { name: 'Show all' })); // reading is no action
    expect(document.body.textContent).toContain('the last word');
  });
});

describe('the script store in a notebook', () => {
  const entry = { key: 'a\u200b', chars: 3, preview: '[1]', updated_at: '2026-01-01T00:00:00+00:00' };
  const namespace = { namespace: 'job:due', kind: 'job' as const, ref: 'due', title: null, orphan: true, chars: 90, entries: [entry] };
  const state: StoreState = { ...HEAD, agent: 'scout', limit_chars: 100, namespaces: [namespace], agents: [], dropped: 0 };
  const show = async (): Promise<ReturnType<typeof live<StoreState>>> => {
    const made = live(state);
    render(<Store model={made.live} />);
    await act(async () => made.live.start());
    await act(async () => made.model.tell('msg:custom', { type: 'state', state }));
    return made;
  };
  const answer = (model: Model, more: object): Promise<void> => {
    const { id, action } = model.sent.at(-1) as { id: number; action: string };
    return act(async () => model.tell('msg:custom', { type: 'answer', id, action, error: null, value: null, ...more }));
  };

  // spec: STO-47, STO-55
  it('shows the same list as the manager: fill, what is no longer used, keys as they are written', async () => {
    await show();
    const region = screen.getByRole('region', { name: 'job:due' });
    for (const words of ['No longer used', '90 of 100 characters', 'Nearly full', 'a[U+200B]', '[1]']) {
      expect(region.textContent).toContain(words);
    }
    expect(within(region).queryByRole('button', { name: 'due' })).toBeNull();
  });

  // spec: STO-51, STO-54, STO-55
  it('asks before it deletes, naming what, and reports how many', async () => {
    const { model } = await show();
    const before = model.sent.length;
    fireEvent.click(screen.getByRole('button', { name: 'Delete "a[U+200B]"' }));
    expect(screen.getByRole('alertdialog', { name: 'Delete "a[U+200B]"?' })).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' })));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(model.sent).toHaveLength(before);
    fireEvent.click(screen.getByRole('button', { name: 'Delete all in "job:due"' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Delete the one value in "job:due"?' });
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Delete all' })));
    expect(model.sent.at(-1)).toMatchObject({ action: 'delete', namespace: 'job:due', all: true });
    await answer(model, { value: { deleted: 1 } });
    expect(screen.getByRole('status').textContent).toBe('1 value deleted in "job:due".');
  });

  // spec: STO-50, STO-55
  it('reads a whole value through the kernel, and says when the key is gone', async () => {
    const { model } = await show();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show value of "a[U+200B]"' })));
    expect(model.sent.at(-1)).toMatchObject({ action: 'value', namespace: 'job:due', key: 'a\u200b' });
    await answer(model, { value: { ...entry, namespace: 'job:due', text: JSON.stringify([EVIL]) } });
    expect(document.querySelector('pre.crew-code')?.textContent).toBe(`[\n  ${JSON.stringify(EVIL)}\n]`);
    expect(document.querySelectorAll('img')).toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: 'Hide value of "a[U+200B]"' }));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show value of "a[U+200B]"' })));
    await answer(model, { error: { code: 'value_not_found', status: 404, message: '', fields: {} } });
    expect(screen.getByRole('status').textContent).toBe('The key "a[U+200B]" no longer exists; the list was read again.');
  });

  // spec: UI-160
  it('deletes nothing when no kernel answers', async () => {
    const { timers } = await show();
    cleanup();
    const still = live(state);
    render(<Store model={still.live} />);
    await act(async () => still.live.start());
    act(() => still.timers.pass());
    act(() => timers.pass());
    expect(document.body.textContent).toMatch(/State of \d\d:\d\d/);
    expect(document.querySelector('fieldset')?.disabled).toBe(true);
  });
});

describe('the conversation of a chat in a notebook', () => {
  const state = (more: Partial<ChatState> = {}): ChatState => ({ ...HEAD, ...emptyConversation(), id: 'c_1', gone: false, agent: null, agents: [], dropped: 0, ...more });

  // spec: UI-48, UI-49
  it('keeps words that did not go out, and sends them again under the same name', async () => {
    const { model, live: made } = live(state());
    const talk = new KernelConversation(made);
    made.start();
    say(model, { type: 'state', state: state() });
    const first = talk.send('Hi');
    const asked = model.sent.at(-1) as { id: number; request_id: string };
    expect(asked.request_id).toMatch(/^[0-9a-f]{32}$/);
    say(model, { type: 'answer', id: asked.id, action: 'send', error: { code: 'server_gone', status: 0, message: 'gone', fields: {} }, value: null });
    expect(await first).toBe('refused');
    expect(talk.getSnapshot().unsent).toMatchObject({ text: 'Hi', again: true });
    const second = talk.sendAgain();
    const again = model.sent.at(-1) as { id: number; request_id: string };
    expect(again.request_id).toBe(asked.request_id);
    say(model, { type: 'answer', id: again.id, action: 'send', error: null, value: { status: 'started' } });
    expect(await second).toBe('started');
  });

  // spec: FQ-4
  it('does not send what would break the connection with the kernel', async () => {
    const { model, live: made } = live(state());
    const talk = new KernelConversation(made);
    made.start();
    expect(await talk.send('x'.repeat(1_000_001))).toBe('refused');
    expect(model.sent).toEqual([{ type: 'ready' }]);
    expect(talk.getSnapshot().unsent).toMatchObject({ again: false, failure: { code: 'text_too_long' } });
  });
});

describe('markdown in a notebook', () => {
  // spec: UI-26, UI-156
  it('runs nothing, fetches nothing, and leads only to websites', async () => {
    const host = document.createElement('div');
    const hostile = `${EVIL}<script>window.pwned=2</script><svg onload="window.pwned=3"></svg><iframe src="https://e.vil"></iframe><style>*{display:none}</style>`;
    await renderMarkdown(`**bold** ${hostile}\n\n![pic](https://e.vil/p.png) ![own](api/x.png) [a](javascript:window.pwned=4) [b](https://example.org) <a class="crew-btn" id="x" href="/lab">c</a>\n\n\`\`\`python\nx\n\`\`\``, host);
    expect(host.querySelectorAll('img, script, svg, iframe, style, [onerror], [onload], [style], [id]')).toHaveLength(0);
    expect([...host.querySelectorAll('a[href]')].map(link => link.getAttribute('href'))).toEqual(['https://e.vil/p.png', 'https://example.org']);
    expect([...host.querySelectorAll('.jp-RenderedHTMLCommon [class]')].map(one => one.className)).toEqual(['language-python']);
    expect(host.querySelector('strong')?.textContent).toBe('bold');
  });
});
