/** Requests that a person starts, by what they are about: which are on their way, and which failed (UI-8). */
import { ApiError, failureOf } from '../api';
import { Store } from '../stores/store';
import type { Failure } from '../stores/types';

export interface ActState {
  busy: ReadonlySet<string>;
  failures: Readonly<Record<string, Failure>>;
}

export class Acts extends Store<ActState> {
  constructor() {
    super({ busy: new Set(), failures: {} });
  }

  /** Carries one out unless the same is on its way. Resolves null when it failed; never rejects. */
  async run<T>(id: string, ask: () => Promise<T>): Promise<{ value: T } | null> {
    if (this.getSnapshot().busy.has(id)) {
      return null;
    }
    const { [id]: _old, ...failures } = this.getSnapshot().failures;
    this.set({ busy: new Set([...this.getSnapshot().busy, id]), failures });
    try {
      const value = await ask();
      this.end(id, null);
      return { value };
    } catch (error) {
      this.end(id, error instanceof ApiError ? error.failure : failureOf(error));
      return null;
    }
  }

  /** Takes the failure line away. */
  clear(id: string): void {
    const { [id]: _old, ...failures } = this.getSnapshot().failures;
    this.set({ ...this.getSnapshot(), failures });
  }

  private end(id: string, failure: Failure | null): void {
    const { busy, failures } = this.getSnapshot();
    this.set({ busy: new Set([...busy].filter(one => one !== id)), failures: failure ? { ...failures, [id]: failure } : failures });
  }
}
