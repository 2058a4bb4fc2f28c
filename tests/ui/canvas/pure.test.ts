import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationEvent, NestedCall } from '@crew/shared/contract';
import { type Drafts, previewOf, reduceDrafts } from '@crew/shared/canvas/drafts';
import { forEditor } from '@crew/shared/canvas/ends';
import { cellSource } from '@crew/shared/canvas/kinds';
import { counted, textLines, unifiedLines } from '@crew/shared/canvas/lines';
import { partialObject } from '@crew/shared/canvas/partial';
import { canvasesOf, chipsOf, tagOf } from '@crew/shared/canvas/tags';
import { shownTitle } from '@crew/shared/canvas/titles';
import { newTool } from '@crew/shared/thread';

function delta(name: string, call: string, fragment: string): ConversationEvent {
  return { type: 'tool_call_delta', tool_call_id: call, name, index: 0, arguments: fragment };
}

describe('a JSON text that is still being written', () => {
  // spec: CNV-108
  it('gives every string as far as it has come, at every cut', () => {
    const value = fc.record({ title: fc.string({ unit: 'binary' }), content: fc.string({ unit: 'grapheme' }), replace_all: fc.boolean() });
    fc.assert(
      fc.property(value, fc.nat(), (fields, at) => {
        const text = JSON.stringify(fields);
        const found = partialObject(text.slice(0, at % (text.length + 1)));
        expect(found).not.toBeNull();
        for (const [key, part] of Object.entries(found ?? {})) {
          const whole = fields[key as keyof typeof fields];
          expect(typeof whole === 'string' ? whole.startsWith(String(part)) : whole === part).toBe(true);
        }
        expect(partialObject(text)).toEqual(fields);
      })
    );
  });

  // spec: CNV-108
  it('is nothing when it is malformed', () => {
    for (const text of ['[', '{]', '{"a" "b"', '{"a": "line\nbreak"}', '{"a": "\\q"', '{"a": {}}', '{"a": 1} more', 'no']) {
      expect(partialObject(text)).toBeNull();
    }
  });
});

describe('canvases that are being written', () => {
  const begun = ['{"title": "Pl', 'an", "kind": "markdown", "content": "# On', 'e'].reduce<Drafts>((known, part) => reduceDrafts(known, delta('artifact_create', 'c1', part)), []);

  // spec: CNV-107, CNV-108
  it('grow by fragments in their order', () => {
    expect(begun.map(previewOf)).toEqual([{ call: 'c1', canvas: null, title: 'Plan', kind: 'markdown', language: null, text: '# One', old: null }]);
    const edit = reduceDrafts(begun, delta('artifact_edit', 'c2', '{"id": "abcd1234", "old": "x", "new": "y'));
    expect(edit.map(previewOf)[1]).toMatchObject({ canvas: 'abcd1234', old: 'x', text: 'y' });
    expect(reduceDrafts(begun, delta('shell_run', 'c3', '{"command"'))).toBe(begun);
  });

  // spec: CNV-111
  it('are gone when the call has ended, and hidden while their text is no JSON', () => {
    const result = { type: 'tool_result', tool_call_id: 'c1', name: 'artifact_create', output: 'refused' } as ConversationEvent;
    expect(reduceDrafts(begun, result)).toEqual([]);
    expect(previewOf({ call: 'c', name: 'artifact_create', json: '{"title": nonsense!' })).toBeNull();
  });

  // spec: CNV-110
  it('begin anew for who joins', () => {
    expect(reduceDrafts(begun, { type: 'watching' } as ConversationEvent)).toEqual([]);
    expect(reduceDrafts(begun, { type: 'stopped', run_id: 'r' })).toEqual([]);
  });
});

describe('the canvases that a result names', () => {
  const call = (name: string, output: string, ok = true): NestedCall => ({ name, output, ok, arguments: {}, ms: 1, cost_usd: null }) as unknown as NestedCall;

  // spec: CNV-23, UI-34
  it('stand at the beginning of a canvas call that changed something, and nowhere else', () => {
    expect(tagOf('artifact_edit', '[artifact abcd1234 v4]\nrest')).toEqual({ id: 'abcd1234', version: 4, title: null });
    expect(tagOf('artifact_edit', '[artifact abcd1234 v4] unchanged')).toBeNull();
    expect(tagOf('artifact_edit', 'text [artifact abcd1234 v4]')).toBeNull();
    expect(tagOf('shell_run', '[artifact abcd1234 v4]')).toBeNull();
    expect(tagOf('artifact_read', '[artifact abcd1234 v4]')).toBeNull();
  });

  // spec: CNV-85, CNV-87, CNV-88, CNV-93
  it('are the lines of the block in the answer of a delegate call', () => {
    const head = 'conversation=abcd1234 status=done spent=$0.0100 steps=2\noutcome=done\n';
    const answer = (below: string) => canvasesOf({ name: 'delegate', output: head + below, calls: [] });
    const block = '[artifact aaaa1111 v2] First\n[artifact cccc3333 v1] \n\n(+3 more canvases, see artifact_list)\n[artifact bbbb2222 v9] in the answer';
    expect(answer(block)).toEqual([
      { id: 'aaaa1111', version: 2, title: 'First' },
      { id: 'cccc3333', version: 1, title: null }
    ]);
    expect(answer('\n[artifact bbbb2222 v9] x')).toEqual([]);
    expect(answer('[artifact bbbb2222 v9] x')).toEqual([]); // stored before there was an empty line
    expect(answer('an answer\n\nmore')).toEqual([]);
    expect(canvasesOf({ name: 'delegate', output: 'Ada is busy.', calls: [] })).toEqual([]);
  });

  // spec: CNV-95, UI-34
  it('of a script are those of its calls', () => {
    const calls = [call('artifact_create', '[artifact aaaa1111 v1] T'), call('artifact_edit', 'failed', false), call('artifact_edit', '[artifact aaaa1111 v2] x')];
    expect(canvasesOf({ name: 'run_script', output: '[artifact cccc3333 v1] printed', calls })).toEqual([{ id: 'aaaa1111', version: 2, title: null }]);
  });

  // spec: UI-34
  it('have one chip in a turn, at the last call that wrote them', () => {
    const items = ['[artifact aaaa1111 v1]', '[artifact bbbb2222 v1]', '[artifact aaaa1111 v2]'].map((output, place) => ({
      ...newTool([], `t${place}`, 'artifact_edit', {}, 'done'),
      output
    }));
    expect([...chipsOf(items)].map(([key, tags]) => [key, tags.map(tag => `${tag.id}v${tag.version}`)])).toEqual([
      ['tt2', ['aaaa1111v2']],
      ['tt1', ['bbbb2222v1']]
    ]);
  });
});

describe('comparisons', () => {
  const DIFF = '--- v1\n+++ v2\n@@ -1,4 +1,4 @@\n one\n-two\n+zwei\n three\n four\n@@ -20,2 +20,3 @@\n twenty\n+more\n end';

  // spec: CNV-58, CNV-121
  it('number the lines of the server diff in both texts', () => {
    const lines = unifiedLines(DIFF);
    expect(lines.map(line => line.kind)).toEqual(['same', 'less', 'more', 'same', 'same', 'gap', 'same', 'more', 'same']);
    expect(lines[1]).toEqual({ kind: 'less', old: 2, now: null, text: 'two' });
    expect(lines[5]).toEqual({ kind: 'gap', count: 15 });
    expect(lines[8]).toEqual({ kind: 'same', old: 21, now: 22, text: 'end' });
    expect(counted(lines)).toEqual({ added: 2, removed: 1 });
  });

  // spec: CNV-122
  it('of unsaved words leave equal stretches out', () => {
    const before = Array.from({ length: 30 }, (_one, place) => `line ${place}`);
    const lines = textLines(before.join('\n'), before.with(15, 'mine').join('\n'));
    expect(lines.filter(line => line.kind === 'gap')).toEqual([
      { kind: 'gap', count: 12 },
      { kind: 'gap', count: 11 }
    ]);
    expect(counted(lines)).toEqual({ added: 1, removed: 1 });
  });
});

describe('what a person reads and writes', () => {
  // spec: CNV-8
  it('has titles that cannot move or hide what stands around them', () => {
    expect(shownTitle('\u202eevil\u2066 \u200bplan\n2')).toBe('evil plan 2');
    expect(shownTitle('\u200b\u202e\ufeff')).toBe('');
    expect(shownTitle('تقرير')).toBe('تقرير');
    expect(shownTitle('👩‍💻 code')).toBe('👩‍💻 code');
  });

  // spec: CNV-28
  it('keeps the line ends it had', () => {
    const { text, back } = forEditor('one\r\ntwo\r\n');
    expect(text).toBe('one\ntwo\n');
    expect(back('one\nzwei\n')).toBe('one\r\nzwei\r\n');
    expect(forEditor('a\nb').back('a\nc')).toBe('a\nc');
    expect(forEditor('plain').back('plain\nmore')).toBe('plain\nmore');
  });

  // spec: UI-141
  it('goes into a notebook word for word, a diagram as a block that it cannot leave', () => {
    expect(cellSource({ kind: 'code' }, 'x = 1\n')).toBe('x = 1\n');
    expect(cellSource({ kind: 'mermaid' }, 'graph TD\n```\nA\n')).toBe('````mermaid\ngraph TD\n```\nA\n````');
  });
});
