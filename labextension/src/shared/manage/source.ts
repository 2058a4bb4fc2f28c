/** A region that is read whole: one object, read again when something says so. */
import { failureOf } from '../api';
import { Store } from '../stores/store';
import type { Failure, Loading } from '../stores/types';

export interface Loaded<T> {
  loading: Loading;
  /** Why the last reading failed; what was read before it stays. */
  failure: Failure | null;
  data: T | null;
}

export class Source<T> extends Store<Loaded<T>> {
  private asked = 0;

  constructor(private readonly read: () => Promise<T>) {
    super({ loading: 'idle', failure: null, data: null });
  }

  /** Reads it; of several readings on their way only the last counts. Never rejects. */
  async load(): Promise<void> {
    const turn = ++this.asked;
    if (this.getSnapshot().data === null) {
      this.set({ loading: 'loading', failure: null, data: null });
    }
    try {
      const data = await this.read();
      if (turn === this.asked) {
        this.set({ loading: 'ready', failure: null, data });
      }
    } catch (error) {
      if (turn === this.asked) {
        this.set({ ...this.getSnapshot(), loading: 'failed', failure: failureOf(error) });
      }
    }
  }

  /** Changes what was read, as an answer of the server says. */
  change(turn: (data: T) => T): void {
    const now = this.getSnapshot();
    if (now.data !== null) {
      this.set({ ...now, data: turn(now.data) });
    }
  }
}

/** Runs something at once, and after that at most once in `everyMs`; nothing asked for is forgotten. */
export class Throttle {
  private last = Number.NEGATIVE_INFINITY;
  private timer: number | null = null;

  constructor(
    private readonly host: { now(): number; setTimeout(run: () => void, ms: number): number; clearTimeout(timer: number): void },
    private readonly everyMs: number,
    private readonly run: () => void
  ) {}

  soon(): void {
    const wait = this.last + this.everyMs - this.host.now();
    this.timer ??= this.host.setTimeout(
      () => {
        this.timer = null;
        this.last = this.host.now();
        this.run();
      },
      Math.max(0, wait)
    );
  }

  cancel(): void {
    if (this.timer !== null) {
      this.host.clearTimeout(this.timer);
      this.timer = null;
    }
  }
}
