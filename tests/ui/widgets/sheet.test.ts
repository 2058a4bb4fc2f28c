import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../labextension/${path}`, import.meta.url), 'utf8');
const sheet = ['live/frame', 'timeline/timeline'].map(name => read(`src/widgets/${name}.css`)).join('\n');

/** Custom properties of a block, by name. */
function properties(css: string, selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start)).replace(/\/\*.*?\*\//gs, '');
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(found => [found[1] ?? '', (found[2] ?? '').replace(/\s+/g, ' ')]));
}

describe('the sheet of the timeline', () => {
  // spec: UI-156
  it('has the same formulas as the tokens of the panel', () => {
    const tokens = properties(`\n${read('style/tokens.css')}`, 'body');
    const own = properties(sheet, '.crew-widget');
    expect(own.size).toBeGreaterThan(15);
    for (const [name, value] of own) {
      expect(value, name).toBe(tokens.get(name));
    }
  });

  // spec: UI-155
  it('brings a value for every variable of JupyterLab that it and its tokens use, light and dark', () => {
    const light = properties(sheet, '.crew-widget.alone');
    const dark = properties(sheet, '.crew-widget.alone.dark');
    const used = new Set([...sheet.matchAll(/var\((--jp-[\w-]+)\)/g)].map(found => found[1] ?? ''));
    for (const name of used) {
      expect(light.has(name), name).toBe(true);
    }
    for (const name of light.keys()) {
      expect(dark.has(name) || !/color\d/.test(name), name).toBe(true);
    }
  });
});
