// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Card } from '@crew/widgets/timeline/Card';
import { LiveModel } from '@crew/widgets/live/model';
import { Timeline } from '@crew/widgets/timeline/model';
import type { Shown, TimelineState } from '@crew/widgets/timeline/state';
import { Model, Timers } from './model';

afterEach(cleanup);

const EVIL = '<img src=x onerror="window.pwned=1">';

function state(more: Partial<TimelineState['run']> = {}, steps: TimelineState['steps'] = []): TimelineState {
  const run = {
    id: 'r_1', agent_id: 'master', conversation_id: 'c_1', source: 'notebook', status: 'running', halt_reason: null, summary: '', label: null,
    cost_usd: 0.25, unknown_cost_calls: 0, estimated_cost_calls: 0, started_at: '2026-01-01T00:00:00+00:00', ended_at: null, ...more
  } as TimelineState['run'];
  return { v: 1, at: '2026-01-01T00:00:30+00:00', language: 'en', dropped: 0, offline: null, run, steps };
}

function show(first: unknown): { model: Model; timers: Timers; view: LiveModel<Shown> } {
  const model = new Model({ state: first, selected_step: null });
  const timers = new Timers();
  const view = new LiveModel<Shown>(model, timers);
  render(<Card model={new Timeline(view)} />);
  act(() => view.start());
  return { model, timers, view };
}

const done = { kind: 'tool', status: 'done', started_at: '2026-01-01T00:00:01+00:00', ms: 900, name: 'workspace_read' } as const;

describe('the card of a run', () => {
  // spec: UI-71, UI-155
  it('says what the run does now, with a count and no percentage', () => {
    const steps = [{ ...done, index: 0 }, { ...done, index: 1, status: 'running', ms: undefined, arguments: { path: 'a.txt' } }] as TimelineState['steps'];
    const { model } = show({});
    expect(screen.getByRole('status').textContent).toBe('Steps appear here when a turn begins.');
    act(() => model.tell('msg:custom', { type: 'state', state: state({}, steps) }));
    expect(screen.getByRole('status').textContent).toBe('Reading file: a.txt');
    expect(document.body.textContent).toContain('1/2 steps');
    expect(document.body.textContent).not.toContain('%');
    act(() => model.tell('msg:custom', { type: 'change', from: 1, v: 2, at: '2026-01-01T00:00:31+00:00', set: { run: state({ status: 'done' }).run }, lists: { steps: { key: 'index', drop: [], put: [{ ...done, index: 1 }], grow: [] } } }));
    expect(screen.getByRole('status').textContent).toBe('Done');
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  // spec: DLG-56
  it('says of a job how it ended, why, what it cost and wrote, and leads to its conversation', () => {
    const head = 'conversation=c_9 status=done spent=$0.0149 steps=3\noutcome=blocked reason=workspace_write denied\n[artifact a1 v2] Harbour plan\n';
    const failed = 'conversation=c_8 status=error spent=$0.0100 steps=1\noutcome=failed reason=timeout\n';
    const steps = [
      { ...done, index: 0, name: 'delegate', output: head, child_id: 'c_9', arguments: { task: EVIL } },
      { ...done, index: 1, name: 'delegate', status: 'error', output: failed, child_id: 'c_8' }
    ] as TimelineState['steps'];
    const { model } = show(state({}, steps));
    expect(document.body.textContent).toContain('Blocked: You did not allow: workspace write.');
    expect(document.body.textContent).toContain('Failed: It took too long, and nobody waited any longer.');
    expect(document.body.textContent).not.toContain('reason=');
    act(() => model.set('selected_step', 0));
    const pairs = [...document.querySelectorAll('dt')].map(one => [one.textContent, one.nextElementSibling?.textContent]);
    expect(pairs).toEqual([
      ['task', EVIL],
      ['outcome', 'Blocked'],
      ['reason', 'You did not allow: workspace write.'],
      ['cost', '3 steps, $0.0149'],
      ['canvases', 'Harbour plan v2']
    ]);
    const link = screen.getByRole('button', { name: 'Open conversation' });
    expect([link.dataset['commandlinkerCommand'], link.dataset['commandlinkerArgs']]).toEqual(['crewlab:open-conversation', '{"id":"c_9"}']);
  });

  // spec: UI-156
  it('draws what others wrote as text', () => {
    const steps = [
      { ...done, index: 0, status: 'error', error: EVIL },
      { ...done, index: 1, arguments: { path: EVIL }, output: EVIL },
      { ...done, index: 2, kind: 'steer', text: EVIL }
    ] as TimelineState['steps'];
    const { model } = show(state({}, steps));
    act(() => model.set('selected_step', 1));
    expect(document.querySelectorAll('img')).toHaveLength(0);
    expect(document.body.textContent?.split(EVIL)).toHaveLength(6);
  });

  // spec: UI-162
  it('tells Python which step is chosen, and opens the step Python chooses', () => {
    const { model } = show(state({}, [{ ...done, index: 0, output: 'all of it' }]));
    fireEvent.click(screen.getByRole('button', { name: /Read file/ }));
    expect(model.sent.at(-1)).toMatchObject({ action: 'select', step: 0 });
    expect(screen.getByText('all of it')).toBeTruthy();
    act(() => model.set('selected_step', 0));
    act(() => model.set('selected_step', null));
    expect(screen.queryByText('all of it')).toBeNull();
  });

  // spec: UI-159
  it('stops through the kernel and shows its error', async () => {
    const { model } = show(state());
    act(() => model.tell('msg:custom', { type: 'state', state: state() }));
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(model.sent).toMatchObject([{ type: 'ready' }, { action: 'stop' }]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stopping' }).disabled).toBe(true);
    const { id } = model.sent.at(-1) as { id: number };
    act(() => model.tell('msg:custom', { type: 'heard', id }));
    await act(async () => model.tell('msg:custom', { type: 'answer', id, action: 'stop', error: { code: 'not_found', status: 404, message: 'It is gone.', fields: {} }, value: null }));
    expect(screen.getByRole('alert').textContent).toBe('Not stopped: It is gone.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(false);
  });

  // spec: UI-160
  it('shows the last state with its time and no working button when no kernel answers', () => {
    const { model, timers } = show(state());
    expect(model.sent).toEqual([{ type: 'ready' }]);
    act(() => timers.pass());
    expect(document.body.textContent).toMatch(/State of \d\d:\d\d/);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(true);
    act(() => model.tell('msg:custom', { type: 'state', state: state() }));
    expect(document.body.textContent).not.toMatch(/State of/);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(false);
  });

  // spec: UI-160
  it('keeps what it has heard in the model of the page, so that a saved notebook shows it', () => {
    const { model } = show({});
    const heard = state({ status: 'done' });
    act(() => model.tell('msg:custom', { type: 'state', state: heard }));
    expect(model.get('state')).toEqual(heard);
    expect(model.sent).toEqual([{ type: 'ready' }]);
  });

  // spec: UI-163
  it('leaves no listener and no timer when the view ends', () => {
    const { model, timers, view } = show(state());
    act(() => view.end());
    expect(model.listeners()).toBe(0);
    act(() => timers.pass());
    expect(view.getSnapshot().kernel).toBe('waiting');
  });

  it('says an unknown price and never zero', () => {
    show(state({ cost_usd: 0, unknown_cost_calls: 2 }));
    expect(document.body.textContent).toContain('unknown');
    expect(document.body.textContent).not.toContain('$0');
  });

  it('shows the last thirty steps of a long run, and all on demand', () => {
    show(state({}, Array.from({ length: 40 }, (_, index) => ({ ...done, index }))));
    expect(screen.getAllByRole('listitem')).toHaveLength(30);
    fireEvent.click(screen.getByText('Show all 40'));
    expect(screen.getAllByRole('listitem')).toHaveLength(40);
  });

  it('speaks the language of the crew', () => {
    show({ ...state({ status: 'done', ended_at: '2026-01-01T00:00:09+00:00' }), language: 'vi' });
    expect(document.body.textContent).toContain('Thời gian');
  });
});
