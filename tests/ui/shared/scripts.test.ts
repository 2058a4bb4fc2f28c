/** Names, printed text and messages of scripts, as pure functions. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullness, headingOf, laidOut } from '@crew/shared/manage/scripts';
import { quoted, written } from '@crew/shared/scripts/names';
import { isLong, linesOf, printedIn } from '@crew/shared/scripts/printed';
import { seenParts } from '@crew/shared/scripts/unseen';

const shown = (text: string): string => seenParts(text).map(one => one.text).join('');

describe('a name', () => {
  // spec: STO-52, STO-53
  it.each([
    ['plain/key', 'plain/key'],
    ['tiếng Việt 日本 😀', 'tiếng Việt 日本 😀'],
    ['say "hi" \\ there', 'say \\"hi\\" \\\\ there'],
    ['a\nb\tc\rd\be\ff', 'a\\nb\\tc\\rd\\be\\ff'],
    ['\u0000\u0001\u001f', '\\u0000\\u0001\\u001f'],
    ['\u007f\u0085\u009f', '\\u007f\\u0085\\u009f'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['week\u200b_total', 'week[U+200B]_total'],
    ['a\u00a0b\u3000c\u2003d\u1680e', 'a[U+00A0]b[U+3000]c[U+2003]d[U+1680]e'],
    ['\u00ad\u034f\u061c\u115f\u17b4\u180e\u200d\u2060\u202e\u2066\u3164\ufe0f\ufeff\uffa0', '[U+00AD][U+034F][U+061C][U+115F][U+17B4][U+180E][U+200D][U+2060][U+202E][U+2066][U+3164][U+FE0F][U+FEFF][U+FFA0]'],
    ['\u{e0041}\u{e0100}\u{1d173}', '[U+E0041][U+E0100][U+1D173]'],
    ['\u2800', '[U+2800]'],
    ['\ue000\u{f0000}\u{10fffd}', '[U+E000][U+F0000][U+10FFFD]'],
    ['\ud800 \udfff', '[U+D800] [U+DFFF]'],
    ['\u0378\uffff\u{1ffff}', '[U+0378][U+FFFF][U+1FFFF]'],
    [' a b ', '[U+0020]a b[U+0020]'],
    ['a  b   c', 'a[U+0020][U+0020]b[U+0020][U+0020][U+0020]c'],
    ['   ', '[U+0020][U+0020][U+0020]'],
    ['', ''],
    ['[U+200B]', '[U+005B]U+200B]'],
    ['[u+200B] [V]', '[u+200B] [V]'],
    ['[U+[U+', '[U+005B]U+[U+005B]U+']
  ])('%j is written %j', (name, expected) => {
    expect(written(name)).toBe(expected);
  });

  // spec: STO-52
  it('is never written like another one', () => {
    const letters = fc.constantFrom('a', ' ', '"', '\\', 'n', 'u', '0', '[', 'U', '+', ']', '2', 'B', '\n', '\u200b', '\u00a0', '\u0085', '\ud800', 'é');
    const names = fc.array(letters, { maxLength: 9 }).map(parts => parts.join(''));
    fc.assert(fc.property(names, names, (one, other) => (one === other) === (written(one) === written(other))), { numRuns: 3000 });
  });

  // spec: STO-54
  it('is quoted in questions and reports, cut at eighty characters and never within a code', () => {
    expect(quoted('job:due')).toBe('"job:due"');
    expect(quoted('😀'.repeat(80))).toBe(`"${'😀'.repeat(80)}"`);
    expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
    expect(quoted(`${'x'.repeat(75)}\u200by`)).toBe(`"${'x'.repeat(75)}…"`);
    expect(quoted(`${'x'.repeat(72)}\u200b`)).toBe(`"${'x'.repeat(72)}[U+200B]"`);
  });
});

describe('printed text', () => {
  // spec: SCR-231
  it.each([
    ['two\n\tlines\r\nhere', 'two\n\tlines\r\nhere'],
    ['a  b \n c', 'a  b \n c'],
    ['a\u200bb\u202ec\ud800', 'a[U+200B]b[U+202E]c[U+D800]'],
    ['bell\u0007 alone\r end\u0085', 'bell[U+0007] alone[U+000D] end[U+0085]'],
    ['x\u2028y\u00a0z', 'x[U+2028]y[U+00A0]z'],
    ['⚠️ 👩‍🔬 1️⃣ done', '⚠️ 👩‍🔬 1️⃣ done'],
    ['x\ufe0f\ufe0f y\u200d', 'x[U+FE0F][U+FE0F] y[U+200D]'],
    ['⚠️\ufe0f\ufe01', '⚠️[U+FE0F][U+FE01]'],
    ['', '']
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('tells its codes from what a script printed like one', () => {
    expect(seenParts('[U+200B]\u200b')).toEqual([
      { text: '[U+200B]', unseen: false },
      { text: '[U+200B]', unseen: true }
    ]);
  });

  // spec: SCR-231
  it('is long over twelve lines or eight hundred characters', () => {
    expect([isLong('x\n'.repeat(11) + 'x'), isLong('x\n'.repeat(12) + 'x')]).toEqual([false, true]);
    expect([isLong('😀'.repeat(800)), isLong('x'.repeat(801))]).toEqual([false, true]);
    expect([linesOf('a'), linesOf('a\n\nb')]).toEqual([1, 3]);
  });
});

interface Case {
  prompt: string;
  printed: string;
  message: string;
}
const CASES = JSON.parse(readFileSync(new URL('../../fixtures/printed.json', import.meta.url), 'utf-8')) as Case[];
const message = CASES[0]?.message ?? '';

describe('the message after a script', () => {
  // spec: SCR-230, SCR-231, SCR-232, JOB-9
  it.each(CASES)('is recognised as the server writes it: $prompt', ({ prompt, printed, message: sent }) => {
    expect(printedIn(sent)).toEqual({ prompt, text: printed });
  });

  // spec: SCR-232
  it.each([
    ['a word after the closing line', `${message}x`],
    ['a line end after the closing line', `${message}\n`],
    ['another number', message.replace('<<<SCRIPT OUTPUT 0', '<<<SCRIPT OUTPUT 1')],
    ['a short number', message.replaceAll('0123456789abcdef', '0123456789abcde')],
    ['capital digits', message.replaceAll('abcdef', 'ABCDEF')],
    ['another word in the sentence', message.replace('it is data', 'It is data')],
    ['no sentence', message.replace(/What the script printed.*\n/, '')],
    ['a line between sentence and mark', message.replace('\n<<<SCRIPT', '\nand\n<<<SCRIPT')],
    ['no empty line above the sentence', message.replace('new\n\n', 'new\n')],
    ['words before the sentence on its line', message.replace('What the', 'So: What the')],
    ['two opening lines of that number', message.replace('3 new papers', '<<<SCRIPT OUTPUT 0123456789abcdef>>>>\n3 new papers')],
    ['only the marks', '<<<SCRIPT OUTPUT 0123456789abcdef>>>>\nx\n<<<END SCRIPT OUTPUT 0123456789abcdef>>>>'],
    ['plain words', 'tell me about <<<SCRIPT OUTPUT 0123456789abcdef>>>>']
  ])('is an ordinary one with %s', (_what, text) => {
    expect(printedIn(text)).toBeNull();
  });
});

describe('a kept value', () => {
  // spec: STO-49
  it.each([
    ['{"a":[1,2],"b":{}}', '{\n  "a": [\n    1,\n    2\n  ],\n  "b": {}\n}'],
    ['[]', '[]'],
    ['"x, [y]: \\"z\\" {\\\\"', '"x, [y]: \\"z\\" {\\\\"'],
    ['[12345678901234567890,1.0,1e400]', '[\n  12345678901234567890,\n  1.0,\n  1e400\n]'],
    ['null', 'null']
  ])('%s is laid out without changing it', (text, expected) => {
    expect(laidOut(text)).toEqual({ text: expected, json: true });
  });

  // spec: STO-49
  it.each(['{not json', 'NaN', '', "['a']"])('%s is shown as it is', text => {
    expect(laidOut(text)).toEqual({ text, json: false });
  });

  it('is laid out as JavaScript would where that loses nothing', () => {
    const values = fc.jsonValue({ maxDepth: 4 }).filter(value => !JSON.stringify(value).includes('e'));
    fc.assert(fc.property(values, value => laidOut(JSON.stringify(value)).text === JSON.stringify(value, null, 2)));
  });
});

describe('a namespace', () => {
  // spec: STO-48
  it('is nearly full from eighty per cent on and full at its limit', () => {
    expect([0, 79, 80, 99, 100, 120].map(chars => fullness(chars, 100))).toEqual(['free', 'free', 'nearly', 'nearly', 'full', 'full']);
  });

  // spec: STO-46
  it('is headed by its title, else by what it belongs to, others by their name', () => {
    const one = { namespace: 'job:due', kind: 'job' as const, ref: 'due', title: 'Due reminders', orphan: false, chars: 0, entries: [] };
    expect(headingOf(one)).toBe('Due reminders');
    expect(headingOf({ ...one, title: null })).toBe('due');
    expect(headingOf({ ...one, namespace: 'notes', kind: 'other', ref: 'notes', title: null })).toBe('notes');
  });
});
