// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProvider } from '@crew/chat/parts/context';
import { ManagerProvider } from '@crew/manager/app';
import { ApprovalsPage } from '@crew/manager/approvals/ApprovalsPage';
import { ActivityPage } from '@crew/manager/runs/ActivityPage';
import type { Run } from '@crew/shared/contract';
import { fakeApp } from '../chat/app';
import { approval, run } from '../chat/data';
import { settle } from '../shared/world';
import { ManagedWorld, PROPOSAL } from './world';

const AFTER = '2030-01-01T00:00:00+00:00';
const failed = (changes: Partial<Run> = {}): Run => run({ id: 'bad', status: 'error', started_at: AFTER, ended_at: AFTER, ...changes });

let world: ManagedWorld;

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T14:00:00+00:00') });
  world = new ManagedWorld();
  world.reply('GET memory/proposals', { status: 200, body: { proposals: [] } });
  world.reply('GET jobs', { status: 200, body: { jobs: [], timezone: 'UTC' } });
  world.crew.start();
  world.manager.start();
  await settle(100);
});
afterEach(() => {
  world.manager.stop();
  world.crew.stop();
  vi.useRealTimers();
});

function draw(page: JSX.Element): ReturnType<typeof fakeApp> {
  const app = Object.assign(fakeApp(), { activity: world.crew.activity });
  render(
    <AppProvider value={app}>
      <ManagerProvider value={{ chat: app, manager: world.manager, exportRun: vi.fn() }}>{page}</ManagerProvider>
    </AppProvider>
  );
  return app;
}

async function tell(...runs: Run[]): Promise<void> {
  await act(async () => {
    runs.forEach(one => world.tellCrew({ type: 'run', run: one }));
    await settle(100);
  });
}

async function wait(kind: 'proposals'): Promise<void> {
  world.reply(`GET memory/${kind}`, { status: 200, body: { proposals: [PROPOSAL] } });
  await act(async () => void (await world.manager.memory.proposals.load()));
}

describe('what needs a person', () => {
  // spec: GATE-77
  it('is on two pages, each of which points to the other only when there is something', async () => {
    draw(<ApprovalsPage />);
    expect(screen.queryByRole('button', { name: 'See them under Activity' })).toBeNull();
    await tell(failed());
    expect(screen.getByText('1 run failed or stopped')).toBeTruthy();
    expect(world.manager.counts.getSnapshot()).toMatchObject({ activity: { n: 1 }, approvals: { n: 0 } });
    fireEvent.click(screen.getByRole('button', { name: 'See them under Activity' }));
    expect(world.manager.place.getSnapshot().section).toBe('activity');
  });

  // spec: GATE-77
  it('is nothing only when nothing waits in the whole manager', async () => {
    draw(<ActivityPage beside={false} />);
    expect(screen.getByText('Nothing needs you.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approvals' })).toBeNull();
    await wait('proposals');
    expect(screen.queryByText('Nothing needs you.')).toBeNull();
    await act(async () => {
      world.reply('GET approvals?status=pending', { status: 200, body: { approvals: [approval()] } });
      world.tellCrew({ type: 'event', conversation_id: 'cv-1', run_id: 'r', name: 'approval_required' } as never);
      await settle(100);
    });
    fireEvent.click(screen.getByRole('button', { name: 'Approvals' }));
    expect(world.manager.place.getSnapshot().section).toBe('approvals');
  });

  // spec: GATE-81
  it.each(['error', 'waiting'] as const)('opens a delegated conversation whose run stands at %s from its run', async status => {
    const child = failed({ status, source: 'delegate:cv-parent', conversation_id: 'cv-child' });
    world.reply('GET activity/runs/bad', { status: 200, body: child });
    world.manager.go('activity', 'bad');
    const app = draw(<ActivityPage beside={false} />);
    await act(async () => void (await settle(50)));
    fireEvent.click(screen.getByRole('button', { name: 'Open conversation' }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-conversation', { id: 'cv-child' });
  });
});
