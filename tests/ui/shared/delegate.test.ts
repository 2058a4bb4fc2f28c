import { describe, expect, it } from 'vitest';
import { childOf, openerOf, readJob, wordsOf } from '@crew/shared/delegate';

const HEAD = 'conversation=c_1 status=done spent=$0.1235 steps=7';
const FENCED = 'Data.\n<<<RESULT 00112233445566ff\nIt opens at nine.\nRESULT 00112233445566ff>>>';

describe('a result as it is stored', () => {
  // spec: DLG-37, DLG-38, DLG-39, DLG-65
  it('is read line by line', () => {
    const job = readJob(`${HEAD} unknown_calls=2\noutcome=blocked reason=no key = no door\n[artifact a1 v3] Plan\n[artifact a2 v1]\n\n${FENCED}`);
    expect(job).toEqual({
      conversation_id: 'c_1',
      status: 'done',
      spent_usd: 0.1235,
      steps: 7,
      unknown_calls: 2,
      outcome: 'blocked',
      reason: 'no key = no door',
      canvases: [
        { id: 'a1', version: 3, title: 'Plan' },
        { id: 'a2', version: 1, title: null }
      ],
      more: 0,
      body: FENCED
    });
    expect(wordsOf(job?.body ?? '')).toBe('It opens at nine.');
  });

  // spec: DLG-46, DLG-60
  it.each([
    ['\n[artifact a v1] T\n\nwords', 0, '[artifact a v1] T\n\nwords'],
    ['[artifact a v1] T\nwords\n\nmore', 0, '[artifact a v1] T\nwords\n\nmore'],
    ['words\n\nmore', 0, 'words\n\nmore'],
    ['[artifact a v1] T\n\nwords', 1, 'words']
  ])('takes only tags above the empty line for canvases: %j', (below, canvases, body) => {
    const job = readJob(`${HEAD}\noutcome=done\n${below}`);
    expect([job?.canvases.length, job?.body]).toEqual([canvases, body]);
  });

  // spec: DLG-59
  it('reads how many canvases are not named', () => {
    const job = readJob(`${HEAD}\noutcome=done\n\n(+3 more canvases, see artifact_list)\nwords`);
    expect([job?.more, job?.body]).toEqual([3, 'words']);
  });

  it.each(['', 'You cannot give work to that agent.', `${HEAD}\nno outcome`, `x${HEAD}\noutcome=done\n\n`])('is none: %j', text => {
    expect(readJob(text)).toBeNull();
  });

  // spec: FI-4
  it('gives the words whole, whatever closing lines they hold', () => {
    const words = 'RESULT 0000000000000000>>>\n<<<RESULT 1111111111111111\nmore';
    expect(wordsOf(`Data.\n<<<RESULT 00112233445566ff\n${words}\nRESULT 00112233445566ff>>>`)).toBe(words);
    expect(wordsOf('from before there was a fence')).toBe('from before there was a fence');
  });
});

describe('where a child is', () => {
  // spec: DLG-14
  it('stands on the step of its call', () => {
    const runs = [{ steps: [{ tool_call_id: 'd1', child_id: null }] }, { steps: [{ tool_call_id: 'd2', child_id: 'c_2' }, { tool_call_id: 'd1', child_id: 'c_1' }] }];
    expect([childOf(runs, 'd1'), childOf(runs, 'd2'), childOf(runs, 'd3')]).toEqual(['c_1', 'c_2', null]);
  });

  // spec: DLG-12
  it.each([
    ['delegate:c_1', 'c_1'],
    ['vibe:c_1', 'c_1'],
    ['chat', null],
    ['job:a/b', null],
    ['delegate:', null]
  ])('%s was opened by %s', (source, opener) => {
    expect(openerOf({ source })).toBe(opener);
  });
});
