// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { outcomeLabel, reasonSentence } from '@crew/chat/delegate/outcome';
import { under } from '@crew/chat/activity/useRuns';
import { translate } from '@crew/shared/texts';
import type { Run } from '@crew/shared/contract';
import type { ActivityState } from '@crew/shared/stores/types';
import type { ThreadItem } from '@crew/shared/view';
import { drawPanel, fakeApp, settle } from './app';
import { agent, answer, approval, emptyActivity, emptyAgents, run, step, summary, tool, user } from './data';

const CREW = { agents: { ...emptyAgents(), agents: [agent('master', 'Master'), agent('ada', 'Ada')] } };
const HEAD = 'conversation=c9 status=done spent=$0.0149 steps=3';
const RESULT = `${HEAD}\noutcome=done\n[artifact a1 v2] Harbour plan\n\nData.\n<<<RESULT 00112233445566ff\nIt opens at nine.\nRESULT 00112233445566ff>>>`;

const job = (changes: Partial<Extract<ThreadItem, { kind: 'tool' }>> = {}) => tool('delegate', { tool_call_id: 'd1', output: null, arguments: { agent: 'ada', task: 'Look at the\nharbour' }, ...changes });
const child = (changes: Partial<Run> = {}): Run => run({ id: 'r9', conversation_id: 'c9', agent_id: 'ada', source: 'delegate:c1', ...changes });
const parent = (changes: Partial<Run> = {}): Run => run({ id: 'r1', conversation_id: 'c1', status: 'running', ended_at: null, steps: [step(0, 'tool', { name: 'delegate', tool_call_id: 'd1', child_id: 'c9', status: 'running' })], ...changes });
const knowing = (...runs: Run[]): ActivityState => ({ ...emptyActivity(), history: { c1: runs }, view: { ...emptyActivity().view, runs: runs.filter(one => one.ended_at === null) } });
const card = (): HTMLElement => screen.getByRole('group', { name: 'Job of Ada' });

describe('the card of a job', () => {
  // spec: DLG-55, DLG-65, UI-33
  it('says who, what, how it ended, what it wrote and what it cost, and opens the conversation and the canvas', () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'done', output: RESULT })] } });
    drawPanel(app);
    expect(within(card()).getByText('Ada')).toBeTruthy();
    expect(within(card()).getByText('Look at the harbour')).toBeTruthy();
    expect(within(card()).getByText('Done').className).toContain('ok');
    expect(within(card()).getByText('3 steps, $0.0149')).toBeTruthy();
    fireEvent.click(within(card()).getByRole('button', { name: 'Open conversation' }));
    expect(app.conversation.openChild).toHaveBeenCalledWith('c9');
    fireEvent.click(within(card()).getByRole('button', { name: /Harbour plan/ }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { id: 'a1', version: 2 });
    fireEvent.click(within(card()).getByRole('button', { name: /Ada/ }));
    expect(within(card()).getByLabelText('Result').textContent).toBe('It opens at nine.');
  });

  // spec: DLG-55, OUT-41
  it.each([
    ['outcome=failed reason=timeout', 'error', 'Failed', 'It took too long, and nobody waited any longer.'],
    ['outcome=failed reason=loop', 'error', 'Failed', 'The same call came again and again.'],
    ['outcome=blocked reason=workspace_write denied', 'done', 'Blocked', 'You did not allow: workspace write.'],
    ['outcome=blocked reason=workspace_write expired', 'done', 'Blocked', 'Nobody decided in time: workspace write.'],
    ['outcome=blocked reason=unspecified', 'done', 'Blocked', 'No reason was given.'],
    ['outcome=needs_context reason=which year?', 'done', 'Needs an answer', 'which year?'],
    ['outcome=done_with_concerns reason=the chart is old', 'done', 'Done, with a concern', 'the chart is old']
  ])('shows the reason at once, in words: %s', (line, state, label, why) => {
    drawPanel(fakeApp({ ...CREW, view: { items: [user('x'), job({ state: state as 'error', output: `${HEAD}\n${line}\n\nbody` })] } }));
    const row = within(card()).getByText(label).parentElement as HTMLElement;
    expect(within(row).getByText(why)).toBeTruthy();
    expect(card().textContent).not.toContain('reason=');
  });

  // spec: UI-33, UI-71, GATE-81
  it('shows what the child does while it runs, and opens its conversation', () => {
    const doing = child({ status: 'running', ended_at: null, steps: [step(0, 'tool', { name: 'workspace_read', status: 'running', arguments: { path: 'tides.md' } })] });
    const app = fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'running' })], running: true }, activity: knowing(parent(), doing) });
    drawPanel(app);
    expect(within(card()).getByText('Reading file: tides.md')).toBeTruthy();
    fireEvent.click(within(card()).getByRole('button', { name: 'Open conversation' }));
    expect(app.conversation.openChild).toHaveBeenCalledWith('c9');
  });

  // spec: UI-33
  it('says that it starts while no child is known, and that it waits when the child does', () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'running' })], running: true } });
    const { unmount } = drawPanel(app);
    expect(within(card()).getByText('Starting')).toBeTruthy();
    expect(within(card()).queryByRole('button', { name: 'Open conversation' })).toBeNull();
    unmount();
    drawPanel(fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'running' })], running: true }, activity: knowing(parent(), child({ status: 'waiting', ended_at: null })) }));
    expect(within(card()).getByText('Waits for you').className).toContain('warn');
  });

  // spec: DLG-95, OUT-41
  it('says why a job was not given out', () => {
    drawPanel(fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'error', output: 'You cannot give work to that agent.' })] } }));
    expect(within(card()).getByText('Not given out')).toBeTruthy();
    expect(within(card()).getByText('You cannot give work to that agent.')).toBeTruthy();
  });

  it('draws hostile words as words', () => {
    const evil = `${HEAD}\noutcome=blocked reason=<img src=x onerror=alert(1)>\n[artifact a1 v1] <script>x</script>\n\n<b>body</b>`;
    const { container } = drawPanel(fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'done', output: evil })] } }));
    expect(container.querySelector('.crew-job img, .crew-job script, .crew-job b b')).toBeNull();
    expect(within(card()).getByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  });

  // spec: DLG-55
  it('has words in both languages for every outcome and every code', () => {
    for (const language of ['en', 'vi'] as const) {
      const t = translate(language);
      for (const outcome of ['done', 'done_with_concerns', 'blocked', 'needs_context', 'failed']) {
        expect(outcomeLabel(outcome, t).tone).not.toBe('');
      }
      for (const reason of ['error', 'budget', 'max_steps', 'loop', 'nested_calls', 'timeout', 'interrupted']) {
        expect(reasonSentence({ outcome: 'failed', reason }, t)).not.toBe(reason);
      }
    }
    expect(outcomeLabel('of_another_version', translate('en'))).toEqual({ text: 'Ended', tone: '' });
    expect(reasonSentence({ outcome: 'blocked', reason: 'timeout' }, translate('en'))).toBe('timeout'); // a child's own word is no code
  });
});

describe('an answer that was handed on', () => {
  // spec: DLG-77, DLG-78, MED-11
  it('says whose words they are and finds their files in that agent’s workspace', async () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'done', output: RESULT }), answer('See\n\nFILE:plan.txt', { relayed_from: 'ada' })] } });
    drawPanel(app);
    await settle();
    expect(screen.getByText('Handed on from Ada, word for word')).toBeTruthy();
    expect(app.files.size).toHaveBeenCalledWith('ada', 'plan.txt');
  });
});

describe('requests of children', () => {
  const asking = (): ActivityState => ({ ...knowing(parent(), child({ status: 'waiting', ended_at: null })), approvals: [approval({ conversation_id: 'c9', agent_id: 'ada' }), approval({ id: 'other', conversation_id: 'c7' })] });

  // spec: GATE-38
  it('are announced in the parent’s chat and can be decided there', async () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x'), job({ state: 'running' })], running: true }, activity: asking() });
    drawPanel(app);
    const bar = screen.getByRole('group', { name: 'Write a file?' });
    expect(within(bar).getByText('Ada asks in a job that was given out here.')).toBeTruthy();
    expect(screen.getByText(/Ada: Write a file\?|Ada.*Write a file/, { selector: '[role=alert]' })).toBeTruthy();
    fireEvent.click(within(bar).getByRole('button', { name: 'Open conversation' }));
    expect(app.conversation.openChild).toHaveBeenCalledWith('c9');
    fireEvent.click(within(bar).getByRole('button', { name: 'Approve' }));
    await settle();
    expect(app.activity.decide).toHaveBeenCalledWith(approval().id, 'approve', false);
    expect(app.conversation.decide).not.toHaveBeenCalled();
  });

  // spec: GATE-38, UI-63
  it('say when somebody was first', async () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x')], running: true }, activity: asking() });
    app.activity.decide = vi.fn(async () => ({ code: 'not_pending', status: 409, message: 'decided', fields: {} }));
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }));
    await settle();
    expect(screen.getByText('Already decided on another device')).toBeTruthy();
  });

  it('of other conversations are not shown, and the own one comes first', () => {
    drawPanel(fakeApp({ ...CREW, view: { items: [user('x')] }, activity: { ...asking(), history: {}, view: emptyActivity().view } }));
    expect(screen.queryByRole('group', { name: 'Write a file?' })).toBeNull();
  });
});

describe('runs of children', () => {
  // spec: UI-67, TURN-91, DLG-34
  it('stand under the run whose call opened them, and do not count as runs of the conversation', () => {
    const ended = parent({ status: 'done', ended_at: '2026-11-30T14:03:00+00:00' });
    const app = fakeApp({ ...CREW, width: 1200, view: { items: [user('x')], conversation: { ...summary('c1'), delegated_usd: 0.25 } as never }, activity: knowing(child({ status: 'done', started_at: '2026-11-30T14:02:30+00:00', ended_at: '2026-11-30T14:02:50+00:00' }), ended) });
    const { container } = drawPanel(app);
    const kids = container.querySelectorAll('.crew-column .crew-kids');
    expect(kids.length).toBe(1);
    expect(kids[0]?.textContent).toContain('Ada, Done');
    expect(screen.getByText('Delegated runs').parentElement?.textContent).toContain('1, $0.25');
    expect(under(ended, [child(), child({ id: 'r8', conversation_id: 'c8' })]).map(one => one.id)).toEqual(['r9']);
  });
});

describe('the spending display', () => {
  // spec: COST-7, DLG-68, UI-19
  it('shows the share of delegated work', () => {
    const app = fakeApp({ ...CREW, view: { items: [user('x')], conversation: { ...summary('c1'), delegated_usd: 0.142 } as never, spent_usd: 0.4 } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: /Spending|spent/i }));
    expect(screen.getByText('By delegated work').parentElement?.textContent).toContain('$0.1420');
  });
});
