import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyChange, type Base, type Change, isState, type Message, type Page, Pages } from '@crew/widgets/live/wire';
import { runOf, type TimelineState } from '@crew/widgets/timeline/state';

interface Case {
  name: string;
  old: Base;
  new: Base;
  change: Message | null;
}

const cases = JSON.parse(readFileSync(new URL('./changes.json', import.meta.url), 'utf8')) as Case[];

function pagesOf(message: Message, chars: number): Page[] {
  const text = JSON.stringify(message);
  const count = Math.ceil(text.length / chars);
  return Array.from({ length: count }, (_, index) => ({ type: 'page', of: 7, index, count, text: text.slice(index * chars, (index + 1) * chars) }));
}

describe('changes of a state', () => {
  // spec: UI-156, UI-158
  it.each(cases)('$name', ({ old, new: expected, change }) => {
    if (change === null) {
      expect({ ...old, at: '', v: 0 }).toEqual({ ...expected, at: '', v: 0 });
    } else if (change.type === 'change') {
      expect(applyChange(old, change)).toEqual(expected);
    } else {
      expect(change).toEqual({ type: 'state', state: expected });
    }
  });

  it('says when a change was made from another state than this one', () => {
    const { old, change } = cases[0] as Case;
    expect(applyChange({ ...old, v: 3 }, change as Change)).toBeNull();
  });

  it('knows a state from the empty object of a model that has heard nothing', () => {
    expect([isState({}), isState(undefined), isState(cases[0]?.new)]).toEqual([false, false, true]);
  });

  it('gives every field of a step back to the shared words', () => {
    const run = runOf(cases[0]?.new as TimelineState);
    expect(run.steps[1]).toMatchObject({ index: 1, output: 'ok', cost_usd: null, calls: null, error: null });
  });
});

describe('pages of a long message', () => {
  const message: Message = { type: 'state', state: cases[0]?.new as Base };

  // spec: FQ-4
  it('become the message again, whatever comes in between', () => {
    const pages = new Pages();
    const mine = pagesOf(message, 100);
    const other = pagesOf({ type: 'heard', id: 1 }, 10).map(page => ({ ...page, of: 8 }));
    const heard = mine.flatMap((page, index) => [pages.take(page), other[index] ? pages.take(other[index]) : null]).filter(one => one !== null);
    expect(heard).toEqual([{ type: 'heard', id: 1 }, message]);
  });

  // spec: FQ-4
  it('are asked for again when one was lost', () => {
    const pages = new Pages();
    const mine = pagesOf(message, 100).filter(page => page.index !== 1);
    expect(mine.map(page => pages.take(page)).filter(one => one !== null)).toEqual(['broken']);
    const late = new Pages();
    expect(pagesOf(message, 100).slice(2).map(page => late.take(page)).at(-1)).toBe('broken');
  });
});
