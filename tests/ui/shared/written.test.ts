import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillOf, laidOut, quoted, written } from '@crew/shared/scriptstore/written';

describe('a name of the script store', () => {
  // spec: STO-52, STO-53
  it.each([
    ['tàu cập bến', 'tàu cập bến'],
    ['a"b\\c', 'a\\"b\\\\c'],
    ['a\nb\tc\u0001', 'a\\nb\\tc\\u0001'],
    ['a\u007fb\u0085c\u2028d\u2029', 'a\\u007fb\\u0085c\\u2028d\\u2029'],
    ['a\u200bb\u00a0c\u00ad\u202e\ufe0f\u3164\u2800', 'a[U+200B]b[U+00A0]c[U+00AD][U+202E][U+FE0F][U+3164][U+2800]'],
    ['\ud800 \ue000 \u{e0041}', '[U+D800] [U+E000] [U+E0041]'],
    [' a b  c ', '[U+0020]a b[U+0020][U+0020]c[U+0020]'],
    [' ', '[U+0020]'],
    ['[U+200B]', '[U+005B]U+200B]'],
    ['👩‍🚀', '👩[U+200D]🚀']
  ])('%j is written %j', (name, shown) => {
    expect(written(name)).toBe(shown);
  });

  // spec: STO-52
  it('reads differently whenever it is another one', () => {
    const piece = fc.constantFrom('a', ' ', '\n', '\\', 'n', '"', '\u200b', '[U+200B]', '[U+', '\u00a0', '\\u0085', '\u0085', '[', 'U+005B]');
    const name = fc.array(piece, { maxLength: 6 }).map(parts => parts.join(''));
    fc.assert(fc.property(name, name, (one, other) => (written(one) === written(other)) === (one === other)), { numRuns: 3000 });
  });

  // spec: STO-54
  it('stands in quotation marks and is cut at 80 characters, never within an escape', () => {
    expect(quoted('a\u200b')).toBe('"a[U+200B]"');
    expect(quoted('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
    expect(quoted(`${'x'.repeat(78)}\u200b`)).toBe(`"${'x'.repeat(78)}…"`);
  });
});

describe('a value', () => {
  // spec: STO-49
  it('is laid out with every number and text as it was written', () => {
    expect(laidOut('{"a":[1,{"b":[]}],"n":12345678901234567890,"t":"x, {y}: \\"z\\""}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "n": 12345678901234567890,\n  "t": "x, {y}: \\"z\\""\n}'
    );
    expect(laidOut('not json')).toBeNull();
  });

  it('means the same when it is laid out', () => {
    fc.assert(fc.property(fc.jsonValue(), value => JSON.stringify(JSON.parse(laidOut(JSON.stringify(value)) ?? '')) === JSON.stringify(value)));
  });
});

describe('how full a namespace is', () => {
  // spec: STO-48
  it.each([[0, 'room'], [79, 'room'], [80, 'nearly'], [99, 'nearly'], [100, 'full'], [120, 'full']])('%d of 100 is %s', (chars, fill) => {
    expect(fillOf(chars, 100)).toBe(fill);
  });
});
