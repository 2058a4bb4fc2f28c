import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyChange, type FromKernel, runOf, type TimelineState } from '@crew/widgets/timeline/state';

interface Case {
  name: string;
  old: TimelineState;
  new: TimelineState;
  change: FromKernel | null;
}

const cases = JSON.parse(readFileSync(new URL('./changes.json', import.meta.url), 'utf8')) as Case[];

describe('changes of a timeline', () => {
  // spec: UI-156, UI-158
  it.each(cases)('$name', ({ old, new: expected, change }) => {
    if (change === null) {
      expect({ ...old, at: '' }).toEqual({ ...expected, at: '' });
    } else if (change.type === 'change') {
      expect(applyChange(old, change)).toEqual(expected);
    } else {
      expect(change).toEqual({ type: 'state', state: expected });
    }
  });

  it('gives every field of a step back to the shared words', () => {
    const run = runOf(cases[0]?.new as TimelineState);
    expect(run.steps[1]).toMatchObject({ index: 1, output: 'ok', cost_usd: null, calls: null, error: null });
  });
});
