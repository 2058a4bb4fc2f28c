// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@crew/shared/api';
import { drawPanel, type FakeApp, fakeApp } from './app';
import { answer, user } from './data';

const CODE = '<p>a</p><pre><code class="cm-s-jupyter language-python"><span>x</span> = 1\n</code></pre><p>b</p>';

function showing(text: string, changes: { running?: boolean; streaming?: boolean } = {}): FakeApp {
  const item = { ...answer(text), streaming: changes.streaming ?? false };
  return fakeApp({ view: { items: [user('q'), item], running: changes.running ?? false } });
}

/** The words of a line, without its icon. */
function said(line: HTMLElement): string | null | undefined {
  return line.lastElementChild?.textContent;
}

function drawsCode(app: FakeApp): void {
  app.renderMarkdown.mockImplementation(async (_text: string, host: HTMLElement) => {
    host.innerHTML = CODE;
  });
}

beforeEach(() => {
  let made = 0;
  URL.createObjectURL = vi.fn(() => `blob:${(made += 1)}`);
  URL.revokeObjectURL = vi.fn();
});
afterEach(() => vi.restoreAllMocks());

describe('code of an answer', () => {
  // spec: UI-138
  it('has Copy, Insert, Replace and To a new notebook, with the code and the key of its answer', async () => {
    const app = showing('```python\nx = 1\n```');
    drawsCode(app);
    drawPanel(app);
    const group = await screen.findByRole('group', { name: 'Code' });
    const press = (name: string): void => void fireEvent.click(within(group).getByRole('button', { name }));
    press('Copy');
    expect(app.copy).toHaveBeenCalledWith('x = 1');
    const key = app.conversation.getSnapshot().view.items[1]?.key;
    press('Insert as cell below');
    press('Replace active cell');
    press('To a new notebook');
    const args = { code: 'x = 1', language: 'python', key };
    expect(app.execute.mock.calls).toEqual([
      ['crewlab:insert-code', args],
      ['crewlab:replace-cell', args],
      ['crewlab:insert-code', { ...args, fresh: true }]
    ]);
    expect(group.nextElementSibling?.tagName).toBe('PRE');
  });

  // spec: UI-138
  it('has no buttons while it is being written, and gets them once when it is whole', async () => {
    const app = showing('```python\nx = 1', { running: true, streaming: true });
    drawsCode(app);
    drawPanel(app);
    await waitFor(() => expect(document.querySelector('pre')).not.toBeNull());
    expect(screen.queryByRole('group', { name: 'Code' })).toBeNull();
    const [question, written] = app.conversation.getSnapshot().view.items;
    app.show({ items: [question, { ...written, streaming: false }] as never, running: false });
    await screen.findByRole('group', { name: 'Code' });
    expect(screen.getAllByRole('group', { name: 'Code' })).toHaveLength(1);
  });

  // spec: UI-138
  it('can only be copied where there are no notebooks', async () => {
    const app = showing('code');
    app.has.mockReturnValue(false);
    drawsCode(app);
    drawPanel(app);
    const group = await screen.findByRole('group', { name: 'Code' });
    expect(within(group).getAllByRole('button')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Insert answer as Markdown cell' })).toBeNull();
  });

  // spec: UI-139
  it('stands above a line with Insert answer', async () => {
    const app = showing('words');
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Insert answer as Markdown cell' }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:insert-answer', { key: app.conversation.getSnapshot().view.items[1]?.key });
  });
});

describe('files of an answer', () => {
  // spec: UI-36, MED-2, MED-8, FIL-2
  it('draws a picture from memory, of the workspace of the agent, and says nothing of the line', async () => {
    const app = showing('before\nMEDIA:out/x.png\nafter');
    const { unmount } = drawPanel(app);
    const picture = await screen.findByRole('img', { name: 'x.png' });
    expect(picture.getAttribute('src')).toBe('blob:1');
    expect(app.files.read).toHaveBeenCalledWith('master', 'out/x.png', expect.anything());
    expect(screen.getByRole('log').textContent).not.toContain('MEDIA:');
    expect(screen.getByRole('link', { name: 'Open: x.png' }).getAttribute('href')).toBe('blob:1');
    unmount();
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:1');
  });

  // spec: UI-36, MED-14
  it('gives a picture the type of its suffix, whatever the server sent', async () => {
    const app = showing('MEDIA:x.jpg');
    app.files.read.mockResolvedValue(new Blob(['<script>'], { type: 'text/html' }));
    drawPanel(app);
    await screen.findByRole('img', { name: 'x.jpg' });
    expect(vi.mocked(URL.createObjectURL).mock.calls[0]?.[0]).toHaveProperty('type', 'image/jpeg');
  });

  // spec: UI-36, MED-6, MED-7
  it.each([
    ['MEDIA:x.svg', 'Not shown: x.svg. Only png, jpg, jpeg, webp and gif are shown.'],
    ['FILE:.env', 'Not offered: .env. Only pdf, csv, md, txt, xlsx, json and zip are offered.']
  ])('says why %s is not sent, and asks for nothing', async (line, words) => {
    const app = showing(line);
    drawPanel(app);
    expect(said(await screen.findByRole('note'))).toBe(words);
    expect(app.files.read).not.toHaveBeenCalled();
    expect(app.files.size).not.toHaveBeenCalled();
  });

  // spec: UI-36, MED-6, MED-7
  it('says why a file that is not there cannot be shown or offered', async () => {
    const app = showing('MEDIA:gone.png\nFILE:gone.csv');
    app.files.read.mockRejectedValue(new ApiError('not_found', 404, 'It is missing.'));
    app.files.size.mockRejectedValue(new ApiError('too_large', 413, 'It is too large.'));
    drawPanel(app);
    await waitFor(() => expect(screen.getAllByRole('note').map(said)).toEqual(['Not shown: gone.png. There is no such file in the workspace.', 'Not offered: gone.csv. It is too large.']));
  });

  // spec: UI-36, MED-3, MED-5, FIL-2
  it('offers a file with its size and reads it when the person asks', async () => {
    const app = showing('FILE:out/data.csv');
    app.files.size.mockResolvedValue(2048);
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    drawPanel(app);
    const button = await screen.findByRole('button', { name: 'Download: data.csv' });
    await waitFor(() => expect(button.textContent).toContain('2 KB'));
    expect(app.files.read).not.toHaveBeenCalled();
    await act(async () => void fireEvent.click(button));
    expect(app.files.read).toHaveBeenCalledWith('master', 'out/data.csv');
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('data.csv');
  });

  // spec: MED-5, MED-7
  it('does not offer a file of more than 20 MB', async () => {
    const app = showing('FILE:big.zip');
    app.files.size.mockResolvedValue(20 * 1024 * 1024 + 1);
    drawPanel(app);
    expect(said(await screen.findByRole('note'))).toBe('Not offered: big.zip. It has 21 MB, at most 20 MB are offered.');
  });

  // spec: UI-36, CNV-82
  it('leads to a canvas', async () => {
    const app = showing('FILE: artifact:art_1');
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: /art_1/ }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { id: 'art_1' });
  });
});

describe('a new build', () => {
  // spec: UI-128
  it('is a bar with Reload, one bar at a time', () => {
    const app = fakeApp();
    drawPanel(app);
    expect(screen.queryByText('A new version is ready.')).toBeNull();
    act(() => app.build.put({ stale: true, version: null, development: false }));
    expect(screen.getByText('A new version is ready.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
    act(() => app.connection.put({ status: 'offline', offlineSince: 0, transport: null, opens: 1 }));
    expect(screen.queryByText('A new version is ready.')).toBeNull();
    expect(screen.getByText(/^No connection/)).toBeTruthy();
  });
});
