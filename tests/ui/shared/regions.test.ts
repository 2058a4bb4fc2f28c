import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval, Run } from '@crew/shared/contract';
import { frames, talk } from './recorded';
import { detail, run, settle, summary, World } from './world';

const later = '2026-03-02T10:00:00+00:00';
const other = { ...summary, id: 'cv-2', title: 'Winds', updated_at: later };

describe('the regions of a window', () => {
  let world: World;

  beforeEach(async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    world = new World();
    world.crew.start();
    await settle();
  });
  afterEach(() => {
    world.crew.stop();
    vi.useRealTimers();
  });

  describe('the list', () => {
    const state = () => world.crew.list.getSnapshot();
    const ids = (): string[] => state().conversations.map(one => one.id);

    it('is loaded once the window shows something', () => {
      expect([state().loading, ids(), state().unread.size]).toEqual(['ready', ['cv-1'], 0]);
    });

    it('follows changes, newest first', () => {
      world.tellCrew({ type: 'conversation', conversation: other });
      settleNow();
      expect(ids()).toEqual(['cv-2', 'cv-1']);
      world.tellCrew({ type: 'conversation', conversation: { ...summary, title: 'New', updated_at: '2026-03-02T11:00:00+00:00' } });
      settleNow();
      expect(state().conversations.map(one => one.title)).toEqual(['New', 'Winds']);
    });

    // spec: UI-10, UI-11
    it.each([
      { ...other, agent_id: 'researcher' },
      { ...other, parent_id: 'cv-1' },
      { ...other, source: 'vibe:cv-1' }
    ])('holds neither delegates nor workers nor other agents', conversation => {
      world.tellCrew({ type: 'conversation', conversation });
      settleNow();
      expect(ids()).toEqual(['cv-1']);
    });

    // spec: UI-107
    it('shows a dot for what changed unseen, and none for what is looked at', async () => {
      world.tellCrew({ type: 'conversation', conversation: other });
      settleNow();
      expect([...state().unread]).toEqual(['cv-2']);
      world.crew.list.markSeen('cv-2');
      expect(state().unread.size).toBe(0);
      await world.open();
      world.tellCrew({ type: 'conversation', conversation: { ...summary, updated_at: '2026-03-02T11:00:00+00:00' } });
      settleNow();
      expect(state().unread.size).toBe(0);
      world.visible = false;
      world.tellCrew({ type: 'conversation', conversation: { ...summary, updated_at: '2026-03-02T12:00:00+00:00' } });
      settleNow();
      expect([...state().unread]).toEqual(['cv-1']);
    });

    // spec: UI-17
    it('names the next conversation after a deletion and drops the draft', async () => {
      world.tellCrew({ type: 'conversation', conversation: other });
      settleNow();
      world.device.setDraft('cv-2', 'words');
      world.reply('DELETE conversations/cv-2', { status: 204, body: null });
      expect(await world.crew.list.remove('cv-2')).toBe('cv-1');
      expect(world.device.draft('cv-2')).toBe('');
      world.reply('DELETE conversations/cv-1', { status: 204, body: null });
      expect(await world.crew.list.remove('cv-1')).toBeNull();
    });

    it('reads on from the last conversation', async () => {
      world.reply('GET conversations', { status: 200, body: { conversations: [other], more: true } });
      await world.crew.list.load();
      world.reply(`GET conversations?before=${encodeURIComponent(later)}`, {
        status: 200,
        body: { conversations: [summary], more: false }
      });
      await world.crew.list.loadMore();
      expect([ids(), state().more]).toEqual([['cv-2', 'cv-1'], false]);
    });

    // spec: UI-8
    it('says why it could not be read and keeps what it had', async () => {
      world.reply('GET conversations', { status: 500, body: { code: 'internal', message: 'broken' } });
      await world.crew.list.load();
      expect([state().failure?.message, ids()]).toEqual(['broken', ['cv-1']]);
    });

    it('renames', async () => {
      world.reply('PATCH conversations/cv-1', { status: 200, body: { ...detail, title: 'Tides' } });
      await world.crew.list.rename('cv-1', 'Tides');
      expect(state().conversations[0]).toMatchObject({ title: 'Tides' });
      expect(state().conversations[0]).not.toHaveProperty('messages');
    });
  });

  it('shows that the open conversation was deleted in another tab', async () => {
    await world.open();
    world.tellCrew({ type: 'conversation', id: 'cv-1', deleted: true });
    settleNow();
    expect(world.crew.conversation.getSnapshot().gone).toBe(true);
    expect(world.crew.list.getSnapshot().conversations).toEqual([]);
  });

  // spec: UI-5, GATE-59
  it('reads the requests again when their number changes, once for several frames', async () => {
    const approval = (talk('approval-required').at(-1) as { approval: Approval }).approval;
    world.reply('GET approvals?status=pending', {
      status: 200,
      body: { approvals: [approval, { ...approval, id: 'ap-0', status: 'denied' }] }
    });
    frames('activity-approvals').forEach(frame => world.tellCrew(frame));
    await settle(200);
    expect(world.bodies('GET approvals?status=pending')).toHaveLength(1);
    expect(world.crew.activity.getSnapshot().approvals.map(one => one.id)).toEqual(['ap-1']);
  });

  // spec: UI-5, UI-112, GATE-59
  it('reads everything visible again when the connection is back', async () => {
    await world.open();
    const before = world.bodies('GET conversations/cv-1').length;
    world.connection.put({ status: 'offline', offlineSince: 1, transport: null, opens: 1 });
    await settle();
    expect(world.bodies('GET conversations/cv-1')).toHaveLength(before);
    world.connection.put({ status: 'open', offlineSince: null, transport: 'socket', opens: 2 });
    await settle();
    expect(world.bodies('GET conversations/cv-1')).toHaveLength(before + 1);
    expect([world.bodies('GET conversations').length, world.bodies('GET agents').length]).toEqual([2, 2]);
  });

  // spec: UI-33, TURN-91
  it('keeps a child that began while the list of runs was on its way', async () => {
    await world.open();
    const child = { ...run, id: 'run-9', conversation_id: 'cv-9', source: 'delegate:cv-1', status: 'waiting' as const };
    world.reply('GET activity/runs?conversation_id=cv-1&limit=20', { status: 200, body: { runs: [], more: false } });
    const reading = world.crew.activity.loadRuns('cv-1');
    world.tellCrew({ type: 'run', run: child });
    await reading;
    settleNow();
    expect(world.crew.activity.getSnapshot().history['cv-1']?.map(one => [one.id, one.status])).toContainEqual(['run-9', 'waiting']);
  });

  it('keeps the runs of the open conversation up to date, and those it opened', async () => {
    await world.open();
    const history = (): string[] => world.crew.activity.getSnapshot().history['cv-1']?.map(one => one.id) ?? [];
    const child: Run = { ...run, id: 'run-9', conversation_id: 'cv-9', source: 'delegate:cv-1' };
    [run, child, { ...run, id: 'run-8', conversation_id: 'cv-8' }].forEach(one => world.tellCrew({ type: 'run', run: one }));
    settleNow();
    expect(history()).toEqual(['run-9', 'run-1']);
    world.tellCrew({ type: 'run', run: { ...run, status: 'done' } });
    settleNow();
    expect(world.crew.activity.getSnapshot().history['cv-1']?.map(one => one.status)).toEqual(['running', 'done']);
  });

  // spec: TURN-85, UI-112
  it('shows a run that goes on after a restart as soon as the connection is back', async () => {
    await world.open();
    world.tellCrew({ type: 'run', run });
    world.tellCrew({ type: 'snapshot', runs: [{ ...run, resumed: true }], pending: 0 });
    settleNow();
    expect(world.crew.activity.getSnapshot().history['cv-1']?.map(one => one.resumed)).toEqual([true]);
    const ended = { ...run, resumed: true, status: 'done' as const };
    world.reply('GET activity/runs?conversation_id=cv-1&limit=20', { status: 200, body: { runs: [ended], more: false } });
    world.connection.put({ status: 'open', offlineSince: null, transport: 'socket', opens: 2 });
    await settle();
    expect(world.crew.activity.getSnapshot().history['cv-1']?.map(one => one.status)).toEqual(['done']);
  });

  it('shows the agents although what answers cannot be read', async () => {
    world.reply('GET connections', { status: 500, body: { code: 'internal', message: 'broken' } });
    world.tellCrew({ type: 'tools' });
    await settle(50);
    expect(world.crew.agents.getSnapshot()).toMatchObject({
      loading: 'failed',
      failure: { message: 'broken' },
      answering: { route: 'fake:echo' }
    });
    expect(world.crew.agents.master).toBe('master');
  });

  // spec: UI-8
  it.each(['home_locked', 'config_invalid'])('is one card while the server says %s', async code => {
    const blocked = { status: 503, body: { code, message: 'mend it' } };
    world.reply('GET agents', blocked, { status: 200, body: { agents: [] } });
    world.reply('GET connections', blocked);
    world.reply('GET version', { status: 200, body: { version: '1', entry: '', language: null } });
    await world.crew.agents.load();
    await world.crew.api.version();
    expect(world.crew.blocked.getSnapshot()).toEqual({ code, message: 'mend it' });
    world.reply('GET connections', { status: 200, body: { answering: null } });
    await world.crew.agents.load();
    expect(world.crew.blocked.getSnapshot()).toBeNull();
  });

  function settleNow(): void {
    vi.advanceTimersByTime(50);
  }
});
