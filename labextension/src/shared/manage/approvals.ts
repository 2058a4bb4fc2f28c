/** Requests of the whole crew: deciding one in place, and those that were decided (GATE-72, GATE-76). */
import { failureOf } from '../api';
import type { Approval, Decision } from '../contract';
import { Store, type Readable } from '../stores/store';
import type { Failure, Loading } from '../stores/types';

const PAGE = 50; // decided requests read at a time

/** What a card needs to decide its request; the open conversation is one, a card of the manager has its own. */
export interface Decider extends Readable<{ deciding: boolean; decisionFailure: Failure | null }> {
  decide(decision: 'approve' | 'deny', always?: boolean): Promise<void>;
  answer(labels: readonly string[], text: string): Promise<void>;
  skip(): Promise<void>;
}

export type Outcome = Exclude<Approval['status'], 'pending'>;

export interface HistoryState {
  loading: Loading;
  failure: Failure | null;
  /** Newest first. */
  decided: readonly Approval[];
  more: boolean;
  outcome: Outcome | null;
  agent: string | null;
}

interface Asks {
  approvals(query: { status?: Outcome | null; agent_id?: string | null; limit?: number; before?: string | null }): Promise<{ approvals: Approval[] }>;
  decide(id: string, decision: Decision): Promise<Approval>;
}

export class ApprovalsStore extends Store<HistoryState> {
  private asked = 0;
  private readonly deciders = new Map<string, Decider>();

  constructor(private readonly api: Asks) {
    super({ loading: 'idle', failure: null, decided: [], more: false, outcome: null, agent: null });
  }

  /** The history from its newest, by the filters of the moment. Never rejects. */
  async load(): Promise<void> {
    const now = this.getSnapshot();
    this.set({ ...now, loading: now.loading === 'ready' ? 'ready' : 'loading', failure: null });
    await this.read(null);
  }

  /** Reads further back (the deadline of a page is the creation of its oldest). */
  async loadMore(): Promise<void> {
    const oldest = this.getSnapshot().decided.at(-1);
    await this.read(oldest?.created_at ?? null);
  }

  /** Shows only these; null takes a filter away. */
  async filter(change: { outcome?: Outcome | null; agent?: string | null }): Promise<void> {
    this.set({ ...this.getSnapshot(), ...change, decided: [], more: false, loading: 'loading', failure: null });
    await this.read(null);
  }

  /** Decides one request wherever its card stands; the same object for the same id. */
  decider(id: string): Decider {
    const known = this.deciders.get(id) ?? new CardDecider(id, this.api, () => void this.load());
    this.deciders.set(id, known);
    return known;
  }

  private async read(before: string | null): Promise<void> {
    const turn = ++this.asked;
    const { outcome, agent, decided } = this.getSnapshot();
    try {
      const { approvals } = await this.api.approvals({ status: outcome, agent_id: agent, limit: PAGE, before });
      if (turn === this.asked) {
        const page = approvals.filter(one => one.status !== 'pending'); // waiting ones have their cards
        const all = before === null ? page : [...decided, ...page];
        this.set({ ...this.getSnapshot(), loading: 'ready', failure: null, decided: all, more: approvals.length === PAGE });
      }
    } catch (error) {
      if (turn === this.asked) {
        this.set({ ...this.getSnapshot(), loading: 'failed', failure: failureOf(error) });
      }
    }
  }
}

class CardDecider extends Store<{ deciding: boolean; decisionFailure: Failure | null }> implements Decider {
  constructor(
    private readonly id: string,
    private readonly api: Asks,
    private readonly done: () => void
  ) {
    super({ deciding: false, decisionFailure: null });
  }

  decide(decision: 'approve' | 'deny', always = false): Promise<void> {
    return this.send({ decision, always });
  }

  answer(labels: readonly string[], text: string): Promise<void> {
    return this.send({ answer: { labels: [...labels], text } });
  }

  skip(): Promise<void> {
    return this.send({ skip: true });
  }

  /** After a decision the buttons stay off: the card goes with the frame that tells of it. */
  private async send(decision: Decision): Promise<void> {
    if (this.getSnapshot().deciding) {
      return;
    }
    this.set({ deciding: true, decisionFailure: null });
    try {
      await this.api.decide(this.id, decision);
    } catch (error) {
      this.set({ deciding: false, decisionFailure: failureOf(error) });
    }
    this.done();
  }
}
