// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '@crew/shared/unseen';
import { drawPanel, fakeApp } from './app';
import { approval, user } from './data';

const asking = (command: string, reason: string | null = null) =>
  fakeApp({
    view: { items: [user('x')], running: true, pending: approval({ tool: 'shell_run', arguments: { command, timeout_s: 30 }, reason, summary: 'Runs one command.' }) },
    conversation: { lock: 'approval' }
  });

describe('the card of a shell command', () => {
  // spec: SHL-90, SBX-9, GATE-31
  it('shows the whole command at once, however long, in a box that is not folded', () => {
    const command = `${'echo step && \\\n'.repeat(60)}rm -rf "$HOME" # ${'x'.repeat(2000)} the end`;
    const { container } = drawPanel(asking(command));
    const box = container.querySelector('.crew-ask pre');
    expect(box?.textContent).toBe(command);
    expect(box?.className).toBe('crew-code exact');
    expect(screen.getByText('Runs one command.')).toBeTruthy();
    expect(screen.getByText(/^A long command: 61 lines, [\d,.]+ characters/)).toBeTruthy();
  });

  // spec: SHL-30, SHL-31, SHL-90, GATE-25
  it('names the pattern that matched and offers no "Always allow"', () => {
    drawPanel(asking('sudo make install', 'sudo '));
    expect(screen.getByText(/^Asks every time: sudo/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Always/ })).toBeNull();
    expect(screen.queryByText(/^A long command/)).toBeNull();
  });

  // spec: SHL-90, SBX-9
  it('says why it asks above the command, where a long one cannot push it out of sight', () => {
    const { container } = drawPanel(asking('echo x\n'.repeat(80), 'sudo '));
    const parts = [...container.querySelectorAll('.crew-ask .body > *')].map(one => one.className);
    expect(parts.indexOf('why')).toBeGreaterThan(-1);
    expect(parts.indexOf('why')).toBeLessThan(parts.indexOf('crew-code exact'));
  });

  // spec: SHL-90, SBX-9
  it('writes out what would not be seen, and marks it', () => {
    const { container } = drawPanel(asking('echo safe\u202e # \u200bhs.live\rrm\u00a0-rf'));
    const box = container.querySelector('.crew-ask pre');
    expect(box?.textContent).toBe('echo safeU+202E # U+200Bhs.liveU+000DrmU+00A0-rf');
    expect([...(box?.querySelectorAll('mark') ?? [])].map(one => one.textContent)).toEqual(['U+202E', 'U+200B', 'U+000D', 'U+00A0']);
  });

  // spec: SHL-90
  it('keeps a word with a hyphen on one line, where it would look like two', () => {
    const { container } = drawPanel(asking('git push --force -- --prefix=/opt\nx'));
    expect([...container.querySelectorAll('.crew-ask pre .crew-whole')].map(one => one.textContent)).toEqual(['--force', '--', '--prefix=/opt']);
    expect(container.querySelector('.crew-ask pre')?.textContent).toBe('git push --force -- --prefix=/opt\nx');
  });
});

describe('unseen characters', () => {
  // spec: SHL-90
  it.each([
    ['plain text, tabs\tand\nlines', []],
    ['Tiếng Việt, עברית, 日本語, emoji 🙂', []],
    ['\u0000\u0007\u001b[31m', ['U+0000', 'U+0007', 'U+001B']],
    ['\u061c\u200e\u200f\u202a\u202e\u2066\u2069', ['U+061C', 'U+200E', 'U+200F', 'U+202A', 'U+202E', 'U+2066', 'U+2069']],
    ['\u200b\u200c\u200d\u2060\ufeff\u00ad', ['U+200B', 'U+200C', 'U+200D', 'U+2060', 'U+FEFF', 'U+00AD']],
    ['\u3000\u2003\u2028\u2029\u0085', ['U+3000', 'U+2003', 'U+2028', 'U+2029', 'U+0085']],
    ['\u3164\u2800\u115f\ufe0f', ['U+3164', 'U+2800', 'U+115F', 'U+FE0F']],
    ['\u{e0041}\u{e0100}\ud800', ['U+E0041', 'U+E0100', 'U+D800']]
  ])('%j', (text, unseen) => {
    const pieces = piecesOf(text);
    expect(pieces.filter(piece => piece.unseen).map(piece => piece.text)).toEqual(unseen);
    expect(pieces.every(piece => piece.text !== '')).toBe(true);
  });

  // spec: SHL-90
  it('leaves nothing out and gives an empty text as one piece', () => {
    expect(piecesOf('a\u200bb').map(piece => piece.text)).toEqual(['a', 'U+200B', 'b']);
    expect(piecesOf('')).toEqual([{ text: '', unseen: false }]);
  });
});

describe('the card of a change', () => {
  // spec: GATE-31
  it('shows both passages at once: what goes and what comes', () => {
    drawPanel(fakeApp({ view: { items: [user('x')], running: true, pending: approval({ tool: 'workspace_edit', arguments: { path: 'a.md', old: 'one\ntwo', new: 'thr\u202eee' }, summary: null }) }, conversation: { lock: 'approval' } }));
    expect(screen.getByRole('group', { name: 'Goes' }).textContent).toBe('one\ntwo\n');
    expect(screen.getByRole('group', { name: 'Comes' }).textContent).toBe('thrU+202Eee\n');
    expect(screen.queryByText(/path, old/)).toBeNull();
  });

  // spec: GATE-31, GATE-102
  it('shows the paragraphs of a reason that tells the whole call, and no empty sentence above', () => {
    const reason = 'A schedule that runs by itself: daily\n\nPrompt, word for word:\nRead the news.';
    const { container } = drawPanel(fakeApp({ view: { items: [user('x')], running: true, pending: approval({ tool: 'schedule_create', arguments: { name: 'n' }, reason, summary: null }) }, conversation: { lock: 'approval' } }));
    expect(container.querySelector('.crew-ask .why > span:last-child')?.textContent).toBe(reason);
    expect(screen.queryByText(/wants to use schedule create/)).toBeNull();
  });
});
