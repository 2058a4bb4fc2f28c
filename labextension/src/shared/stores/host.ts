/** What the stores need of their window; fakes stand in for it in tests. */
import type { Api } from '../api';
import type { TopicListener } from '../topic';

export interface StoreHost {
  readonly api: Api;
  /** Hears a topic until the answer is called (`Connection.watch`). */
  watch(topic: string, listener: TopicListener): () => void;
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  newRequestId(): string;
  /** The browser's time zone (UI-148), null when it does not say. */
  readonly timezone: string | null;
}

/** Resolves after a while. */
export function pause(host: StoreHost, ms: number): Promise<void> {
  return new Promise(resolve => host.setTimeout(resolve, ms));
}

const BATCH_MS = 50; // guide 10: text is drawn at most 20 times a second

/** Gathers changes that come faster than eyes read: `soon` runs `commit` at most 20 times a second, `now` at once. */
export class Batch {
  private timer: number | null = null;

  constructor(
    private readonly host: Pick<StoreHost, 'setTimeout' | 'clearTimeout'>,
    private readonly commit: () => void
  ) {}

  soon(): void {
    this.timer ??= this.host.setTimeout(() => {
      this.timer = null;
      this.commit();
    }, BATCH_MS);
  }

  now(): void {
    this.cancel();
    this.commit();
  }

  cancel(): void {
    if (this.timer !== null) {
      this.host.clearTimeout(this.timer);
      this.timer = null;
    }
  }
}
