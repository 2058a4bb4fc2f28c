// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Approval, QuestionOption } from '@crew/shared/contract';
import { failureWords } from '@crew/chat/approval/AskFrame';
import { picked, toggled } from '@crew/chat/approval/question';
import { rowWords, toolReason } from '@crew/chat/thread/tool-state';
import { stepWords } from '@crew/chat/activity/words';
import { translate } from '@crew/shared/texts';
import { drawPanel, fakeApp, settle } from './app';
import { approval, step, user } from './data';

const option = (label: string, more: Partial<QuestionOption> = {}): QuestionOption => ({ label, description: null, suggested: false, ...more });
const PORTS = [option('Hamburg', { description: 'The large one', suggested: true }), option('Bremen'), option('Kiel')];
const question = (changes: Partial<Approval> = {}): Approval =>
  approval({ kind: 'question', tool: 'ask_user', question: 'Which port?', options: PORTS, context: 'It changes table 2.', default: 'Bremen', reason: 'The agent asks you a question.', ...changes });
const asking = (changes: Partial<Approval> = {}) => fakeApp({ view: { items: [user('x')], running: true, pending: question(changes) }, conversation: { lock: 'question' } });
const card = (name: RegExp | string = 'Which port?'): HTMLElement => screen.getByRole('group', { name });
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });
const field = (): HTMLTextAreaElement => within(card()).getByRole('textbox');
const t = translate('en');

describe('the card of a question', () => {
  // spec: ASKU-8, UI-55, GATE-55
  it('shows question, context, numbered options, the suggested one, the default, a field, Skip and the time left', () => {
    drawPanel(asking());
    const shown = card().textContent ?? '';
    expect(shown).toContain('It changes table 2.');
    expect(screen.getAllByRole('radio').map(one => one.closest('label')?.textContent)).toEqual(['1HamburgSuggestedThe large one', '2BremenDefault', '3Kiel']);
    expect(within(card()).getByText(/^18:1\d left$/)).toBeTruthy();
    expect(shown).toContain('When nobody answers in time, the default holds.');
    expect(field().placeholder).toBe('Or answer in your own words');
    expect(within(card()).getAllByRole('button').map(one => one.textContent)).toEqual(['Answer', 'Skip']);
  });

  // spec: GATE-33, GATE-84, ASKU-8
  it('never offers "Always allow", neither approves nor denies, and shows no reason', () => {
    drawPanel(asking());
    expect(card().textContent).not.toMatch(/Always|Approve|Deny|Asks every time/);
  });

  // spec: GATE-92
  it('shows the words of the model as plain text', () => {
    const evil = '<img src=x onerror=alert(1)> **bold** [link](http://x)';
    const { container } = drawPanel(asking({ question: evil, context: evil, default: evil, options: [option(evil, { description: evil })] }));
    expect(container.querySelector('.crew-ask img, .crew-ask a, .crew-ask strong, .crew-ask b')).toBeNull();
    expect(container.querySelector('.crew-ask h3')?.textContent).toBe(evil);
  });

  // spec: ASKU-9, GATE-39
  it('answers with the option that was chosen, and with words, and not with nothing', async () => {
    const app = asking();
    drawPanel(app);
    expect(button('Answer').disabled).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: /Kiel/ }));
    fireEvent.click(button('Answer'));
    expect(app.conversation.answer).toHaveBeenLastCalledWith(['Kiel'], '');
    const hands = userEvent.setup();
    await hands.type(field(), '  by ship {Shift>}{Enter}{/Shift}soon{Enter}');
    expect(app.conversation.answer).toHaveBeenLastCalledWith(['Kiel'], 'by ship \nsoon');
    fireEvent.click(button('Skip'));
    expect(app.conversation.skip).toHaveBeenCalledTimes(1);
    expect(app.conversation.decide).not.toHaveBeenCalled();
  });

  // spec: ASKU-9
  it('takes one option, several with multi_select, in the order of the question; pressed again it goes', () => {
    const one = { multi_select: false, options: PORTS };
    const several = { multi_select: true, options: PORTS };
    expect(toggled(['Kiel'], 'Bremen', one)).toEqual(['Bremen']);
    expect(toggled(['Kiel'], 'Kiel', one)).toEqual([]);
    expect(toggled(['Kiel'], 'Hamburg', several)).toEqual(['Hamburg', 'Kiel']);
    expect(toggled(['Hamburg', 'Kiel'], 'Hamburg', several)).toEqual(['Kiel']);
    drawPanel(asking({ multi_select: true }));
    expect(screen.getAllByRole('checkbox').length).toBe(3);
  });

  // spec: ASKU-8
  it('is answered with the keyboard alone: numbers choose, Enter answers, and numbers in the field are text', async () => {
    const app = asking();
    drawPanel(app);
    const hands = userEvent.setup();
    screen.getAllByRole('radio')[0]?.focus();
    await hands.keyboard('2');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Bremen/ }).checked).toBe(true);
    await hands.keyboard('9');
    await hands.keyboard('{Enter}');
    expect(app.conversation.answer).toHaveBeenLastCalledWith(['Bremen'], '');
    await hands.type(field(), '3');
    expect(field().value).toBe('3');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Bremen/ }).checked).toBe(true);
    const press = { key: '1', ctrlKey: false, metaKey: false, altKey: false };
    expect([picked(press, PORTS), picked({ ...press, ctrlKey: true }, PORTS), picked({ ...press, key: '0' }, PORTS), picked({ ...press, key: '4' }, PORTS)]).toEqual(['Hamburg', null, null, null]);
  });

  // spec: ASKU-8, GATE-83
  it('has no field where free text is not taken, and no options where there are none', () => {
    const first = drawPanel(asking({ allow_free_text: false }));
    expect(within(card()).queryByRole('textbox')).toBeNull();
    first.unmount();
    const second = drawPanel(asking({ options: [], default: 'Lisbon' }));
    expect(card().textContent).toContain('When nobody answers in time, this holds: Lisbon');
    second.unmount();
    drawPanel(asking({ options: [], default: null }));
    expect(screen.queryByRole('radio')).toBeNull();
    expect(field().placeholder).toBe('Your answer');
    expect(card().textContent).toContain('the agent goes on with an assumption');
  });

  // spec: ASKU-2, GATE-31
  it('cuts the view of a long label and opens it word for word; a long question stands below the heading', () => {
    const label = `${'long '.repeat(60)}end`;
    const words = `Why? ${'x '.repeat(90)}`.trim();
    drawPanel(asking({ options: [option(label)], question: words }));
    expect(card('Master asks you a question').textContent).toContain(words);
    expect(card(/Master/).textContent).not.toContain('end');
    fireEvent.click(within(card(/Master/)).getByRole('button', { name: 'Show all' }));
    expect(card(/Master/).textContent).toContain(label);
  });

  it('folds a long context, so that the options stay in sight', () => {
    drawPanel(asking({ context: 'line\n'.repeat(30) }));
    const words = card().querySelector('.said > div');
    expect(words?.className).toBe('folded');
    fireEvent.click(within(card()).getByRole('button', { name: 'Show all' }));
    expect(words?.className).toBe('');
    expect(words?.textContent).toBe('line\n'.repeat(30));
  });

  // spec: GATE-89, ASKU-6
  it('keeps the composer closed while it waits, and the focus where it was', () => {
    const app = fakeApp({ view: { items: [user('x')], running: true } });
    drawPanel(app);
    const composer = screen.getByRole('textbox', { name: 'Message' });
    composer.focus();
    app.show({ pending: question() }, { lock: 'question' });
    expect(document.activeElement).toBe(document.body);
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    expect(screen.getByText('Answer above, then write on')).toBeTruthy();
    app.request({ type: 'focus-approval' });
    expect(document.activeElement?.textContent).toBe('Which port?');
  });

  // spec: GATE-55
  it('goes off at the deadline', async () => {
    drawPanel(asking({ expires_at: new Date(Date.now() - 1000).toISOString() }));
    await settle();
    expect(screen.getByText('Expired')).toBeTruthy();
    expect([button('Answer'), button('Skip')].every(one => one.disabled)).toBe(true);
  });

  // spec: FA-2, UI-63
  it('says that an answer came too late, that somebody was first, or that it did not arrive', () => {
    const failure = (fields: Record<string, unknown>, code = 'not_pending') => ({ code, status: 409, message: 'why', fields });
    expect(failureWords(failure({ status: 'expired' }), true, t)).toBe('Too late: the deadline has passed');
    expect(failureWords(failure({ status: 'answered' }), true, t)).toBe('Already decided on another device');
    expect(failureWords(failure({}, 'invalid'), true, t)).toBe('Not answered: why');
  });
});

describe('where a request came from', () => {
  // spec: FI-1
  it('is on the card of a call and of a question: what the turn had read from outside, and how much more', () => {
    const read_before = { tool: 'fetch_url', argument: 'https://evil.example/<b>x</b>', more: 2 };
    const first = drawPanel(fakeApp({ view: { items: [user('x')], running: true, pending: approval({ read_before }) }, conversation: { lock: 'approval' } }));
    const said = 'Before it asked, this turn had read text from outside: fetch url https://evil.example/<b>x</b> and 2 more before';
    expect(first.container.querySelector('.crew-ask .origin > span:last-child')?.textContent).toBe(said);
    first.unmount();
    const second = drawPanel(asking({ read_before }));
    expect(second.container.querySelector('.crew-ask .origin > span:last-child')?.textContent).toBe(said);
    second.unmount();
    expect(drawPanel(asking()).container.querySelector('.crew-ask .origin')).toBeNull();
  });

  it('is said, too, when an earlier approval no longer holds', () => {
    drawPanel(fakeApp({ view: { items: [user('x')], running: true, pending: approval({ again: true }) }, conversation: { lock: 'approval' } }));
    expect(screen.getByText('You approved this before; since then what it touches has changed.')).toBeTruthy();
    expect(button('Approve').className).not.toContain('primary'); // such a decision is not nudged
  });
});

describe('the words for what did not happen', () => {
  // spec: UI-31, GATE-90
  it('are different for a refusal, a denial, an expiry and a skip, on the card and on the timeline', () => {
    const reasons = (['refused', 'denied', 'expired'] as const).map(state => toolReason({ name: 'shell_run', state, output: 'rule' }, t));
    expect(reasons).toEqual(['Not allowed: rule', 'Denied: it did not run.', 'Expired: nobody decided in time, so it did not run.']);
    expect(toolReason({ name: 'ask_user', state: 'expired', output: 'answer=timeout' }, t)).toBe('Expired: nobody answered in time.');
    const rows = ['answer=skipped\nx', 'answer=default\nx', 'answer=chosen\nx'].map(output => rowWords({ name: 'ask_user', state: 'done', output }, t));
    expect(rows).toEqual(['Asked you, skipped', 'Asked you; no answer, so the default holds', 'Asked you']);
    expect(rowWords({ name: 'workspace_write', state: 'denied', output: 'x' }, t)).toBe('Did not write file'); // not "Wrote file"
    expect(stepWords(step(1, 'tool', { name: 'workspace_write', status: 'refused', outcome: 'denied' }), false, t).what).toBe('Did not write file');
    const waits = (['approved', 'denied', 'expired', 'answered', 'skipped'] as const).map(outcome => stepWords(step(1, 'wait', { outcome }), false, t).what);
    expect(new Set(waits).size).toBe(5);
    expect(stepWords(step(1, 'wait'), false, t).what).toBe('Waited for you');
    const whys = (['refused', 'denied', 'expired'] as const).map(outcome => stepWords(step(1, 'tool', { status: 'refused', outcome, output: 'rule' }), false, t).why);
    expect(new Set(whys).size).toBe(3);
  });
});
