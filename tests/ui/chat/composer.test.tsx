// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { offered, putInFront, sends } from '@crew/chat/composer/keys';
import { drawPanel, fakeApp, settle } from './app';
import type { DraftFile } from '@crew/shared/stores/types';
import { agent, user } from './data';

const PRESS = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, keyCode: 13 };
const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' });
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });

describe('keys of the composer', () => {
  // spec: UI-41
  it.each([
    ['Enter sends', {}, 'Enter', true],
    ['Shift+Enter breaks the line', { shiftKey: true }, 'Enter', false],
    ['Enter of a composition never sends', { isComposing: true }, 'Enter', false],
    ['Enter that ends a composition in Safari never sends', { keyCode: 229 }, 'Enter', false],
    ['another key never sends', { key: 'a' }, 'Enter', false],
    ['with the other setting Enter breaks the line', {}, 'Accel Enter', false],
    ['with the other setting Ctrl+Enter sends', { ctrlKey: true }, 'Accel Enter', true],
    ['with the other setting a composition never sends', { ctrlKey: true, isComposing: true }, 'Accel Enter', false]
  ] as const)('%s', (_name, change, setting, sent) => {
    expect(sends({ ...PRESS, ...change }, setting)).toBe(sent);
  });

  // spec: UI-41, FU-5
  it('sends on Enter and keeps the focus, and does not while an input method composes', async () => {
    const app = fakeApp({ view: { items: [user('before')] } });
    drawPanel(app);
    field().focus();
    type('Xin chào');
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true, keyCode: 229 });
    expect(app.conversation.send).not.toHaveBeenCalled();
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    await settle();
    expect(app.conversation.send).toHaveBeenCalledWith('Xin chào');
    expect(field().value).toBe('');
    expect(document.activeElement).toBe(field());
  });

  // spec: UI-41
  it('stays open while the agent works', async () => {
    const app = fakeApp({ view: { running: true, items: [user('before')] } });
    drawPanel(app);
    type('and then this');
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    await settle();
    expect(app.conversation.send).toHaveBeenCalledWith('and then this');
  });
});

describe('words that wait or come back', () => {
  const queued = [
    { item_id: 1, kind: 'follow_up' as const, text: 'Then draft it', position: 1, created_at: '', attachments: [] },
    { item_id: 2, kind: 'steer' as const, text: 'Skip station 16', position: 1, created_at: '', attachments: [] }
  ];

  // spec: UI-42, UI-43, UI-44
  it('shows a chip for each, with its place in words and no button of its own', () => {
    const { container } = drawPanel(fakeApp({ view: { running: true, items: [user('x')], queued } }));
    const chips = [...container.querySelectorAll('.crew-queue')];
    expect(chips.map(chip => [...chip.querySelectorAll('.crew-grow > div')].map(line => line.textContent))).toEqual([
      ['Skip station 16', 'Will be inserted into the running turn'],
      ['Then draft it', 'Queued, runs after this turn']
    ]);
    expect(chips.every(chip => chip.querySelector('button') === null)).toBe(true);
  });

  // spec: UI-45
  it('Stop puts the words of the chips in front of what is being written', async () => {
    const app = fakeApp({ view: { running: true, items: [user('x')] } });
    app.conversation.stop.mockResolvedValue(['first', 'second']);
    drawPanel(app);
    type('third');
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await settle();
    expect(field().value).toBe('first\n\nsecond\n\nthird');
    expect(putInFront([], 'alone')).toBe('alone');
  });

  // spec: UI-46
  it('says that the work runs elsewhere, and nothing when there is nothing to say', () => {
    const app = fakeApp({ view: { running: true, items: [user('x')] } });
    drawPanel(app);
    expect(screen.queryByText(/cannot be stopped from here/)).toBeNull();
    app.show({}, { stopNotice: 'elsewhere' });
    expect(screen.getByText('The work runs elsewhere and cannot be stopped from here.')).toBeTruthy();
  });

  // spec: UI-48
  it.each([
    ['approval_pending', 'Not sent: a decision waits above.'],
    ['empty_steer', 'Not sent: /steer needs words after it.'],
    ['queue_full', 'Not sent: 20 messages wait already.'],
    ['surprise', 'Not sent: the server says why']
  ])('a refusal (%s) keeps the words and says why', async (code, said) => {
    const app = fakeApp({ view: { items: [user('x')] } });
    app.conversation.send.mockImplementation(async text => {
      const failure = { code, status: 409, message: 'the server says why', fields: {} };
      app.show({}, { unsent: { text, files: [], request_id: 'r', failure, again: false } });
      return 'refused';
    });
    drawPanel(app);
    type('my words');
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    await settle();
    expect(field().value).toBe('my words');
    expect(screen.getByRole('alert').textContent).toContain(said);
    expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
  });

  // spec: UI-49
  it('offers to send again with the same id when the answer was lost', () => {
    const failure = { code: 'lost', status: 0, message: 'no answer', fields: {} };
    const app = fakeApp({ view: { items: [user('x')] }, conversation: { unsent: { text: 'w', files: [], request_id: 'r', failure, again: true } } });
    drawPanel(app);
    expect(field().value).toBe('w');
    fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
    expect(app.conversation.sendAgain).toHaveBeenCalledOnce();
  });

  // spec: UI-50
  it.each([
    ['cap', 'Raise the cap to write on'],
    ['approval', 'Decide above, then write on'],
    ['question', 'Answer above, then write on']
  ] as const)('locks for %s, says what to do, and keeps the words', (lock, said) => {
    const app = fakeApp({ view: { items: [user('x')] } });
    drawPanel(app);
    type('kept');
    app.show({}, { lock });
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    expect(screen.getByText(said)).toBeTruthy();
    app.show({}, { lock: null });
    expect(field().value).toBe('kept');
  });

  // spec: UI-51
  it('offers /steer while the agent works, and only then', () => {
    const app = fakeApp({ view: { running: true, items: [user('x')] } });
    drawPanel(app);
    type('/s');
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(field().value).toBe('/steer ');
    expect(screen.queryByRole('listbox')).toBeNull();
    app.show({ running: false });
    type('/s');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  // spec: UI-51, KIT-12
  it('offers the commands of the kit of this agent with hint and description, by keyboard too', () => {
    const commands = [
      { name: 'review', description: 'Looks at the changes', argument_hint: '[branch]' },
      { name: 'git:release', description: 'Makes a release', argument_hint: '' }
    ];
    const app = fakeApp({ view: { items: [user('x')] }, agents: { agents: [agent('master', 'Crew', { commands })] } });
    drawPanel(app);
    type('/');
    expect(screen.getAllByRole('option').map(one => one.textContent)).toEqual(['/review [branch]Looks at the changes', '/git:releaseMakes a release']);
    fireEvent.keyDown(field(), { key: 'ArrowDown', keyCode: 40 });
    expect(screen.getAllByRole('option').map(one => one.getAttribute('aria-selected'))).toEqual(['false', 'true']);
    expect(field().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1]?.id);
    fireEvent.keyDown(field(), { key: 'Tab', keyCode: 9 });
    expect(field().value).toBe('/git:release ');
    type('/rel');
    expect(screen.getAllByRole('option').map(one => one.textContent)).toEqual(['/git:releaseMakes a release']);
    fireEvent.keyDown(field(), { key: 'Escape', keyCode: 27 });
    expect(screen.queryByRole('listbox')).toBeNull();
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(app.conversation.send).toHaveBeenCalledWith('/rel');
  });

  // spec: UI-51
  it.each([
    ['/', ['/plan', '/review']],
    ['/RE', ['/review']],
    ['/review', []],
    ['/review x', []],
    ['see /re', []],
    ['/\nre', []]
  ])('after %j these are offered: %j', (text, names) => {
    const all = ['/plan', '/review'].map(name => ({ name, hint: '', description: '' }));
    expect(offered(text, all).map(one => one.name)).toEqual(names);
  });

  // spec: UI-108
  it('has a draft for each conversation', () => {
    const app = fakeApp({ view: { items: [user('x')] } });
    drawPanel(app);
    type('for the first');
    app.show({}, { id: 'c2' });
    expect(field().value).toBe('');
    type('for the second');
    app.show({}, { id: 'c1' });
    expect(field().value).toBe('for the first');
    expect(app.device.draft('c2')).toBe('for the second');
  });

  it('puts text that comes from outside at the caret and sends nothing', () => {
    const app = fakeApp({ view: { items: [user('x')] } });
    drawPanel(app);
    type('see  here');
    field().setSelectionRange(4, 4);
    app.request({ type: 'insert-text', text: 'cell 3' });
    expect(field().value).toBe('see cell 3 here');
    expect(app.conversation.send).not.toHaveBeenCalled();
  });
});

describe('words on their way', () => {
  // spec: UI-8, UI-108
  it('stay in the draft until they have arrived, in front of what is written meanwhile', async () => {
    let arrive: (outcome: 'started') => void = () => undefined;
    const app = fakeApp({ conversation: { id: 'cv-1' }, view: { items: [user('before')] } });
    app.conversation.send.mockReturnValue(new Promise(resolve => (arrive = resolve)));
    drawPanel(app);
    type('first words');
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(field().value).toBe('');
    expect(app.device.draft('cv-1')).toBe('first words');
    type('second words');
    expect(app.device.draft('cv-1')).toBe('first words\n\nsecond words');
    arrive('started');
    await settle();
    expect(field().value).toBe('second words');
    expect(app.device.draft('cv-1')).toBe('second words');
  });
});

describe('files of a message', () => {
  const draft = (name: string, changes: Partial<DraftFile> = {}): DraftFile => ({
    ...{ key: name, name, size: 3200, state: 'ready' as const, failure: null },
    file: { id: `att_${name}`, name, type: 'text/csv', size: 3200 },
    ...changes
  });
  const file = new File(['a,b'], 'data.csv', { type: 'text/csv' });

  // spec: UI-52
  it('are taken from the button, a drop and the clipboard', () => {
    const app = fakeApp({ view: { items: [user('x')] } });
    const { container } = drawPanel(app);
    const composer = container.querySelector('.crew-composer') as HTMLElement;
    fireEvent.change(container.querySelector('input[type=file]') as HTMLElement, { target: { files: [file] } });
    fireEvent.dragEnter(composer, { dataTransfer: { types: ['Files'], files: [] } });
    expect(composer.className).toContain('over');
    fireEvent.drop(composer, { dataTransfer: { types: ['Files'], files: [file] } });
    expect(composer.className).not.toContain('over');
    fireEvent.paste(field(), { clipboardData: { files: [file], getData: () => '' } });
    expect(app.attached.add.mock.calls).toEqual([[[file]], [[file]], [[file]]]);
    fireEvent.paste(field(), { clipboardData: { files: [file], getData: () => 'a table' } }); // the text of a table is meant, not its picture
    fireEvent.drop(composer, { dataTransfer: { types: ['text/plain'], files: [] } });
    expect(app.attached.add).toHaveBeenCalledTimes(3);
  });

  // spec: UI-52, PTL-91
  it('are chips above the text, go with the message, and need no words', async () => {
    const app = fakeApp({ conversation: { id: 'c1' }, view: { items: [user('x')] }, attached: { c1: [draft('a.csv'), draft('b.csv', { state: 'failed', file: null, failure: { code: 'too_large', status: 413, message: 'b.csv is too large', fields: {} } })] } });
    const brought = [{ id: 'att_a.csv', name: 'a.csv', type: 'text/csv', size: 3200 }];
    app.attached.take.mockReturnValue(brought);
    drawPanel(app);
    const chips = within(screen.getByRole('list', { name: 'Files of this message' })).getAllByRole('listitem');
    expect(chips.map(chip => [...chip.querySelectorAll('.crew-ell, .crew-2')].map(one => one.textContent))).toEqual([['a.csv', '3.1 KB'], ['b.csv', 'b.csv is too large']]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove b.csv' }));
    expect(app.attached.remove).toHaveBeenCalledWith('c1', 'b.csv');
    app.conversation.send.mockResolvedValue('refused');
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    await settle();
    expect(app.conversation.send).toHaveBeenCalledWith('', brought);
    expect(app.attached.putBack).toHaveBeenCalledWith('c1', brought);
  });

  // spec: UI-52
  it('hold the message up while they are on their way', async () => {
    const app = fakeApp({ conversation: { id: 'c1' }, view: { items: [user('x')] }, attached: { c1: [draft('a.csv', { state: 'sending', file: null })] } });
    drawPanel(app);
    type('look');
    expect((screen.getByRole('button', { name: 'Send' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    await settle();
    expect(app.conversation.send).not.toHaveBeenCalled();
    expect(field().value).toBe('look');
  });

  // spec: UI-52
  it('open a conversation that does not exist yet, and the words come along', () => {
    const app = fakeApp({ conversation: { id: null }, view: { conversation: null } });
    drawPanel(app);
    type('look at this');
    app.show({}, { id: 'c9', born: true });
    expect(field().value).toBe('look at this');
    expect(app.device.draft(null)).toBe('');
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy(); // the welcome stays until something is said
  });
});
