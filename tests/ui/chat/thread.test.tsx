// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { blocksOf, segmentsOf } from '@crew/chat/thread/blocks';
import { AT_END, atEnd, grown, scrolled } from '@crew/chat/thread/follow';
import { toolBead, toolReason } from '@crew/chat/thread/tool-state';
import { notRunWords, plainName, shortArgument, toolWords } from '@crew/chat/thread/tool-words';
import { translate } from '@crew/shared/texts';
import type { ThreadItem } from '@crew/shared/view';
import { drawPanel, fakeApp, settle } from './app';
import { answer, approval, nested, run, tool, user } from './data';

const t = translate('en');
/** The tools that agents have: a row must not read "Used memory save". Canvases have texts of their own. */
const READY = ['workspace_list', 'workspace_read', 'workspace_write', 'workspace_edit', 'workspace_grep', 'workspace_glob', 'fetch_url', 'web_search', 'shell_run'].concat(
  ['memory_save', 'memory_search', 'conversation_search', 'user_memory_save', 'user_memory_forget', 'wiki_get', 'wiki_search', 'wiki_apply'],
  ['schedule_create', 'skill_read', 'image_read', 'pdf_read', 'ask_user', 'tool_output_read', 'progress_note', 'delegate']
);
const show = (...items: ThreadItem[]) => fakeApp({ view: { items } });

describe('following the end', () => {
  const place = (top: number, height = 1000, client = 400) => ({ top, height, client });
  const end = { ...AT_END, last: place(600) };

  // spec: UI-28
  it('stays at the end while the reader is there', () => {
    expect(grown(end, place(600, 1300))).toBe(900);
    expect(scrolled(end, place(590), true).following).toBe(true);
    expect(atEnd(place(600))).toBe(true);
  });

  // spec: UI-28
  it('ends when the reader goes up, and begins again at the end', () => {
    const up = scrolled(end, place(300), true);
    expect(up.following).toBe(false);
    expect(grown(up, place(300, 1300))).toBeNull();
    expect(scrolled(up, place(200, 1300), true).following).toBe(false);
    expect(scrolled(up, place(900, 1300), true).following).toBe(true);
  });

  // spec: UI-28, UI-30
  it('is not ended by anything but the hand: text drawn anew, a bar that appears', () => {
    expect(scrolled(end, place(420, 1000), false).following).toBe(true);
    expect(scrolled(end, place(500, 1200, 300), false).following).toBe(true);
  });

  // spec: UI-28
  it('offers "Latest" only away from the end', () => {
    const app = show(user('one'), answer('two'));
    drawPanel(app);
    const log = screen.getByRole('log');
    const size = { scrollHeight: 2000, clientHeight: 400 };
    for (const [name, value] of Object.entries(size)) {
      Object.defineProperty(log, name, { value, configurable: true });
    }
    log.scrollTop = 1600;
    fireEvent.scroll(log);
    expect(screen.queryByRole('button', { name: 'Latest' })).toBeNull();
    fireEvent.wheel(log);
    log.scrollTop = 900;
    fireEvent.scroll(log);
    fireEvent.click(screen.getByRole('button', { name: 'Latest' }));
    expect(log.scrollTop).toBe(1600);
    expect(screen.queryByRole('button', { name: 'Latest' })).toBeNull();
  });

  // spec: UI-30
  it('keeps what is drawn when the thread is replaced by the same messages', async () => {
    const app = show(user('one'), answer('two'));
    const { container } = drawPanel(app);
    await settle();
    const before = container.querySelector('.crew-text');
    app.show({ items: [user('one'), answer('two')] });
    expect(container.querySelector('.crew-text')).toBe(before);
  });
});

describe('the pieces of a thread', () => {
  // spec: UI-26, UI-43
  it('are in order: a steer stands inside the work it was inserted into', () => {
    const items = [user('q'), tool('a'), user('steered', { steered: true }), tool('b'), answer('done'), user('next')];
    const blocks = blocksOf(items);
    expect(blocks.map(block => block.kind)).toEqual(['user', 'work', 'user']);
    const work = blocks[1];
    expect(work?.kind === 'work' ? segmentsOf(work.items).map(one => one.kind) : null).toEqual(['steps', 'steer', 'steps', 'text']);
    const { container } = drawPanel(show(...items));
    expect(container.querySelector('.crew-user.steer')?.textContent).toContain('steered');
  });

  // spec: UI-26
  it('render answers with the renderer that is given, and words of the person as they are', async () => {
    const app = show(user('<b>mine</b>'), answer('**theirs**'));
    const { container } = drawPanel(app);
    await waitFor(() => expect(app.renderMarkdown).toHaveBeenCalledWith('**theirs**', expect.anything()));
    expect(container.querySelector('.crew-user b')).toBeNull();
    expect(container.querySelector('.crew-user')?.textContent).toContain('<b>mine</b>');
  });

  // spec: UI-26
  it('stand as plain text only until they are drawn, also when the writing ends with nothing new', async () => {
    const app = show(user('q'), answer('two\n\nparagraphs', { streaming: true }));
    const { container } = drawPanel(app);
    const text = (): Element | null => container.querySelector('.crew-text');
    expect(text()?.hasAttribute('data-plain')).toBe(true);
    await waitFor(() => expect(text()?.querySelector('p')).not.toBeNull());
    expect(text()?.hasAttribute('data-plain')).toBe(false);
    app.show({ items: [user('q'), answer('two\n\nparagraphs')] });
    await settle();
    expect(text()?.hasAttribute('data-plain')).toBe(false);
  });

  // spec: UI-27
  it('say that the agent thinks, and never what', () => {
    const app = fakeApp({ view: { items: [user('q')], running: true, thinking: true } });
    drawPanel(app);
    expect(screen.getByText('Thinking')).toBeTruthy();
    app.show({ thinking: false, items: [user('q'), answer('Now', { streaming: true })] });
    expect(screen.queryByText('Thinking')).toBeNull();
  });

  // spec: UI-38
  it('draw fallback, escalation and note as lines of their own', () => {
    drawPanel(
      show(
        user('q'),
        { kind: 'fallback', key: 'f', from_route: 'a:b', to_route: 'c:d', error: 'rate limit' },
        { kind: 'escalated', key: 'e', route: 'x:y', reason: 'loop' },
        { kind: 'note', key: 'n', text: 'Half way' }
      )
    );
    for (const words of ['c:d took over', 'A dearer model may answer now', 'Half way']) {
      expect(screen.getByText(words)).toBeTruthy();
    }
  });

  // spec: CMP-8
  it('say where the model began to read a summary, and that nothing was deleted', () => {
    drawPanel(show(user('q'), answer('a'), { kind: 'compacted', key: 'k1', tokens_before: 96000, tokens_after: 12000, text: 'S' }, answer('b')));
    expect(screen.getByText(/reads a summary of what stands above: about 96.?000 tokens became 12.?000\. Nothing was deleted/)).toBeTruthy();
  });

  // spec: UI-111
  it('leave out what they do not know', () => {
    const unknown = { kind: 'hologram', key: 'h' } as unknown as ThreadItem;
    drawPanel(show(user('q'), unknown, answer('a')));
    expect(screen.getByText('Master')).toBeTruthy();
  });

  it('hold only the last entries of a long thread in the document', () => {
    const items = Array.from({ length: 1000 }, (_, index) => [user(`q${index}`), answer(`a${index}`)]).flat();
    const { container } = drawPanel(show(...items));
    expect(container.querySelectorAll('.crew-entry').length).toBe(60);
    fireEvent.click(screen.getByRole('button', { name: 'Show earlier messages' }));
    expect(container.querySelectorAll('.crew-entry').length).toBe(120);
  });
});

describe('a tool card', () => {
  // spec: UI-31
  it.each([
    ['running', 'run', null],
    ['done', 'tool', null],
    ['waiting', 'wait', null],
    ['error', 'error', 'No such file'],
    ['refused', 'error', 'Not allowed: No such file'],
    ['denied', 'error', 'Denied: it did not run.'],
    ['expired', 'error', 'Expired: nobody decided in time, so it did not run.'],
    ['open', 'note', 'No answer was stored']
  ] as const)('in state %s has the bead %s', (state, bead, reason) => {
    expect(toolBead(state)).toBe(bead);
    expect(toolReason({ name: 'shell_run', state, output: 'No such file' }, t)).toBe(reason);
  });

  // spec: UI-31
  it.each(READY)('says in both languages what %s did', name => {
    for (const language of ['en', 'vi'] as const) {
      const say = translate(language);
      for (const running of [true, false]) {
        expect(toolWords(name, running, say)).not.toBe(say(running ? 'tool.other.running' : 'tool.other', { tool: plainName(name) }));
      }
    }
  });

  // spec: UI-31
  it('does not miss the answer of a call that waits its turn', () => {
    const before = tool('shell_run', { state: 'open', output: null });
    const later = tool('workspace_grep', { state: 'open', output: null });
    drawPanel(fakeApp({ view: { items: [user('old'), before, user('new'), later], pending: approval() } }));
    expect(screen.getAllByText('No answer was stored')).toHaveLength(1);
    expect(screen.getByText('Next: Searching files')).toBeTruthy();
  });

  // spec: UI-31, OUT-41
  it('does not say that a call was done which did not run', () => {
    expect(notRunWords('shell_run', t)).toBe('Did not run command');
    expect(notRunWords('shell_run', translate('vi'))).toBe('Không chạy lệnh');
    expect(notRunWords('mcp__lab__take_sample', t)).toBe('Did not use lab: take sample');
  });

  // spec: UI-31
  it('names the tool in words, also one it does not know', () => {
    expect(toolWords('workspace_read', true, t)).toBe('Reading file');
    expect(toolWords('workspace_read', false, t)).toBe('Read file');
    expect(toolWords('mcp__lab__take_sample', false, t)).toBe('Used lab: take sample');
    expect(toolWords('other', false, t)).toBe('Used other');
    expect(shortArgument({ content: 'x', path: 'a.md' })).toBe('a.md');
    expect(shortArgument({})).toBe('');
    expect(shortArgument('{"broken').length).toBeLessThanOrEqual(80);
  });

  const row = (): HTMLElement => document.querySelector('.crew-step button.line') as HTMLElement;

  // spec: UI-31
  it('shows duration and price when known, and is folded until it is opened', () => {
    const { container } = drawPanel(show(user('q'), tool('workspace_read', { arguments: { path: 'a.md' }, output: 'the whole text', ms: 1234, cost_usd: 0.0123 })));
    expect(container.querySelector('.crew-step .m')?.textContent).toBe('1.2 s, $0.0123');
    expect(row().getAttribute('aria-expanded')).toBe('false');
    expect(container.textContent).not.toContain('the whole text');
    fireEvent.click(row());
    expect(container.textContent).toContain('the whole text');
    fireEvent.click(screen.getByRole('button', { name: 'Hide result' }));
    expect(container.textContent).not.toContain('the whole text');
    fireEvent.click(screen.getByRole('button', { name: 'Show result' }));
    expect(container.textContent).toContain('the whole text');
  });

  // spec: OUT-41, UI-31
  it('shows a reason at once, whole, without a click', () => {
    const reason = `It failed because ${'very '.repeat(60)}much was wrong`;
    const { container } = drawPanel(show(user('q'), tool('workspace_read', { state: 'error', output: reason })));
    expect(container.querySelector('.crew-why > div')?.textContent).toBe(reason);
    expect(container.querySelector('.crew-why pre')).toBeNull();
    expect(row().getAttribute('aria-expanded')).toBe('false');
  });

  // spec: OUT-41
  it('folds a reason by "Hide result" and opens it again', () => {
    const { container } = drawPanel(show(user('q'), tool('workspace_read', { state: 'error', output: 'No such file.' })));
    const why = (): string => container.querySelector('.crew-why')?.textContent ?? '';
    expect(why()).toContain('No such file.');
    fireEvent.click(screen.getByRole('button', { name: 'Hide result' }));
    expect(why()).not.toContain('No such file.');
    fireEvent.click(screen.getByRole('button', { name: 'Show result' }));
    expect(why()).toContain('No such file.');
  });

  // spec: OUT-41
  it('shows a failure longer than a run keeps complete in a scrolling box, open', () => {
    const reason = 'x'.repeat(601);
    const { container } = drawPanel(show(user('q'), tool('workspace_read', { state: 'refused', output: reason })));
    expect(container.querySelector('.crew-why pre.crew-code')?.textContent).toContain(reason);
  });

  // spec: OUT-36
  it.each([
    ['structure', 'arrays and long strings of 54,321 characters'],
    ['summary', 'a summary of the middle of 54,321 characters'],
    ['cut', 'the beginning of 54,321 characters']
  ] as const)('says in words how a result was shortened (%s)', (shortened, words) => {
    drawPanel(show(user('q'), tool('workspace_read', { output: 'short', shortened, original_chars: 54_321 })));
    fireEvent.click(row());
    expect(screen.getByText(`Shortened for the model: ${words}`)).toBeTruthy();
  });

  // spec: UI-31, UI-60
  it('opens long arguments word for word with "Show all"', () => {
    const content = 'x'.repeat(2000);
    const { container } = drawPanel(show(user('q'), tool('workspace_write', { arguments: { path: 'a.md', content } })));
    fireEvent.click(row());
    expect(container.textContent).not.toContain(content);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect([...container.querySelectorAll('.crew-kv dd')].map(one => one.textContent)).toEqual(['a.md', content]);
  });

  // spec: UI-32
  it('of a script counts its calls in one line, lists them as they end, and folds when it is done', () => {
    const calls = [nested('workspace_read'), nested('workspace_read', false)];
    const app = fakeApp({ view: { running: true, items: [user('q'), tool('tool_script', { state: 'running', output: null, ms: null, calls })] } });
    const { container } = drawPanel(app);
    expect(container.querySelectorAll('.crew-nest li').length).toBe(2);
    expect(container.querySelector('.crew-nest .bad .crew-why > div')?.textContent).toBe('footer is missing');
    expect(screen.getByText('2 calls so far, 1 failed')).toBeTruthy();
    app.show({ running: false, items: [user('q'), tool('tool_script', { calls, received_chars: 1842310, printed_chars: 1412 })] });
    expect(container.querySelectorAll('.crew-nest li').length).toBe(0);
    expect(screen.getByText('2 calls, 1 failed')).toBeTruthy();
    fireEvent.click(row());
    expect(screen.getByText('Received 1,842,310 characters, printed 1,412')).toBeTruthy();
  });

  // spec: UI-32
  it('shows live output of a cell while it runs', () => {
    const { container } = drawPanel(fakeApp({ view: { running: true, items: [user('q'), tool('eval', { state: 'running', output: null, stream: 'epoch 1\n' })] } }));
    expect(container.querySelector('.crew-code')?.textContent).toBe('epoch 1\n');
  });

  // spec: UI-34
  it('opens the canvas that a result names in its first line', () => {
    const app = show(user('q'), tool('artifact_edit', { output: '[artifact lag v4]' }));
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Open canvas lag, version 4' }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { id: 'lag', version: 4 });
  });
});

describe('the end of a turn', () => {
  // spec: UI-39
  it.each([
    ['budget', 'The cap is reached'],
    ['max_steps', 'Stopped at the round limit'],
    ['loop', 'Stopped because it repeated itself'],
    ['nested_calls', 'Stopped because the calls of a script are used up']
  ])('says why it was halted (%s)', (reason, said) => {
    drawPanel(fakeApp({ view: { items: [user('q')], end: { type: 'halted', run_id: 'r', reason, cost_usd: 1 } } }));
    expect(screen.getByText(said)).toBeTruthy();
  });

  // spec: UI-39, UI-50, UI-19
  it('has the place to raise the cap by a step when the cap is reached', () => {
    const app = fakeApp({ view: { items: [user('q')], spent_usd: 2.01, end: { type: 'halted', run_id: 'r', reason: 'budget', cost_usd: 1 } }, conversation: { lock: 'cap' } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Raise to $4.00' }));
    expect(app.conversation.raiseCap).toHaveBeenCalledWith(4);
  });

  // spec: UI-39
  it('shows message and code of an error, and sends the same words again', () => {
    const app = fakeApp({ view: { items: [user('my question'), answer('')], end: { type: 'error', run_id: 'r', code: 'routes_failed', message: 'the key is not valid' } } });
    drawPanel(app);
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('the key is not valid');
    expect(alert.textContent).toContain('routes_failed');
    fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
    expect(app.conversation.send).toHaveBeenCalledWith('my question');
  });

  // spec: PTL-63, UI-38
  it('offers suggestions, and sends the message of the one that is chosen', () => {
    const app = fakeApp({ view: { items: [user('q'), answer('a')], end: { type: 'done', run_id: 'r1', cost_usd: 0.2, suggestions: [{ label: 'Go on', message: 'Go on with station 16' }] } } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
    expect(app.conversation.send).toHaveBeenCalledWith('Go on with station 16');
  });

  // spec: UI-40
  it('says of a turn that goes on after a restart that it does', () => {
    const app = fakeApp({ view: { items: [user('q')], running: true }, activity: { history: { c1: [run({ resumed: true })] } } });
    drawPanel(app);
    expect(screen.getByText('Continued after the server restarted')).toBeTruthy();
    app.show({ running: false });
    expect(screen.queryByText('Continued after the server restarted')).toBeNull();
  });

  it('has its figures and Copy under the answer', () => {
    const ended = run({ status: 'done', started_at: '2026-11-30T14:00:00Z', ended_at: '2026-11-30T14:06:20Z', cost_usd: 0.2684 });
    const app = fakeApp({ view: { items: [user('q'), answer('the answer')], end: { type: 'done', run_id: 'r1', cost_usd: 0.2684, suggestions: [] } }, activity: { history: { c1: [ended] } } });
    const { container } = drawPanel(app);
    expect(container.querySelector('.crew-acts')?.textContent).toContain('0 steps, 6 m 20 s, $0.2684');
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(app.copy).toHaveBeenCalledWith('the answer');
  });
});

describe('a screen reader', () => {
  // spec: UI-119
  it('hears a finished answer whole, and not the text while it comes', () => {
    const app = fakeApp({ view: { running: true, items: [user('q'), answer('The beg', { key: 'a', streaming: true })] } });
    drawPanel(app);
    const said = (): string => document.querySelector('.crew-view > [role="status"]')?.textContent ?? '';
    expect(screen.getByRole('log').getAttribute('aria-live')).toBe('off');
    expect(said()).toBe('');
    app.show({ items: [user('q'), answer('The beginning and the end', { key: 'a' })], running: false });
    expect(said()).toBe('The beginning and the end');
  });

  // spec: UI-118
  it('walks the thread by keyboard: one stop, arrows, Enter goes inside, Escape comes out', () => {
    drawPanel(show(user('one'), tool('workspace_read'), answer('two')));
    const log = screen.getByRole('log');
    const entries = [...log.querySelectorAll<HTMLElement>('.crew-entry')];
    log.focus();
    fireEvent.keyDown(log, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(entries[1]);
    fireEvent.keyDown(entries[1] as HTMLElement, { key: 'Enter' });
    expect(document.activeElement?.className).toBe('line');
    fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Escape' });
    expect(document.activeElement).toBe(entries[1]);
    fireEvent.keyDown(entries[1] as HTMLElement, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(entries[0]);
  });
});

describe('a message of the person', () => {
  // spec: UI-54, KIT-10
  it('of a command shows what was typed, and the full text when it is asked for', () => {
    drawPanel(fakeApp({ view: { items: [user('Look at branch main with care.', { typed: '/review main' })] } }));
    expect(screen.getByText('/review main')).toBeTruthy();
    expect(screen.queryByText('Look at branch main with care.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show the full text' }));
    expect(screen.getByText('Look at branch main with care.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Hide the full text' }));
    expect(screen.queryByText('Look at branch main with care.')).toBeNull();
  });

  // spec: PTL-91, UI-52
  it('shows the files it brought', () => {
    drawPanel(fakeApp({ conversation: { id: 'c1' }, view: { items: [user('', { files: [{ id: 'att_1', name: 'a b.csv', type: 'text/csv', size: 8 }] })] } }));
    expect(screen.getByRole('link', { name: 'a b.csv' }).getAttribute('href')).toBe('conversations/c1/attachments/att_1');
    expect(screen.queryByRole('button', { name: 'Show the full text' })).toBeNull();
  });
});
