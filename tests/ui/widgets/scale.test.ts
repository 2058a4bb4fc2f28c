import { describe, expect, it } from 'vitest';
import type { Run, Step } from '@crew/shared/contract';
import { bar, lines, span } from '@crew/widgets/timeline/scale';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const step = (more: Partial<Step>): Step => ({ kind: 'tool', status: 'done', started_at: at(0), ms: 0, ...more }) as Step;
const run = (more: Partial<Run>): Run => ({ started_at: at(0), ended_at: null, steps: [], status: 'running', ...more }) as Run;

describe('grid lines', () => {
  it.each([
    [4_000, ['1 s', '2 s', '3 s']],
    [6_900, ['1 s', '2 s', '3 s', '4 s', '5 s', '6 s']],
    [7_500, ['2 s', '4 s', '6 s']],
    [61_000, ['10 s', '20 s', '30 s', '40 s', '50 s', '1 m']],
    [221_000, ['1 m', '2 m', '3 m']],
    [1_900_000, ['5 m', '10 m', '15 m', '20 m', '25 m', '30 m']],
    [7_300_000, ['30 m', '1 h', '1.5 h', '2 h']],
    [90 * 3_600_000, ['20 h', '40 h', '60 h', '80 h']],
    [8_008 * 3_600_000, ['2000 h', '4000 h', '6000 h', '8000 h']]
  ])('of %i ms stand at round steps', (total, labels) => {
    expect(lines(total).map(line => line.label)).toEqual(labels);
  });

  it('are at most six and within the axis, however long it is', () => {
    for (let total = 1000; total < 100_000_000_000; total = Math.ceil(total * 1.31)) {
      const grid = lines(total);
      expect(grid.length).toBeLessThanOrEqual(6);
      expect(grid.every(line => line.left > 0 && line.left < 100)).toBe(true);
    }
  });
});

describe('bars', () => {
  it('stand where and as long as the step was', () => {
    const one = run({ ended_at: at(10_000) });
    expect(bar(step({ started_at: at(2_000), ms: 5_000 }), one, span(one, 0), 0)).toEqual({ left: 20, width: 50, kind: 'tool' });
  });

  it('grow with the time while the step runs and never leave the axis', () => {
    const now = START + 10_000;
    const place = bar(step({ started_at: at(5_000), ms: null, status: 'running' }), run({}), span(run({}), now), now);
    expect(place).toEqual({ left: 50, width: 50, kind: 'run' });
    const late = bar(step({ started_at: at(99_000), ms: 9_000 }), run({}), 10_000, now);
    expect(late.left + late.width).toBeLessThanOrEqual(100);
  });

  it('have the kind of the step or of its state', () => {
    const kinds = [step({ kind: 'model' }), step({ kind: 'wait' }), step({ status: 'refused' }), step({ status: 'error', kind: 'model' })];
    expect(kinds.map(one => bar(one, run({}), 1000, START).kind)).toEqual(['model', 'wait', 'error', 'error']);
  });

  it('fit an axis of at least a second', () => {
    expect(span(run({ ended_at: at(3) }), 0)).toBe(1000);
  });
});
