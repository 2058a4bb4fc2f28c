// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { isUrgent, offersAlways, shareLeft, spokenMinutes } from '@crew/chat/approval/rules';
import { drawPanel, fakeApp, settle } from './app';
import { agent, approval, conversationState, emptyAgents, user } from './data';

const waiting = (changes = {}) => fakeApp({ view: { items: [user('x')], running: true, pending: approval(changes) }, conversation: { lock: 'approval' } });
const bar = (name: RegExp | string = 'Write a file?'): HTMLElement => screen.getByRole('group', { name });
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });

describe('the approval bar', () => {
  // spec: UI-59, GATE-32
  it('shows who wants what, the time left and the three actions', () => {
    drawPanel(waiting());
    expect(within(bar()).getByText('Master wants to write notes.md.')).toBeTruthy();
    expect(within(bar()).getByText(/^18:1\d left$/)).toBeTruthy();
    expect(within(bar()).getAllByRole('button').map(one => one.textContent)).toEqual(['Show all', 'Approve', 'Always allow in this conversation', 'Deny']);
  });

  // spec: GATE-33, UI-59
  it('has no "Always allow" and no filled Approve on a card with a reason, and none on a question', () => {
    drawPanel(waiting({ reason: 'matches the rule git push' }));
    expect(screen.queryByRole('button', { name: /Always/ })).toBeNull();
    expect(within(bar()).getByText('Asks every time: matches the rule git push')).toBeTruthy();
    expect(button('Approve').className).not.toContain('primary');
    expect(offersAlways(approval({ kind: 'question' }))).toBe(false);
    expect(offersAlways(approval())).toBe(true);
  });

  // spec: GATE-31, UI-60
  it('opens every argument word for word', () => {
    const content = `${'line\n'.repeat(40)}the very end <b>not bold</b>`;
    const { container } = drawPanel(waiting({ arguments: { content, path: 'a.md', nested: { deep: [1, 2] } } }));
    fireEvent.click(button('Show all'));
    expect(container.querySelector('.crew-ask pre')?.textContent).toBe(content);
    expect(container.querySelector('.crew-ask pre')?.className).not.toContain('folded');
    const pairs = [...container.querySelectorAll('.crew-ask dt, .crew-ask dd')].map(one => one.textContent);
    expect(pairs).toEqual(['path', 'a.md', 'nested', JSON.stringify({ deep: [1, 2] }, null, 2)]);
  });

  // spec: GATE-31
  it('shows the characters that would hide a part of a command or turn it around', () => {
    const command = 'ls \u202e# fr- mr\u202c\u200b\rclear\r\ngood \u{1f468}\u200d\u{1f469}';
    const { container } = drawPanel(waiting({ tool: 'shell_run', arguments: { command, note: 'a\u2066b' } }));
    expect(container.querySelector('.crew-ask pre')?.textContent).toBe('ls U+202E# fr- mrU+202CU+200BU+000DclearU+000D\ngood \u{1f468}U+200D\u{1f469}');
    expect([...container.querySelectorAll('.crew-ask .crew-unseen')].length).toBe(6);
    fireEvent.click(button('Show all'));
    expect([...container.querySelectorAll('.crew-ask dd')].map(one => one.textContent)).toEqual(['aU+2066b']);
  });

  // spec: UI-62
  it('takes no focus by itself; a request moves it to the heading', () => {
    const app = fakeApp({ view: { items: [user('x')], running: true } });
    drawPanel(app);
    const field = screen.getByRole('textbox', { name: 'Message' });
    field.focus();
    app.show({ pending: approval() });
    expect(document.activeElement).toBe(field);
    app.request({ type: 'focus-approval' });
    expect(document.activeElement?.textContent).toBe('Write a file?');
  });

  // spec: UI-62
  it('Enter never approves; Space and a click do', async () => {
    const app = waiting();
    drawPanel(app);
    const hands = userEvent.setup();
    for (const name of ['Approve', 'Always allow in this conversation']) {
      button(name).focus();
      await hands.keyboard('{Enter}');
    }
    expect(app.conversation.decide).not.toHaveBeenCalled();
    button('Approve').focus();
    await hands.keyboard(' ');
    expect(app.conversation.decide).toHaveBeenLastCalledWith('approve');
    fireEvent.click(button('Always allow in this conversation'));
    expect(app.conversation.decide).toHaveBeenLastCalledWith('approve', true);
    fireEvent.click(button('Deny'));
    expect(app.conversation.decide).toHaveBeenLastCalledWith('deny');
  });

  // spec: UI-63
  it('goes at once when the request is gone, and says when somebody was first', () => {
    const app = waiting();
    drawPanel(app);
    const failure = { code: 'not_pending', status: 409, message: 'x', fields: {} };
    app.show({ pending: null }, { lock: null, decisionFailure: failure });
    expect(screen.queryByRole('group', { name: 'Write a file?' })).toBeNull();
    expect(screen.getByText('Already decided on another device')).toBeTruthy();
  });

  // spec: UI-62
  it('gives the focus to the composer when a decision made here ends it', async () => {
    const app = waiting();
    drawPanel(app);
    button('Deny').focus();
    app.show({ pending: null }, { lock: null });
    await settle();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  });

  // spec: UI-119
  it('is announced once, assertively, and the countdown is not live', () => {
    const app = waiting({ agent_id: 'coder' });
    app.agents.put({ ...emptyAgents(), agents: [agent('master', 'Master'), agent('coder', 'Coder')] });
    const { container } = drawPanel(app);
    const live = container.querySelector('[aria-live="assertive"]');
    expect(live?.textContent).toBe('Coder asks: Write a file? 19 minutes left');
    app.conversation.put({ ...conversationState(app.conversation.getSnapshot().view), deciding: true });
    expect(container.querySelectorAll('[aria-live="assertive"]').length).toBe(1);
    expect(container.querySelector('.crew-ask .h .crew-num')?.getAttribute('aria-hidden')).toBe('true');
    expect([6 * 60_000, 5 * 60_000, 4.5 * 60_000, 3 * 60_000, 30_000, 0].map(spokenMinutes)).toEqual([null, 5, 5, null, 1, null]);
  });

  // spec: UI-59
  it('turns its buttons off when the time is over', () => {
    drawPanel(waiting({ expires_at: new Date(Date.now() - 1000).toISOString() }));
    expect(screen.getByText('Expired')).toBeTruthy();
    expect([button('Approve'), button('Deny')].every(one => one.disabled)).toBe(true);
    expect([isUrgent(119_000), isUrgent(120_000)]).toEqual([true, false]);
    expect(shareLeft(approval({ created_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T00:10:00Z' }), Date.parse('2026-01-01T00:05:00Z'))).toBe(0.5);
  });

  // spec: UI-8
  it('says beside its buttons why a decision did not arrive', () => {
    const app = waiting();
    app.show({}, { decisionFailure: { code: 'lost', status: 0, message: 'The server was not reached.', fields: {} } });
    drawPanel(app);
    expect(within(bar()).getByText('Not decided: The server was not reached.')).toBeTruthy();
  });
});
