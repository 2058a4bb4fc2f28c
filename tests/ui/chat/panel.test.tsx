// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { drawPanel, fakeApp, settle } from './app';
import { agent, answer, run, step, summary, tool, user } from './data';

const LAYOUT = { wide: ['.crew-side', '.crew-column'], narrow: ['.crew-head:not(.wide)', '.crew-strip'] };
const there = (container: HTMLElement, parts: readonly string[]): boolean[] => parts.map(part => container.querySelector(part) !== null);
const working = (width: number) => fakeApp({ width, view: { items: [user('q')], running: true }, activity: { history: { c1: [run()] } } });

describe('the layout', () => {
  // spec: UI-12, UI-65
  it.each([
    [900, 'wide'],
    [899, 'narrow'],
    [360, 'narrow']
  ] as const)('at %i px is %s, and only that one is in the document', (width, name) => {
    const { container } = drawPanel(working(width));
    expect(there(container, LAYOUT[name])).toEqual([true, true]);
    expect(there(container, LAYOUT[name === 'wide' ? 'narrow' : 'wide'])).toEqual([false, false]);
  });

  // spec: UI-12
  it('follows the width of the widget; a hidden widget keeps what it had and the draft is not lost', () => {
    const app = working(1200);
    const { container } = drawPanel(app);
    fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'half a thought' } });
    act(() => app.width.put(0));
    expect(there(container, LAYOUT.wide)).toEqual([true, true]);
    act(() => app.width.put(400));
    expect(there(container, LAYOUT.narrow)).toEqual([true, true]);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('half a thought');
  });

  // spec: UI-65
  it('holds the place of the column before the first run, while the strip comes with it', () => {
    const wide = drawPanel(fakeApp({ width: 1200, conversation: { id: null } }));
    expect(screen.getByText('Steps appear here while the crew works.')).toBeTruthy();
    wide.unmount();
    const { container } = drawPanel(fakeApp({ width: 400, view: { items: [user('q')] } }));
    expect(container.querySelector('.crew-strip')).toBeNull();
  });
});

describe('faults', () => {
  // spec: UI-8
  it.each([
    ['home_locked', 'The home of the crew is in use'],
    ['config_invalid', 'The configuration cannot be read']
  ])('%s turns the panel into one card with the message of the server', (code, title) => {
    const { container } = drawPanel(fakeApp({ blocked: { code, message: 'agent.yaml, line 3: unknown key "modle"' } }));
    expect(screen.getByRole('alert').textContent).toContain(title);
    expect(screen.getByText('agent.yaml, line 3: unknown key "modle"')).toBeTruthy();
    expect(container.querySelector('textarea, .crew-head')).toBeNull();
  });

  // spec: UI-109, UI-110
  it('a crash of the thread leaves composer and header; the card copies the message and no output', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const app = fakeApp({ view: { items: [user('q'), answer('SECRET OUTPUT')] } });
    const { container } = drawPanel(app);
    const broken = Object.defineProperty(tool('workspace_read'), 'calls', {
      get: () => {
        throw new Error('calls is not there');
      }
    });
    app.show({ items: [user('q'), broken] });
    expect(screen.getByText('calls is not there')).toBeTruthy();
    expect(container.querySelector('textarea')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Copy details' }));
    const copied = String(app.copy.mock.calls[0]?.[0 as never]);
    expect(copied).toContain('calls is not there');
    expect(copied).not.toContain('SECRET OUTPUT');
    app.show({ items: [user('q')] });
    fireEvent.click(screen.getByRole('button', { name: 'Draw again' }));
    expect(screen.queryByText('calls is not there')).toBeNull();
    vi.restoreAllMocks();
  });

  // spec: UI-112
  it('says since when there is no connection, lets one write, and goes without a word', () => {
    const since = new Date();
    since.setHours(14, 31, 0, 0);
    const app = fakeApp({ view: { items: [user('q')] }, connection: { status: 'offline', offlineSince: since.getTime(), transport: null, opens: 1 } });
    drawPanel(app);
    expect(screen.getByText('No connection to the server since 14:31. You can go on writing.')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Message' })).toBeTruthy();
    act(() => app.connection.put({ status: 'open', offlineSince: null, transport: 'socket', opens: 2 }));
    expect(screen.queryByText(/No connection/)).toBeNull();
  });

  // spec: UI-8
  it('a conversation that cannot be loaded says why and can be read again', () => {
    const failure = { code: 'internal', status: 500, message: 'The store is busy.', fields: {} };
    const app = fakeApp({ conversation: { loading: 'failed', failure } });
    drawPanel(app);
    expect(screen.getByText('The store is busy.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(app.conversation.reload).toHaveBeenCalled();
  });
});

describe('a conversation that is gone', () => {
  // spec: UI-134
  it('is a sentence and a way on, not an error', () => {
    const app = fakeApp({ conversation: { gone: true } });
    drawPanel(app);
    expect(screen.getByText('This conversation is no longer there.')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(document.querySelector('.crew-fault button') as HTMLElement);
    expect(app.conversation.open).toHaveBeenCalledWith(null);
  });
});

describe('loading', () => {
  it('shows nothing for 300 ms, then grey bars, after 5 s words', () => {
    vi.useFakeTimers();
    const { container } = drawPanel(fakeApp({ conversation: { loading: 'loading' } }));
    expect(container.querySelector('.crew-skel')).toBeNull();
    act(() => void vi.advanceTimersByTime(300));
    expect(container.querySelector('.crew-skel')?.textContent).toBe('');
    act(() => void vi.advanceTimersByTime(4700));
    expect(screen.getByText('Still loading')).toBeTruthy();
    vi.useRealTimers();
  });
});

describe('the header', () => {
  const pill = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

  // spec: UI-18, UI-25, UI-125
  it('has the title and three pills; the figure follows what was spent', () => {
    const app = fakeApp({ view: { items: [user('q')], spent_usd: 0.1443 } });
    drawPanel(app);
    expect(screen.getByRole('heading', { name: 'Title c1' })).toBeTruthy();
    expect([pill(/^Spending/), pill(/^Options/), pill(/^Crew/)].map(one => one.getAttribute('aria-label'))).toEqual(['Spending: $0.1443 of $2.00', 'Options', 'Crew: 1']);
    app.show({ spent_usd: 1.5 });
    expect(pill(/^Spending/).getAttribute('aria-label')).toBe('Spending: $1.50 of $2.00');
  });

  // spec: EST-4
  it('spending: an estimate is marked, with the number of its calls', () => {
    drawPanel(fakeApp({ view: { items: [user('q')], spent_usd: 0.5, estimated_cost_calls: 3 } }));
    fireEvent.click(pill(/^Spending/));
    const card = screen.getByRole('dialog');
    expect(card.textContent).toContain('≈ $1.50 of');
    expect(card.textContent).toContain('Estimated prices');
    expect(card.textContent).toContain('3 calls');
  });

  // spec: UI-19, UI-23
  it('spending: what is left, delegated work, unknown prices, raise by a step or an amount, 0 removes the cap', async () => {
    const app = fakeApp({ view: { items: [user('q')], spent_usd: 0.5, unknown_cost_calls: 2 } });
    drawPanel(app);
    fireEvent.click(pill(/^Spending/));
    const card = screen.getByRole('dialog');
    const lines = [...card.querySelectorAll('.crew-line')].map(line => [...line.querySelectorAll(':scope > span:not(.crew-i)')].map(part => part.textContent));
    expect(lines).toEqual([
      ['Left of the cap', '$1.50 of $2.00'],
      ['By delegated work', '$0.0000'],
      ['Price unknown', '2 calls']
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Raise to $4.00' }));
    expect(app.conversation.raiseCap).toHaveBeenLastCalledWith(4);
    const amount = screen.getByRole('textbox', { name: 'Other amount' });
    fireEvent.change(amount, { target: { value: 'much' } });
    fireEvent.click(screen.getByRole('button', { name: 'Set' }));
    expect(screen.getByRole('alert').textContent).toContain('Not an amount');
    expect(app.conversation.raiseCap).toHaveBeenCalledTimes(1);
    fireEvent.change(amount, { target: { value: '0' } });
    fireEvent.click(screen.getByRole('button', { name: 'Set' }));
    await settle();
    expect(app.conversation.raiseCap).toHaveBeenLastCalledWith(0);
  });

  // spec: UI-20, GATE-80, GATE-40
  it('options: the switch with what it changes, and each allowed tool with a way to take it back', () => {
    const app = fakeApp({ view: { items: [user('q')] } });
    const head = app.conversation.getSnapshot().view.conversation;
    app.show({ conversation: head && { ...head, auto_approve: ['workspace_write', 'shell_run'] } });
    drawPanel(app);
    fireEvent.click(pill(/^Options/));
    fireEvent.click(screen.getByRole('switch', { name: 'Autonomous' }));
    expect(app.conversation.patch).toHaveBeenLastCalledWith({ autonomous: true });
    expect(screen.getByText('Tools run without asking, except where a rule always asks.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Revoke workspace write' }));
    expect(app.conversation.patch).toHaveBeenLastCalledWith({ auto_approve: ['shell_run'] });
  });

  // spec: UI-21
  it('crew: every agent, the master first', () => {
    const app = fakeApp({ view: { items: [user('q')] }, agents: { agents: [agent('master', 'Master'), agent('reader', 'Reader', { mode: 'work' })] } });
    drawPanel(app);
    fireEvent.click(pill(/^Crew/));
    expect([...screen.getByRole('dialog').querySelectorAll('.crew-line .crew-ell')].map(one => one.textContent)).toEqual(['Master', 'Reader']);
  });

  // spec: UI-22
  it('a card takes the focus, stays on a click inside, and closes on Escape and on a press outside', () => {
    const app = fakeApp({ view: { items: [user('q')] } });
    const outside = vi.fn();
    document.addEventListener('keydown', outside);
    drawPanel(app);
    fireEvent.click(pill(/^Options/));
    const card = screen.getByRole('dialog');
    expect(card.contains(document.activeElement)).toBe(true);
    fireEvent.pointerDown(card);
    expect(screen.queryByRole('dialog')).toBeTruthy();
    fireEvent.keyDown(document.activeElement ?? card, { key: 'Escape' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(outside).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(pill(/^Options/));
    fireEvent.click(pill(/^Options/));
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('dialog')).toBeNull();
    document.removeEventListener('keydown', outside);
  });

  // spec: UI-24
  it.each([
    ['c0', 'Branched from The first try'],
    ['c9', 'Branched from the original conversation']
  ])('says where a fork came from and leads there (the list has %s)', (listed, name) => {
    const app = fakeApp({ view: { items: [user('q')] }, list: { conversations: [summary(listed, { title: 'The first try' })] } });
    const head = app.conversation.getSnapshot().view.conversation;
    app.show({ conversation: head && { ...head, forked_from: { id: 'c0', title: 'The first try' } } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name }));
    expect(app.conversation.open).toHaveBeenCalledWith('c0');
  });

  // spec: UI-11
  it('has a way back from the conversation of a delegate', () => {
    const app = fakeApp({ view: { items: [user('q')] }, conversation: { back: 'c0' } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: /^Back to/ }));
    expect(app.conversation.goBack).toHaveBeenCalled();
  });
});

describe('the activity column', () => {
  const steps = [step(0, 'model', { route: 'a:b' }), step(1, 'tool', { name: 'workspace_read', arguments: { path: 'a.md' }, output: 'what is in it' })];
  const column = (...runs: ReturnType<typeof run>[]) => {
    const app = fakeApp({ width: 1200, view: { items: [user('q')], spent_usd: 0.4127 }, activity: { history: { c1: runs } } });
    return { app, ...drawPanel(app) };
  };

  // spec: UI-64, UI-66, UI-67
  it('has the sums, then the runs as they come, each step with its arguments and output', () => {
    const { app, container } = column(run({ id: 'r2', steps, status: 'done', ended_at: '2026-11-30T14:02:41Z' }), run({ id: 'r1', status: 'done', ended_at: '2026-11-30T14:02:05Z' }));
    expect(app.activity.loadRuns).toHaveBeenCalledWith('c1');
    expect(container.querySelector('.crew-summary')?.textContent).toMatch(/Spent\$0\.4127 of \$2\.00.*Steps2.*a:b/);
    expect([...container.querySelectorAll('.crew-runhead')].map(head => head.textContent?.replace(/^.{5}/, ''))).toEqual([', finished41.0 s', ', finished5.0 s']);
    fireEvent.click(container.querySelectorAll('.crew-column button.line')[1] as HTMLElement);
    expect(container.querySelector('.crew-column .crew-kv')?.textContent).toBe('patha.md');
    expect(container.querySelector('.crew-column .crew-code')?.textContent).toBe('what is in it');
  });

  // spec: UI-68
  it('shows the last thirty steps of a long run, and all when asked', () => {
    const { container } = column(run({ steps: Array.from({ length: 84 }, (_, index) => step(index, 'model')) }));
    const count = (): number => container.querySelectorAll('.crew-column .crew-step').length;
    expect(count()).toBe(30);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 84' }));
    expect(count()).toBe(84);
  });
});

describe('the welcome', () => {
  const empty = (answering: { route: string | null; small: boolean; mend: string }) =>
    fakeApp({ conversation: { id: null }, agents: { agents: [agent('master', 'Master'), agent('reader', 'Reader'), agent('coder', 'Coder')], answering } });

  // spec: UI-10
  it('speaks as the master and names the crew', () => {
    const app = empty({ route: 'openrouter:main', small: false, mend: '' });
    drawPanel(app);
    expect(screen.getByText(/^I am Master\. I answer you and pass work on to Reader and Coder\./)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'What can this crew do?' }));
    expect(app.conversation.send).toHaveBeenCalledWith('What can this crew do?');
  });

  it('says plainly that a small demonstration model answers, and how to connect a better one', () => {
    const app = empty({ route: 'local:smollm2-135m', small: true, mend: '' });
    const { container } = drawPanel(app);
    expect(screen.getByText('Answering with a small demonstration model')).toBeTruthy();
    const commands = [...container.querySelectorAll('.cmd code')].map(one => one.textContent);
    const starters = [...container.querySelectorAll('.crew-starters button')].map(one => one.lastChild?.textContent);
    expect(starters).toEqual(['Hello!', 'List the files in the workspace', "Write 'hello' to notes.txt"]);
    expect(commands).toEqual(['export OPENROUTER_API_KEY=…', 'export ANTHROPIC_API_KEY=…', 'ollama pull qwen3', 'crewlab local add FILE.gguf']);
  });

  it('says so in every conversation, with a way to the ways', () => {
    const app = fakeApp({ view: { items: [user('q')] }, agents: { answering: { route: 'local:x', small: true, mend: '' } } });
    drawPanel(app);
    expect(screen.getByText('Small demonstration model')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Connect a better one' }));
    expect(app.conversation.open).toHaveBeenCalledWith(null);
  });

  it('says without a model what to do, and lets nothing be sent that cannot be answered', () => {
    const app = empty({ route: null, small: false, mend: 'Run "crewlab local install".' });
    const { container } = drawPanel(app);
    expect(screen.getByText('No model answers yet')).toBeTruthy();
    expect(screen.getByText('Run "crewlab local install".')).toBeTruthy();
    expect([...container.querySelectorAll('.cmd code')].map(one => one.textContent)).toContain('crewlab local install');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'What can this crew do?' }).disabled).toBe(true);
  });

  it('offers no ways when a good model answers', () => {
    const { container } = drawPanel(empty({ route: 'openrouter:main', small: false, mend: '' }));
    expect(container.querySelector('.cmd')).toBeNull();
  });
});
