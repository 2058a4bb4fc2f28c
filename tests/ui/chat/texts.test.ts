import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isKey, translate } from '@crew/shared/texts';
import { en } from '@crew/shared/texts/en';
import { ask } from '@crew/shared/texts/en_ask';
import { chat } from '@crew/shared/texts/en_chat';
import { work } from '@crew/shared/texts/en_work';
import { vi } from '@crew/shared/texts/vi';

const SOURCE = join(import.meta.dirname, '../../../labextension/src');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name) && !name.startsWith(join('shared', 'texts')) && !name.endsWith('contract.ts'));
const read = (name: string): string => readFileSync(join(SOURCE, name), 'utf8');
const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(found => found[1] ?? '').sort();

describe('the catalogue', () => {
  // spec: UI-6
  it('is complete in Vietnamese: the same keys, the same places, no text left in English', () => {
    expect(Object.keys(vi).sort()).toEqual(Object.keys(en).sort());
    const same: string[] = [];
    for (const [key, text] of Object.entries(en)) {
      const other = vi[key as keyof typeof en];
      expect([key, places(other)]).toEqual([key, places(text)]);
      expect(other.trim()).not.toBe('');
      if (other === text && /\p{L}/u.test(text.replace(/\{\w+\}/g, ''))) {
        same.push(key);
      }
    }
    expect(same.filter(key => !/^([A-Z]{3}|[Aa]gent)$/.test(en[key as keyof typeof en]))).toEqual([]); // USD is USD, and an agent is an agent
  });

  // spec: UI-6
  it('has every key that is used, and no key that is not', () => {
    const all = files.map(read).join('\n');
    const literal = new Set([...all.matchAll(/'([a-z_]+\.[\w.]+)'/g)].map(found => found[1] ?? ''));
    const prefixes = [...all.matchAll(/`([a-z_]+\.[\w.]*)\$\{/g)].map(found => found[1] ?? '');
    const called = [...all.matchAll(/\bt\(\s*'([^']+)'/g)].map(found => found[1] ?? '');
    expect(called.filter(key => !isKey(key))).toEqual([]);
    const unused = Object.keys({ ...chat, ...ask, ...work }).filter(key => !literal.has(key) && !prefixes.some(prefix => key.startsWith(prefix)));
    expect(unused).toEqual([]);
  });

  it('fills places, writes numbers as the language does, and knows one from many', () => {
    expect(translate('en')('tool.calls_failed', { n: 1234, failed: 1 })).toBe('1,234 calls, 1 failed');
    expect(translate('en')('tool.calls', { n: 1 })).toBe('1 call');
    expect(translate('vi')('tool.calls', { n: 1234 })).toBe('1.234 lần gọi');
    expect(translate('en')('head.spent', { spent: '$1' })).toBe('$1 of {cap}');
    expect(translate('en')('list.delete_ask', { title: '{n} [n:a|b] $& $1' })).toBe('Delete "{n} [n:a|b] $& $1"? This cannot be undone.');
  });

  it('has the voice of the guide: no exclamation marks, no capitals, no please', () => {
    const spoken: string[] = [en['welcome.small_1']]; // what the person says, not the panel; the model answers this greeting well
    for (const text of Object.values(en).filter(one => !spoken.includes(one))) {
      expect(text).not.toMatch(/!|\bplease\b|\boops\b|successfully/i);
    }
    for (const text of [...Object.values(en), ...Object.values(vi)]) {
      expect(text).not.toMatch(/\p{Extended_Pictographic}/u);
    }
  });
});

const SPOKEN = new Set(['aria-label', 'aria-valuetext', 'title', 'placeholder', 'label', 'alt', 'hint', 'what']);

/** Words that stand in a view instead of in the catalogue. Commands (`/steer`) are no words. */
function wordsIn(name: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text) && !node.text.trim().startsWith('/')) {
      found.push(`${name}: ${node.text.trim()}`);
    }
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer)) {
      found.push(`${name}: ${node.initializer.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, read(name), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX));
  return found;
}

describe('the views', () => {
  // spec: UI-6
  it('hold no text of their own', () => {
    expect(files.filter(name => name.endsWith('.tsx')).flatMap(wordsIn)).toEqual([]);
  });

  // spec: UI-2
  it('use no state library', () => {
    expect(files.map(read).join('\n')).not.toMatch(/from '(redux|zustand|mobx|jotai|recoil|@reduxjs|rxjs|valtio)/);
  });
});
