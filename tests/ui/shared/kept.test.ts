import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cardOutput, isKeptWhole } from '@crew/shared/kept';

interface Kept {
  text: string;
  good: string;
  bad: string;
}

/** Written by the server's rule; `tests/engine/turn/test_pure.py` holds it to the same file. */
const CASES = JSON.parse(readFileSync(new URL('../../fixtures/kept.json', import.meta.url), 'utf-8')) as Kept[];

describe('what a run keeps of an answer', () => {
  // spec: OUT-38, OUT-42
  it.each(CASES.map((one, place) => [place, one] as const))('is the same here and on the server (%i)', (_place, one) => {
    expect(cardOutput(one.text, true)).toBe(one.good);
    expect(cardOutput(one.text, false)).toBe(one.bad);
  });

  // spec: OUT-41
  it('is the whole failure up to 600 characters on one line', () => {
    expect(isKeptWhole(`${'🙂'.repeat(600)}\n`)).toBe(true);
    expect(isKeptWhole('🙂'.repeat(601))).toBe(false);
  });
});
