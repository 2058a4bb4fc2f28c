import { describe, expect, it } from 'vitest';
import { runCount, runFigures, runSentence, stepBead, stepWords } from '@crew/chat/activity/words';
import { stripWords } from '@crew/chat/activity/Strip';
import { amountOf, nextCap, shareOf } from '@crew/chat/header/cap';
import { price } from '@crew/chat/parts/figures';
import { hueOf } from '@crew/chat/parts/hue';
import { translate } from '@crew/shared/texts';
import { run, step } from './data';

const t = translate('en');

describe('a run in words', () => {
  const running = step(1, 'tool', { status: 'running', name: 'workspace_read', arguments: { path: 'a.md' } });

  // spec: UI-71
  it('says what it does now, and counts steps instead of percent', () => {
    const open = run({ steps: [step(0, 'model'), running] });
    expect(runSentence(open, t)).toBe('Reading file: a.md');
    expect(runCount(open, t)).toBe('1/2 steps');
  });

  // spec: UI-71
  it.each([
    [{ status: 'done' }, 'Done'],
    [{ status: 'halted', halt_reason: 'budget' }, 'Stopped: the cap is reached'],
    [{ status: 'error', summary: 'interrupted' }, 'Interrupted by a restart'],
    [{ status: 'error', summary: 'x' }, 'Failed'],
    [{ status: 'waiting' }, 'Waits for you']
  ] as const)('%o says how it ended, also when its last step still thinks', (changes, said) => {
    expect(runSentence(run({ steps: [step(0, 'model', { status: 'running' })], ...changes }), t)).toBe(said);
  });

  // spec: UI-67
  it('draws each kind with its bead, and state before kind', () => {
    const kinds = ['model', 'tool', 'fallback', 'escalation', 'steer', 'note', 'wait', 'compaction'];
    expect(kinds.map(kind => stepBead(step(0, kind)))).toEqual(kinds);
    expect(stepBead(step(0, 'tool', { status: 'running' }))).toBe('run');
    expect(stepBead(step(0, 'tool', { status: 'refused' }))).toBe('error');
    expect(stepBead(step(0, 'wait', { status: 'running' }))).toBe('wait');
  });

  // spec: EST-4
  it('marks the price of a run of which a part is an estimate', () => {
    expect(runFigures(run({ cost_usd: 0.25, estimated_cost_calls: 1 }), t)).toContain('≈ $0.2500');
    expect(runFigures(run({ cost_usd: 0.25 }), t)).not.toContain('≈');
  });

  // spec: UI-111
  it('draws an unknown kind as a plain line', () => {
    expect(stepWords(step(0, 'teleport', { text: 'went far' }), false, t)).toMatchObject({ bead: 'note', what: 'went far' });
    expect(stepWords(step(0, 'constructor'), false, t)).toMatchObject({ bead: 'note', what: 'constructor' });
  });

  // spec: UI-43
  it('tells what a person said from what the agent did', () => {
    expect(stepWords(step(0, 'steer', { text: 'use 0–21' }), false, t)).toMatchObject({ bead: 'steer', what: 'You: use 0–21' });
  });

  // spec: OUT-41
  it('has the reason of a failed step', () => {
    expect(stepWords(step(0, 'tool', { status: 'error', name: 'x', error: 'No such file' }), false, t).why).toBe('No such file');
    expect(stepWords(step(0, 'tool', { status: 'refused', name: 'x', output: 'outside' }), false, t).why).toBe('Not allowed: outside');
  });

  it('has its figures', () => {
    const ended = run({ status: 'done', steps: [step(0, 'model')], started_at: '2026-11-30T14:00:00Z', ended_at: '2026-11-30T14:06:20Z', cost_usd: 0.2684 });
    expect(runFigures(ended, t)).toBe('1 step, 6 m 20 s, $0.2684');
    expect(runFigures({ ...ended, cost_usd: 0 }, t)).toBe('1 step, 6 m 20 s');
  });

  it('stands in the strip by the state of the conversation', () => {
    const still = { sending: false, stopping: false, view: { running: false, end: null } };
    expect(stripWords(undefined, { ...still, sending: true }, t)).toEqual({ bead: 'run', text: 'Sending' });
    expect(stripWords(run(), { ...still, stopping: true }, t)).toEqual({ bead: 'run', text: 'Stopping' });
    expect(stripWords(run({ status: 'waiting' }), still, t)).toEqual({ bead: 'wait', text: 'Waits for you' });
    expect(stripWords(run({ status: 'error' }), { ...still, view: { running: false, end: { type: 'stopped' } } }, t)).toEqual({ bead: 'note', text: 'Stopped by you' });
    expect(stripWords(run({ status: 'error' }), still, t)).toEqual({ bead: 'error', text: 'Failed' });
  });
});

describe('figures', () => {
  // spec: UI-19
  it('raise the cap by one step of the agent, and read an amount', () => {
    expect([nextCap(2, 2), nextCap(0.5, 0.1), nextCap(2, 0), nextCap(2, undefined)]).toEqual([4, 0.6, 4, 4]);
    expect(['4', '2.50', '2,5', '$3', '0', '', 'x', '-1', '1e9'].map(amountOf)).toEqual([4, 2.5, 2.5, 3, 0, null, null, null, null]);
    expect([shareOf(1, 2), shareOf(1, 0)]).toEqual([0.5, 0]);
  });

  // spec: UI-125
  it('never show an unknown price as 0', () => {
    expect([price(null, t), price(0.4127, t), price(2.18, t)]).toEqual(['unknown', '$0.4127', '$2.18']);
  });

  // spec: UI-124
  it('give an agent the hue of its id: FNV-1a over UTF-8, modulo 12', () => {
    const slow = (id: string): number => {
      let hash = 2166136261n;
      for (const byte of Buffer.from(id, 'utf8')) {
        hash = ((hash ^ BigInt(byte)) * 16777619n) % 4294967296n;
      }
      return Number(hash % 12n);
    };
    const ids = ['', 'a', 'master', 'reader', 'thủ-thư', '研究', '🦆'];
    expect(ids.map(hueOf)).toEqual(ids.map(slow));
    expect(hueOf('foobar')).toBe(0xbf9cf968 % 12); // the published value of FNV-1a for "foobar"
  });
});
