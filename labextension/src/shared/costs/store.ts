/** Owner of the usage ledger: the period that is shown, and what was read of each (UI-3, UI-83). */
import type { UsageParts } from '../contract';
import type { ManageApi } from '../manage/api';
import { Source, Throttle } from '../manage/source';
import { Cell } from '../stores/store';
import { type Period, PERIODS } from './ledger';

const REREAD_MS = 1000; // many runs may end at once

interface Host {
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export class CostsStore {
  readonly period = new Cell<Period>('week');
  private readonly sources: Record<Period, Source<UsageParts>>;
  private readonly throttle: Throttle;

  constructor(host: Host, api: Pick<ManageApi, 'usage'>) {
    this.sources = Object.fromEntries(PERIODS.map(period => [period, new Source(() => api.usage({ period }))])) as Record<Period, Source<UsageParts>>;
    this.throttle = new Throttle(host, REREAD_MS, () => void this.load());
  }

  /** The ledger of a period. */
  of(period: Period): Source<UsageParts> {
    return this.sources[period];
  }

  /** Shows another period and reads it. */
  show(period: Period): void {
    this.period.put(period);
    void this.load();
  }

  /** Reads the period that is shown. Never rejects. */
  async load(): Promise<void> {
    await this.sources[this.period.getSnapshot()].load();
  }

  /** A run has ended: read again, at most once a second. */
  hear(): void {
    this.throttle.soon();
  }

  stop(): void {
    this.throttle.cancel();
  }
}
