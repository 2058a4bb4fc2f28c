import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { colorOf, contrast } from './color';
import { dark, light, type Theme } from './themes';

const STYLE = join(import.meta.dirname, '../../../labextension/style');
const sheet = (name: string): string => readFileSync(join(STYLE, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const sheets = readdirSync(STYLE).filter(name => name.endsWith('.css'));

/** The declarations of `tokens.css`: those of every theme, then those of dark ones. */
function tokens(theme: Theme, isDark: boolean): Record<string, string> {
  const blocks = [...sheet('tokens.css').matchAll(/([^{}]+)\{([^}]*)\}/g)].filter(block => isDark || !block[1]?.includes('data-jp-theme-light'));
  const lines = blocks.flatMap(block => [...(block[2] ?? '').matchAll(/(--[\w-]+):\s*([^;]+);/g)]);
  return { ...theme, ...Object.fromEntries(lines.map(line => [line[1] ?? '', line[2] ?? ''])) };
}

const THEMES = { light: tokens(light, false), dark: tokens(dark, true) };
const of = (theme: keyof typeof THEMES, fore: string, ground: string): number => contrast(colorOf(`var(${fore})`, THEMES[theme]), colorOf(`var(${ground})`, THEMES[theme]));

describe('contrast', () => {
  // spec: UI-120
  it.each([
    ['--crew-fg', '--crew-bg', 4.5, 4.5],
    ['--crew-fg', '--crew-accent-soft', 4.5, 4.5],
    ['--crew-fg-2', '--crew-bg-raised', 6.5, 5.9],
    ['--crew-fg-2', '--crew-bg-sunken', 4.5, 4.5],
    ['--crew-fg-2', '--crew-accent-soft', 4.5, 4.5],
    ['--crew-accent', '--crew-bg', 6.5, 6.5],
    ['--crew-accent', '--crew-accent-soft', 5.6, 5.5],
    ['--crew-warn', '--crew-warn-soft', 5.6, 5.3],
    ['--crew-error', '--crew-error-soft', 5.6, 5.3],
    ['--crew-ok', '--crew-ok-soft', 5.6, 5.3],
    ['--crew-error', '--crew-bg-sunken', 4.5, 4.5],
    ['--crew-on-fill', '--crew-accent-fill', 4.6, 4.6],
    ['--crew-line-control', '--crew-bg', 3.4, 4.4]
  ])('of %s on %s is as the guide says', (fore, ground, inLight, inDark) => {
    const slack = 0.05; // the guide rounds
    expect(of('light', fore, ground)).toBeGreaterThanOrEqual(inLight - slack);
    expect(of('dark', fore, ground)).toBeGreaterThanOrEqual(inDark - slack);
  });

  // spec: UI-120, UI-124
  it.each(Array.from({ length: 12 }, (_, hue) => hue))('of a letter on the avatar hue %i is enough', hue => {
    const [letter, tint] = [`color-mix(in srgb, var(--crew-h${hue}) 62%, var(--jp-ui-font-color0))`, `color-mix(in srgb, var(--crew-h${hue}) 18%, var(--jp-layout-color1))`];
    expect(sheet('base.css')).toContain(letter.replace(`var(--crew-h${hue})`, 'var(--h, var(--crew-h0))'));
    for (const declared of Object.values(THEMES)) {
      expect(contrast(colorOf(letter, declared), colorOf(tint, declared))).toBeGreaterThanOrEqual(4.5);
    }
  });

  // spec: UI-120
  it('the fill with white text is the same in both themes, and nothing else carries white text', () => {
    expect(colorOf('var(--crew-accent-fill)', THEMES.light)).toEqual(colorOf('var(--crew-accent-fill)', THEMES.dark));
    for (const name of sheets) {
      const whites = [...sheet(name).matchAll(/([^{}]+)\{[^}]*[\s;{]color: (?:#fff|white|var\(--crew-on-fill\))[^}]*\}/g)].map(rule => rule[0]);
      expect(whites.filter(rule => !rule.includes('background: var(--crew-accent-fill)'))).toEqual([]);
    }
  });
});

describe('the sheets', () => {
  // spec: UI-121
  it('name colours only through tokens and the theme', () => {
    const literal = /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i;
    const allowed = /rgb\(0 0 0 \/ 36%\)|color-mix\(in srgb, #000 10%|background: #fff/; // scrim, pressed fill, knob of a switch
    for (const name of sheets.filter(one => one !== 'tokens.css')) {
      const lines = sheet(name).split('\n');
      expect(lines.filter(line => literal.test(line) && !allowed.test(line))).toEqual([]);
    }
  });

  // spec: UI-121
  it('use only tokens that exist', () => {
    for (const name of sheets) {
      const used = [...sheet(name).matchAll(/var\((--crew-[\w-]+)/g)].map(use => use[1] ?? '');
      expect(used.filter(token => !(token in THEMES.light))).toEqual([]);
    }
  });

  // spec: UI-122
  it('load nothing from elsewhere', () => {
    for (const name of sheets) {
      expect(sheet(name)).not.toMatch(/https?:|@font-face/);
    }
  });

  // spec: UI-118
  it('stop every motion where less is wanted, and never take the focus ring away without a frame of its own', () => {
    const moving = sheets.flatMap(name => [...sheet(name).matchAll(/animation: (crew-[\w]+)/g)].map(use => use[1]));
    expect(new Set(moving)).toEqual(new Set(['crew-spin', 'crew-fade', 'crew-slide']));
    const still = sheet('motion.css').split('prefers-reduced-motion')[1] ?? '';
    for (const name of ['.crew-bead.run::before', '.crew-ring', '.crew-drawer', '.crew-scrim']) {
      expect(still).toContain(name);
    }
    const bare = sheets.flatMap(name => [...sheet(name).matchAll(/([^{}]+)\{[^}]*outline: none/g)].map(rule => (rule[1] ?? '').trim().split('\n').pop()));
    expect(bare.filter(selector => !/input|textarea/.test(selector ?? ''))).toEqual([]);
  });

  // spec: UI-12
  it('ask for the width of the widget, never of the window', () => {
    for (const name of sheets) {
      expect(sheet(name)).not.toMatch(/@media[^{]*(?:width|height)/);
    }
  });
});

describe('the icons', () => {
  const files = readdirSync(join(STYLE, 'icons'));

  // spec: UI-123
  it('are line drawings in one colour that a theme can set, each used by its name', () => {
    const list = readFileSync(join(STYLE, '../src/chat/parts/svgs.ts'), 'utf8');
    for (const file of files) {
      const text = readFileSync(join(STYLE, 'icons', file), 'utf8');
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="16" height="16" viewBox="0 0 16 16" fill="none"><g class="jp-icon3" stroke="#616161"/);
      expect(text).not.toMatch(/class="jp-icon3"[^>]*fill=/); // JupyterLab would fill it
      expect(text).not.toMatch(/<(script|style|image|a)\b|\son\w+=/);
      expect(list).toContain(`/icons/${file}'`);
    }
  });
});
