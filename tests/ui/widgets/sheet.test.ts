import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../labextension/${path}`, import.meta.url), 'utf8');
const sheet = ['live/frame', 'timeline/timeline'].map(name => read(`src/widgets/${name}.css`)).join('\n');

/** Custom properties of a block, by name. */
function properties(css: string, selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start)).replace(/\/\*.*?\*\//gs, '');
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(found => [found[1] ?? '', (found[2] ?? '').replace(/\s+/g, ' ')]));
}

const style = new URL('../../../labextension/style/', import.meta.url);
const pieces = readdirSync(style)
  .filter(name => name.endsWith('.css'))
  .map(name => read(`style/${name}`))
  .join('\n');

describe('the sheet of the components', () => {
  // spec: UI-156
  it('has the tokens of the panel: they are set on a widget as on the page', () => {
    const tokens = read('style/tokens.css');
    expect(properties(tokens, 'body,\n.crew-widget').size).toBeGreaterThan(50);
    expect([...properties(sheet, '.crew-widget').keys()]).toEqual([]);
    expect(properties(tokens, "body[data-jp-theme-light='false'],\nbody[data-jp-theme-light='false'] .crew-widget,\n.crew-widget.alone.dark").size).toBe(2);
  });

  // spec: UI-155
  it('brings a value for every variable of JupyterLab that it, its pieces and its tokens use, light and dark', () => {
    const light = properties(sheet, '.crew-widget.alone');
    const dark = properties(sheet, '.crew-widget.alone.dark');
    const used = new Set([...`${sheet}${pieces}`.matchAll(/var\((--jp-[\w-]+)\)/g)].map(found => found[1] ?? ''));
    for (const name of used) {
      expect(light.has(name), name).toBe(true);
    }
    for (const [name, value] of light) {
      expect(dark.has(name) || !/color\d/.test(name) || value.startsWith('var('), name).toBe(true);
    }
  });
});
