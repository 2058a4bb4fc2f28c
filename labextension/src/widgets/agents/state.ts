/** The state of `AgentsTable` as its kernel side makes it (`crewlab/widgets/agents.py`). */
import type { AgentView, Run } from '../../shared/contract';
import type { Base } from '../live/wire';

export interface Row extends Pick<AgentView, 'id' | 'name' | 'description' | 'master' | 'mode' | 'live' | 'tools'> {
  next: { id: string; name: string; at: string } | null;
  /** Spending of the last seven days; null when nothing was called. */
  week: { cost_usd: number; unknown: number; estimated: number; calls: number } | null;
}

export type RunHead = Pick<Run, 'id' | 'agent_id' | 'status' | 'label' | 'summary' | 'started_at' | 'cost_usd' | 'unknown_cost_calls' | 'estimated_cost_calls'>;

export interface Shown extends Base {
  agents: Row[];
  /** Runs that go on. */
  live: RunHead[];
}
