/** Owner of the agents and of what answers (UI-3). */
import { failureOf } from '../api';
import type { StoreHost } from './host';
import { Store } from './store';
import type { AgentsRegion, AgentsState } from './types';

export class AgentsStore extends Store<AgentsState> implements AgentsRegion {
  private asked = 0;

  constructor(private readonly host: Pick<StoreHost, 'api'>) {
    super({ loading: 'idle', failure: null, agents: [], connections: null, answering: null });
  }

  /** Id of the master, null while the agents are not known. */
  get master(): string | null {
    return this.getSnapshot().agents.find(agent => agent.master)?.id ?? null;
  }

  /** Reads both; one that fails does not hide the other. */
  async load(): Promise<void> {
    const turn = ++this.asked;
    if (this.getSnapshot().loading !== 'ready') {
      this.set({ ...this.getSnapshot(), loading: 'loading', failure: null });
    }
    const [agents, connections] = await Promise.allSettled([this.host.api.agents(), this.host.api.connections()]);
    if (turn !== this.asked) {
      return;
    }
    const failed = [agents, connections].find(one => one.status === 'rejected');
    const next: AgentsState = {
      ...this.getSnapshot(),
      loading: failed ? 'failed' : 'ready',
      failure: failed?.status === 'rejected' ? failureOf(failed.reason) : null
    };
    if (agents.status === 'fulfilled') {
      next.agents = agents.value.agents;
    }
    if (connections.status === 'fulfilled') {
      next.connections = connections.value;
      next.answering = connections.value.answering;
    }
    this.set(next);
  }
}
