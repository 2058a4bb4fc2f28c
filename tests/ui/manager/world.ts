/** A manager over the server in memory that the stores of the chat are tested with. */
import type { JobInfo, MemoryProposal, ToolRow } from '@crew/shared/contract';
import { createManager, type Manager } from '@crew/shared/manage/manager';
import { World } from '../shared/world';

export const JOB: JobInfo = {
  ...{ id: 'default/disk', agent_id: 'master', schedule_id: 'disk', name: 'Disk check', origin: 'profile', kind: 'prompt' },
  ...{ cron: null, every: '6h', words: 'Every 6 hours', enabled: true, paused: false, running: false, next_run_at: '2026-11-30T20:00:00+00:00' },
  ...{ last_run: null, failing: 0, muted: false, missed: 0, skills: [], orphan: false }
};

export const PROPOSAL: MemoryProposal = {
  ...{ id: 'p-1', agent_id: 'master', conversation_id: null, operation: 'save', target: 'units', before_text: 'old', after_text: 'new' },
  ...{ reason: 'said so', run_id: null, status: 'pending', created_at: '2026-11-30T14:00:00+00:00', decided_at: null }
};

/** A row of the table of tools. */
export function tool(name: string, changes: Partial<ToolRow> = {}): ToolRow {
  return {
    ...{ name, description: '', parameters: {}, requires_approval: false, replay_safe: true, parallel: true, tier: 'read', group: 'files' },
    ...{ always_on: false, comes_with: null, agents: [], optional: false, with_mcp: false, with_reads: false, with_browser: false },
    ...{ with_desktop: false, with_code: false, with_vibe: false, server: null, exposure: null },
    ...changes
  };
}

export class ManagedWorld extends World {
  readonly manager: Manager;

  constructor() {
    super();
    this.manager = this.reopen();
    this.reply('GET jobs', { status: 200, body: { jobs: [JOB], timezone: 'UTC' } });
    this.reply('GET tools', { status: 200, body: { tools: [] } });
    this.reply('GET memory/proposals', { status: 200, body: { proposals: [PROPOSAL] } });
    this.reply('GET memory/user', { status: 200, body: { index: '', facts: [] } });
    this.reply('GET activity/runs?limit=50', { status: 200, body: { runs: [], more: false } });
    this.reply('GET approvals?limit=50', { status: 200, body: { approvals: [] } });
  }

  /** A manager over the same server and device, as after a reload. */
  reopen(): Manager {
    return createManager({
      crew: this.crew,
      device: this.device,
      connection: this.connection,
      now: () => Date.now(),
      setTimeout: (run, ms) => setTimeout(run, ms) as unknown as number,
      clearTimeout: timer => clearTimeout(timer)
    });
  }

  /** How often something was asked for. */
  count(what: string): number {
    return this.bodies(what).length;
  }
}
