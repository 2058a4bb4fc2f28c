import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval, Run } from '@crew/shared/contract';
import { staleText } from '@crew/shared/manage/memory';
import { placeOf } from '@crew/shared/manage/place';
import { needsYou, shown } from '@crew/shared/manage/runs';
import { approval, run } from '../chat/data';
import { settle } from '../shared/world';
import { JOB, ManagedWorld, PROPOSAL } from './world';

const AFTER = '2030-01-01T00:00:00+00:00';
const failed = (id: string, changes: Partial<Run> = {}): Run => run({ id, status: 'error', started_at: AFTER, ended_at: AFTER, ...changes });
const decided = (id: string, changes: Partial<Approval> = {}): Approval => approval({ id, status: 'approved', decided_at: AFTER, ...changes });

describe('the stores of the manager', () => {
  let world: ManagedWorld;

  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-30T14:00:00+00:00') });
    world = new ManagedWorld();
    world.crew.start();
    world.manager.start();
    await settle();
  });
  afterEach(() => {
    world.manager.stop();
    world.crew.stop();
    vi.useRealTimers();
  });

  describe('approvals', () => {
    const state = () => world.manager.approvals.getSnapshot();

    // spec: GATE-72, GATE-76
    it('hold the decided ones, and leave the waiting ones to their cards', async () => {
      world.reply('GET approvals?limit=50', { status: 200, body: { approvals: [approval({ id: 'w' }), decided('a')] } });
      world.manager.go('approvals');
      await settle();
      expect([state().loading, state().decided.map(one => one.id), state().more]).toEqual(['ready', ['a'], false]);
    });

    // spec: GATE-72
    it('are filtered on the server and read further back from the oldest', async () => {
      const page = Array.from({ length: 50 }, (_, place) => decided(`a${place}`, { created_at: `2026-11-${String(30 - (place % 20)).padStart(2, '0')}` }));
      world.reply('GET approvals?status=denied&agent_id=coder&limit=50', { status: 200, body: { approvals: page } });
      await world.manager.approvals.filter({ outcome: 'denied' });
      await world.manager.approvals.filter({ agent: 'coder' });
      expect([state().decided.length, state().more]).toEqual([50, true]);
      world.reply(`GET approvals?status=denied&agent_id=coder&limit=50&before=${page[49]?.created_at}`, { status: 200, body: { approvals: [decided('old')] } });
      await world.manager.approvals.loadMore();
      expect([state().decided.length, state().decided.at(-1)?.id, state().more]).toEqual([51, 'old', false]);
    });

    // spec: UI-82, GATE-73, ASKU-9
    it('are decided one by one, each with its own failure', async () => {
      world.reply('POST approvals/one', { status: 409, body: { code: 'not_pending', message: 'late', status: 'expired' } });
      world.reply('POST approvals/two', { status: 200, body: decided('two') });
      const [one, two] = [world.manager.approvals.decider('one'), world.manager.approvals.decider('two')];
      await Promise.all([one.decide('approve', true), two.answer(['A'], 'because')]);
      expect(world.bodies('POST approvals/one')).toEqual([{ decision: 'approve', always: true }]);
      expect(world.bodies('POST approvals/two')).toEqual([{ answer: { labels: ['A'], text: 'because' } }]);
      expect([one.getSnapshot().deciding, one.getSnapshot().decisionFailure?.code]).toEqual([false, 'not_pending']);
      expect([two.getSnapshot().deciding, two.getSnapshot().decisionFailure]).toEqual([true, null]); // off until the frame comes
      await two.skip();
      expect(world.count('POST approvals/two')).toBe(1);
    });

    // spec: UI-5
    it('are read again when the set of waiting ones changes', async () => {
      const before = world.count('GET approvals?limit=50');
      world.tellCrew({ type: 'event', conversation_id: 'cv-1', run_id: 'r', name: 'approval_required' } as never);
      await settle(200);
      expect(world.count('GET approvals?limit=50')).toBeGreaterThan(before);
    });
  });

  describe('jobs', () => {
    const jobs = () => world.manager.jobs.getSnapshot().data?.jobs ?? [];

    // spec: UI-96, JOB-44
    it('are read again on a frame, at most once a second, without losing an open list of runs', async () => {
      world.reply('GET jobs/default/disk/runs?limit=10', { status: 200, body: { runs: [run({ id: 'r-1' })] } });
      await world.manager.jobs.turnRuns(JOB.id);
      const before = world.count('GET jobs');
      for (let turn = 0; turn < 5; turn += 1) {
        world.tellCrew({ type: 'jobs' });
        await settle(100);
      }
      expect(world.count('GET jobs') - before).toBe(1);
      world.reply('GET jobs', { status: 200, body: { jobs: [{ ...JOB, failing: 3, muted: true }], timezone: 'UTC' } });
      await settle(1000);
      expect(world.count('GET jobs') - before).toBe(2);
      expect(world.manager.jobs.open.getSnapshot()[JOB.id]?.runs.map(one => one.id)).toEqual(['r-1']);
      expect(world.manager.counts.getSnapshot().jobs).toEqual({ n: 1, warn: true });
    });

    // spec: JOB-25, JOB-27, JOB-30, UI-95
    it('are paused, run and deleted; what is refused keeps the row and says why', async () => {
      world.reply('PATCH jobs/default/disk/state', { status: 200, body: { ...JOB, paused: true } });
      await world.manager.jobs.setPaused(JOB.id, true);
      expect([world.bodies('PATCH jobs/default/disk/state'), jobs()[0]?.paused]).toEqual([[{ paused: true }], true]);
      world.reply('POST jobs/default/disk/run', { status: 409, body: { code: 'running', message: 'It runs already.' } });
      await world.manager.jobs.runNow(JOB.id);
      expect(world.manager.jobs.acts.getSnapshot().failures[JOB.id]?.message).toBe('It runs already.');
      world.reply('DELETE jobs/default/disk', { status: 409, body: { code: 'profile_job', message: 'It stands in a file.' } });
      expect(await world.manager.jobs.remove(JOB.id)).toBe(false);
      expect(jobs().length).toBe(1);
      world.reply('DELETE jobs/default/disk', { status: 204, body: null });
      expect(await world.manager.jobs.remove(JOB.id)).toBe(true);
      expect(jobs().length).toBe(0);
    });
  });

  describe('memory', () => {
    // spec: MEMF-12, UI-98
    it('shows the current text of a proposal that no longer fits, and may be approved all the same', async () => {
      world.reply('POST memory/proposals/p-1', { status: 409, body: { code: 'stale', message: 'changed', current: 'in between' } });
      await world.manager.memory.decide('p-1', 'approve');
      expect(staleText(world.manager.memory.acts.getSnapshot().failures['p-1'])).toBe('in between');
      world.reply('POST memory/proposals/p-1', { status: 200, body: { ...PROPOSAL, status: 'approved' } });
      await world.manager.memory.decide('p-1', 'approve', true);
      expect(world.bodies('POST memory/proposals/p-1')).toEqual([
        { decision: 'approve', force: false },
        { decision: 'approve', force: true }
      ]);
      expect(world.manager.memory.acts.getSnapshot().failures).toEqual({});
    });

    // spec: UI-76
    it('counts the proposals that wait', () => {
      expect(world.manager.counts.getSnapshot().memory).toEqual({ n: 1, warn: false });
    });

    // spec: MEMF-17, UI-97
    it('saves and forgets facts; a refused text stays with its reason', async () => {
      const fact = { slug: 'units', type: 'preference' as const, description: 'd', updated: '2026-11-30', text: 'C' };
      world.reply('GET memory/user', { status: 200, body: { index: '', facts: [fact] } });
      await world.manager.memory.user.load();
      world.reply('PUT memory/user/units', { status: 422, body: { code: 'invalid', message: 'too long' } }, { status: 200, body: { ...fact, text: 'K' } });
      expect(await world.manager.memory.save('units', { type: 'preference', text: 'K' })).toBe(false);
      expect(world.manager.memory.acts.getSnapshot().failures['units']?.message).toBe('too long');
      expect(await world.manager.memory.save('units', { type: 'preference', text: 'K' })).toBe(true);
      expect(world.manager.memory.user.getSnapshot().data?.facts[0]?.text).toBe('K');
      world.reply('DELETE memory/user/units', { status: 200, body: fact });
      expect(await world.manager.memory.forget('units')).toBe(true);
      expect(world.manager.memory.user.getSnapshot().data?.facts).toEqual([]);
    });
  });

  describe('runs', () => {
    const state = () => world.manager.runs.getSnapshot();

    // spec: UI-79, UI-103, UI-76
    it('that failed wait until they are put away, on this device only', async () => {
      world.tellCrew({ type: 'run', run: failed('bad') });
      world.tellCrew({ type: 'run', run: run({ id: 'good', status: 'done', started_at: AFTER, ended_at: AFTER }) });
      await settle(100);
      expect(needsYou(state()).map(one => one.id)).toEqual(['bad']);
      expect(world.manager.counts.getSnapshot().activity).toEqual({ n: 1, warn: true });
      const asked = world.asked.length;
      world.manager.runs.markSeen('bad');
      expect([needsYou(state()), world.manager.counts.getSnapshot().activity, world.asked.length]).toEqual([[], { n: 0, warn: false }, asked]);
      expect([...world.storage.map.entries()].some(([key, value]) => key.endsWith('runs-seen') && value === '["bad"]')).toBe(true);
    });

    // spec: UI-79
    it('are filtered by agent on the server, by end and source in the page', async () => {
      const all = [failed('job', { source: 'job:a/b' }), run({ id: 'chat', status: 'done', source: 'chat', ended_at: AFTER })];
      world.reply('GET activity/runs?agent_id=coder&limit=50', { status: 200, body: { runs: all, more: true } });
      await world.manager.runs.filter({ agent: 'coder' });
      const asked = world.asked.length;
      await world.manager.runs.filter({ end: 'error' });
      expect(shown(state()).map(one => one.id)).toEqual(['job']);
      await world.manager.runs.filter({ end: null, source: 'chat' });
      expect([shown(state()).map(one => one.id), state().more, world.asked.length]).toEqual([['chat'], true, asked]);
    });

    // spec: UI-69
    it('are there by their id, whichever list was read, and follow what happens', async () => {
      world.reply('GET activity/runs/far', { status: 200, body: run({ id: 'far', status: 'running', ended_at: null }) });
      const page = world.manager.runs.page('far');
      await page.load();
      world.tellCrew({ type: 'run', run: run({ id: 'far', status: 'done', ended_at: AFTER }) });
      await settle(100);
      expect(page.getSnapshot().data?.status).toBe('done');
    });
  });

  // spec: TOOL-47
  it('reads the tools when the section is opened and on each frame while it is open', async () => {
    world.tellCrew({ type: 'tools' });
    await settle(100);
    expect(world.count('GET tools')).toBe(0);
    world.manager.go('tools');
    await settle();
    world.tellCrew({ type: 'tools' });
    await settle(100);
    expect(world.count('GET tools')).toBe(2);
  });

  // spec: UI-112
  it('reads what is visible again after the connection was broken', async () => {
    world.manager.go('jobs');
    await settle(2000);
    const before = world.count('GET jobs');
    world.connection.put({ ...world.connection.getSnapshot(), opens: 2 });
    await settle(100);
    expect(world.count('GET jobs')).toBeGreaterThan(before);
  });

  // spec: UI-8
  it('keeps what it knows when a reading fails, and says why', async () => {
    world.reply('GET jobs', { status: 500, body: { code: 'internal', message: 'broken' } });
    await world.manager.jobs.load();
    const { loading, failure, data } = world.manager.jobs.getSnapshot();
    expect([loading, failure?.message, data?.jobs.length]).toEqual(['failed', 'broken', 1]);
  });

  // spec: UI-78
  it('knows its places; an unknown section leads to the first', () => {
    expect(placeOf('memory', 'user')).toEqual({ section: 'memory', rest: 'user' });
    expect(placeOf('nowhere', 'x')).toEqual({ section: 'activity', rest: null });
    expect(placeOf(undefined, null)).toEqual({ section: 'activity', rest: null });
  });
});
