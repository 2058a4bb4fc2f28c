/** Owner of what is remembered: facts about the person, proposals, memories of agents (MEMF-17, UI-97, UI-98). */
import type { AgentMemoryView, FactChange, MemoryProposal, ProposalList, UserMemory } from '../contract';
import { Acts } from './acts';
import type { ManageApi } from './api';
import { Source } from './source';

type Asks = Pick<ManageApi, 'proposals' | 'decideProposal' | 'userMemory' | 'saveFact' | 'forgetFact' | 'agentMemory'>;

export class MemoryStore {
  readonly proposals: Source<ProposalList>;
  readonly user: Source<UserMemory>;
  readonly acts = new Acts();
  private readonly agents = new Map<string, Source<AgentMemoryView>>();

  constructor(private readonly api: Asks) {
    this.proposals = new Source(() => api.proposals());
    this.user = new Source(() => api.userMemory());
  }

  /** One agent's memory; read when it is first asked for. */
  agent(id: string): Source<AgentMemoryView> {
    const known = this.agents.get(id) ?? new Source(() => this.api.agentMemory(id));
    this.agents.set(id, known);
    return known;
  }

  /** A proposal may write into anything that was read: all of it is read again. */
  async decide(id: string, decision: 'approve' | 'reject' | 'revert', force = false): Promise<void> {
    const done = await this.acts.run(id, () => this.api.decideProposal(id, { decision, force }));
    if (done) {
      this.proposals.change(list => ({ proposals: list.proposals.map(one => (one.id === id ? done.value : one)) }));
      this.readAgain();
    } else if (this.acts.getSnapshot().failures[id]?.code === 'decided') {
      await this.proposals.load(); // somebody was first
    }
  }

  async save(slug: string, change: FactChange): Promise<boolean> {
    const done = await this.acts.run(slug, () => this.api.saveFact(slug, change));
    if (done) {
      this.user.change(memory => ({ ...memory, facts: memory.facts.map(fact => (fact.slug === slug ? done.value : fact)) }));
    }
    return done !== null;
  }

  async forget(slug: string): Promise<boolean> {
    const done = await this.acts.run(slug, () => this.api.forgetFact(slug));
    if (done) {
      this.user.change(memory => ({ ...memory, facts: memory.facts.filter(fact => fact.slug !== slug) }));
    }
    return done !== null;
  }

  private readAgain(): void {
    void this.user.load();
    for (const agent of this.agents.values()) {
      void agent.load();
    }
  }
}

/** The proposals that wait for a person. */
export function waiting(list: ProposalList | null): readonly MemoryProposal[] {
  return list?.proposals.filter(one => one.status === 'pending') ?? [];
}

/** The current text of the target, when a proposal no longer fits (409 `stale`, UI-98); else null. */
export function staleText(failure: { code: string; fields: Record<string, unknown> } | undefined): string | null {
  return failure?.code === 'stale' ? String(failure.fields['current'] ?? '') : null;
}
