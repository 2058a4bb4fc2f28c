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

  async load(): Promise<void> {
    const turn = ++this.asked;
    if (this.getSnapshot().loading !== 'ready') {
      this.set({ ...this.getSnapshot(), loading: 'loading', failure: null });
    }
    try {
      const [{ agents }, connections] = await Promise.all([this.host.api.agents(), this.host.api.connections()]);
      if (turn === this.asked) {
        this.set({ loading: 'ready', failure: null, agents, connections, answering: connections.answering });
      }
    } catch (error) {
      if (turn === this.asked) {
        this.set({ ...this.getSnapshot(), loading: 'failed', failure: failureOf(error) });
      }
    }
  }
}
