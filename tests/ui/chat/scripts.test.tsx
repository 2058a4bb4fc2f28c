// @vitest-environment jsdom
/** What a script printed, and the calls it made, in the chat and on the run card. */
import { readFileSync } from 'node:fs';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Timeline } from '@crew/chat/activity/Timeline';
import { AppProvider } from '@crew/chat/parts/context';
import type { NestedCall, Step } from '@crew/shared/contract';
import { drawPanel, fakeApp } from './app';
import { nested, run, step, tool, user } from './data';

const CASES = JSON.parse(readFileSync(`${process.cwd()}/../tests/fixtures/printed.json`, 'utf-8')) as { prompt: string; printed: string; message: string }[];
const [SHORT] = CASES;
const long = (printed: string): string => (SHORT?.message ?? '').replace('3 new papers', printed);

describe('the message after a script', () => {
  const block = (): HTMLElement => screen.getByRole('region', { name: 'Printed by the script' });

  // spec: SCR-231, UI-53
  it('shows the prompt in its bubble and what was printed right below it', () => {
    const { container } = drawPanel(fakeApp({ view: { items: [user(long('one\n  two\u200b'))] } }));
    const bubble = container.querySelector('.crew-user');
    expect(bubble?.textContent).toBe('You: Tell me what is new');
    expect(bubble?.nextElementSibling).toBe(block());
    expect(block().querySelector('pre')?.textContent).toBe('one\n  two[U+200B]');
    expect(block().textContent).toContain('2 lines');
    expect(block().textContent).toContain('Given to the model as data, not as instructions.');
    expect(container.textContent).not.toContain('SCRIPT OUTPUT');
    expect(container.textContent).not.toContain('What the script printed stands');
    expect(within(block()).queryByRole('button')).toBeNull();
  });

  // spec: SCR-231
  it.each([
    ['over twelve lines', 'x\n'.repeat(12) + 'last'],
    ['over eight hundred characters', 'x'.repeat(801)]
  ])('is folded %s, and opened it scrolls and is reached by keyboard', (_what, printed) => {
    drawPanel(fakeApp({ view: { items: [user(long(printed))] } }));
    expect(block().querySelector('pre')).toBeNull();
    const fold = within(block()).getByRole('button', { name: 'Show what was printed' });
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(fold);
    const box = block().querySelector('pre');
    expect([box?.textContent, box?.tabIndex, box?.className]).toEqual([printed, 0, 'crew-code']);
    fireEvent.click(within(block()).getByRole('button', { name: 'Hide what was printed' }));
    expect(block().querySelector('pre')).toBeNull();
  });

  // spec: SCR-232
  it('stays an ordinary message when it has another shape', () => {
    const text = `${SHORT?.message}\nand more`;
    const { container } = drawPanel(fakeApp({ view: { items: [user(text)] } }));
    expect(screen.queryByRole('region', { name: 'Printed by the script' })).toBeNull();
    expect(container.querySelector('.crew-user')?.textContent).toContain(text);
  });

  // spec: SCR-233
  it('is branched with the text as it is stored', () => {
    const app = fakeApp({ view: { items: [user(SHORT?.message ?? '', { key: 'm7', message_id: 7 })] } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Edit and send again from here' }));
    expect(app.conversation.fork).toHaveBeenCalledWith('m7');
  });
});

const paid: NestedCall = { ...nested('llm.classify'), arguments: { text: 'a letter', labels: ['x', 'y'] }, output: 'x', cost_usd: 0.0021, metered: true };
const child: NestedCall = { ...nested('delegate'), arguments: { task: 'count' }, output: 'conversation=c9 status=done spent=$0.5000 steps=3 outcome=done', child_spent_usd: 0.5 };
const canvas: NestedCall = { ...nested('artifact_create'), arguments: { title: 'Plan' }, output: '[artifact plan v1] written' };

/** The card of a run with one script. */
function card(changes: Partial<Step>) {
  const app = fakeApp();
  const one = step(0, 'tool', { name: 'tool_script', arguments: { script: 'print(1)' }, output: 'one', ...changes });
  const drawn = render(
    <AppProvider value={app}>
      <Timeline run={run({ status: 'done', steps: [one] })} />
    </AppProvider>
  );
  return { app, ...drawn };
}

describe('the run card of a script', () => {
  const fold = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

  // spec: SCR-193, SCR-199, SCR-196
  it('lists its calls under one line until it is opened', () => {
    const calls = [nested('workspace_read'), nested('workspace_read', false)];
    const { container } = card({ calls, received_chars: 1842310, printed_chars: 1412 });
    const line = fold(/^Script made 2 calls · 1 failed$/);
    expect([line.getAttribute('aria-expanded'), container.querySelectorAll('.crew-nest li').length]).toEqual(['false', 0]);
    fireEvent.click(line);
    expect(container.querySelectorAll('.crew-nest li').length).toBe(2);
    expect(container.querySelector('.crew-nest .bad .crew-why > div')?.textContent).toBe('footer is missing');
    expect(screen.getByText('Received 1,842,310 characters, printed 1,412')).toBeTruthy();
    fireEvent.click(line);
    expect(container.querySelectorAll('.crew-nest li').length).toBe(0);
  });

  // spec: SCR-196
  it('shows the reason of a failed call whole without a click, and folds it by "Hide result"', () => {
    const why = 'x'.repeat(600);
    const { container } = card({ calls: [{ ...nested('shell_run', false), output: why }] });
    fireEvent.click(fold(/Script made 1 call · 1 failed/));
    expect(container.querySelector('.crew-nest .crew-why')?.textContent).toContain(why);
    expect(container.querySelector('.crew-nest pre')).toBeNull();
    fireEvent.click(within(container.querySelector('.crew-nest') as HTMLElement).getByRole('button', { name: 'Hide result' }));
    expect(container.textContent).not.toContain(why);
  });

  // spec: SCR-193, SCR-179, SCR-161, SCR-141, UI-34
  it('names questions to a model, what they cost, and opens what calls have made', () => {
    const { app, container } = card({ calls: [paid, { ...paid, name: 'llm.summarise', cost_usd: null }, child, canvas] });
    fireEvent.click(fold(/^Script made 4 calls$/));
    const rows = [...container.querySelectorAll('.crew-nest li')].map(one => one.textContent);
    expect(rows[0]).toContain('Classified by a model');
    expect(rows[0]).toContain('$0.0021');
    expect(rows[1]).toContain('Summarised by a model');
    expect(rows[1]).toContain('price unknown');
    expect(rows[2]).toContain('$0.5000');
    fireEvent.click(screen.getByRole('button', { name: 'Open conversation' }));
    expect(app.conversation.openChild).toHaveBeenCalledWith('c9');
    fireEvent.click(screen.getByRole('button', { name: /version 1|v1/i }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { id: 'plan', version: 1 });
  });

  // spec: SCR-199
  it('writes a dash for what the server has not counted', () => {
    card({ calls: [nested('fetch_url')], status: 'error', output: 'limit', received_chars: null, printed_chars: null });
    fireEvent.click(fold(/Script made 1 call/));
    expect(screen.getByText('Received — characters, printed —')).toBeTruthy();
  });

  // spec: SCR-199
  it('has the measures also without a call, and not before the script has ended', () => {
    const { container, unmount } = card({ calls: [], received_chars: 0, printed_chars: 3 });
    expect(container.textContent).toContain('Received 0 characters, printed 3');
    unmount();
    expect(card({ status: 'running', output: null, calls: [] }).container.textContent).not.toContain('Received');
  });

  // spec: UI-32
  it('of a cell lists its calls without the measures', () => {
    const { container } = card({ name: 'eval', calls: [nested('workspace_read')] });
    fireEvent.click(fold(/^Code made 1 call$/));
    expect(container.textContent).not.toContain('Received');
  });

  it('of any other tool has no such line', () => {
    const { container } = card({ name: 'workspace_read', calls: null });
    expect(container.querySelector('.crew-stepcalls')).toBeNull();
  });
});

describe('the card of a script in the chat', () => {
  const open = (): void => void fireEvent.click(document.querySelector('.crew-step button.line') as HTMLElement);

  // spec: SCR-199
  it('writes a dash for what was not counted, and nothing for a script stopped with its turn or a cell', () => {
    const calls = [nested('fetch_url')];
    const app = fakeApp({ view: { items: [user('q'), tool('tool_script', { calls, received_chars: null, printed_chars: null })] } });
    const { container } = drawPanel(app);
    open();
    expect(screen.getByText('Received — characters, printed —')).toBeTruthy();
    app.show({ items: [user('q'), tool('tool_script', { state: 'open', output: null, calls })] });
    expect(container.textContent).not.toContain('Received');
    app.show({ items: [user('q'), tool('eval', { calls })] });
    open();
    expect(container.textContent).not.toContain('Received');
  });

  // spec: SCR-71, SCR-196
  it('shows all of a failed script at once', () => {
    const output = 'Script did not finish.\nwhat it printed\nStopped at line 3: enough';
    const { container } = drawPanel(fakeApp({ view: { items: [user('q'), tool('tool_script', { state: 'error', output })] } }));
    expect(container.querySelector('.crew-why')?.textContent).toContain(output);
  });
});
