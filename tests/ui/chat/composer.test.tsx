// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { offersSteer, putInFront, sends } from '@crew/chat/composer/keys';
import { drawPanel, fakeApp, settle } from './app';
import { user } from './data';

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
    { item_id: 1, kind: 'follow_up' as const, text: 'Then draft it', position: 1, created_at: '' },
    { item_id: 2, kind: 'steer' as const, text: 'Skip station 16', position: 1, created_at: '' }
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
      app.show({}, { unsent: { text, request_id: 'r', failure, again: false } });
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
    const app = fakeApp({ view: { items: [user('x')] }, conversation: { unsent: { text: 'w', request_id: 'r', failure, again: true } } });
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
    expect(offersSteer('/', true)).toBe(true);
    expect(offersSteer('/st', true)).toBe(true);
    expect(offersSteer('/', false)).toBe(false);
    expect(offersSteer('steer', true)).toBe(false);
    drawPanel(fakeApp({ view: { running: true, items: [user('x')] } }));
    type('/s');
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(field().value).toBe('/steer ');
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
