// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NotebookCommand } from '@crew/shared/notebook/ids';
import { Command } from '@crew/lab/ids';
import { DEFAULTS, readSettings } from '@crew/lab/settings';
import { countedTitle, statusText } from '@crew/shared/attention';
import { linkPictures } from '@crew/shared/pictures';
import { crewView, frames } from './recorded';
import { run } from './world';

interface Schema {
  properties: Record<string, { default: unknown; enum?: unknown[] }>;
  'jupyter.lab.shortcuts': { command: string; keys: string[]; selector: string }[];
}
const schema = JSON.parse(readFileSync(`${process.cwd()}/schema/lab/plugin.json`, 'utf8')) as Schema;

describe('the settings', () => {
  // spec: UI-132
  it('are those of the schema, with its defaults', () => {
    expect(Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, one.default]))).toEqual(DEFAULTS);
    expect(readSettings({})).toEqual(DEFAULTS);
  });

  // spec: UI-132
  it('are read as they are written, and nonsense is the default', () => {
    for (const [name, { enum: values }] of Object.entries(schema.properties)) {
      for (const value of values ?? [true, false]) {
        expect(readSettings({ [name]: value })).toMatchObject({ [name]: value });
      }
      expect(readSettings({ [name]: { no: 'sense' } })).toEqual(DEFAULTS);
    }
  });

  // spec: UI-131
  it('bind the keys of the chat, and none to Stop', () => {
    const keys = schema['jupyter.lab.shortcuts'];
    expect(Object.fromEntries(keys.map(one => [one.keys.join(' '), [one.command, one.selector]]))).toEqual({
      'Accel Alt C': [Command.focusChat, 'body'],
      'Accel Alt Enter': [NotebookCommand.sendCell, '.jp-Notebook'],
      'Accel S': ['crewlab:save-canvas', '.crewlab-Canvas'],
      'Accel K': [Command.search, '.crewlab-ChatWidget'],
      Escape: [Command.escape, '.crewlab-ChatWidget']
    });
  });
});

describe('what is said outside of the panel', () => {
  // spec: UI-77
  it.each([
    ['JupyterLab', 2, '(2) JupyterLab'],
    ['(2) JupyterLab', 3, '(3) JupyterLab'],
    ['(3) JupyterLab', 0, 'JupyterLab'],
    ['notes (2).ipynb', 1, '(1) notes (2).ipynb']
  ])('puts the number in front of the title %s', (title, waiting, counted) => {
    expect(countedTitle(title, waiting)).toBe(counted);
  });

  // spec: UI-135
  it('counts working agents and waiting requests', () => {
    const view = crewView(frames('activity-snapshot'));
    expect(statusText(view)).toEqual({ key: 'status.working', working: 1, waiting: 0 });
    const others = [run, { ...run, id: 'r2', agent_id: 'coder' }, { ...run, id: 'r3', status: 'waiting' as const, agent_id: 'x' }];
    expect(statusText({ ...view, runs: others, pending: 1 })).toEqual({ key: 'status.both', working: 2, waiting: 1 });
    expect(statusText({ ...view, runs: [] }).key).toBe('status.idle');
    expect(statusText({ ...view, runs: [], pending: 1 }).key).toBe('status.waiting');
  });
});

describe('pictures in an answer', () => {
  const here = 'http://127.0.0.1:8888';

  // spec: UI-26
  it.each([
    ['http://example.org/a.png', true],
    ['//example.org/a.png', true],
    ['https://127.0.0.1:8888/a.png', true],
    ['ftp://example.org/a.png', true],
    ['http://127.0.0.1:8888/files/a.png', false],
    ['files/a.png', false],
    ['data:image/png;base64,AAAA', false]
  ])('from %s are links: %s', (address, linked) => {
    const html = linkPictures(`<p>see <img src="${address}" alt="the tide" srcset="http://example.org/b.png 2x"></p>`, here);
    expect(html.includes('<img')).toBe(!linked);
    expect(html).not.toContain('srcset');
    expect(html.includes(`<a href="${address}" rel="noopener noreferrer" target="_blank">the tide</a>`)).toBe(linked);
  });

  // spec: UI-26
  it('ask nobody through videos, sources or posters either', () => {
    const html = linkPictures(
      '<video src="http://example.org/v.mp4"></video><video poster="http://example.org/p.png" src="v.mp4"><source src="http://example.org/s"></video><picture><source srcset="http://example.org/x"><img src="a.png"></picture>',
      here
    );
    expect(html.match(/example\.org/g)).toHaveLength(2); // the address and the words of one link
    expect(html).not.toMatch(/poster|<source/);
  });

  it('leave everything else as it was', () => {
    const html = '<p>a &lt; b <em>c</em></p>';
    expect(linkPictures(html, here)).toBe(html);
  });
});
