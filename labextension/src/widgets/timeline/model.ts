/** What the card of a run reads and does: the live state, the chosen step, Stop (UI-159, UI-162). */
import { failureOf } from '../../shared/api';
import { Store } from '../../shared/stores/store';
import type { LiveModel, Snapshot as Live } from '../live/model';
import { isOver, type Shown } from './state';

export interface Snapshot extends Live<Shown> {
  selected: number | null;
  stopping: boolean;
  fault: string | null;
}

export class Timeline extends Store<Snapshot> {
  constructor(private readonly live: LiveModel<Shown>) {
    super({ ...live.getSnapshot(), selected: null, stopping: false, fault: null });
    this.put({ selected: numberOf(live.trait('selected_step', value => this.put({ selected: numberOf(value) }))) });
    live.subscribe(() => {
      const now = live.getSnapshot();
      this.put({ ...now, stopping: this.getSnapshot().stopping && !isOver(now.state) });
    });
  }

  /** Chooses a step, or none when it is chosen already. The kernel sets the trait: `save_changes` would send back the whole state. */
  select(index: number): void {
    const selected = this.getSnapshot().selected === index ? null : index;
    this.put({ selected });
    this.live.ask('select', { step: selected }).catch(() => undefined); // it is chosen here in any case
  }

  /** Asks the kernel to stop the turn (UI-159). */
  async stop(): Promise<void> {
    this.put({ stopping: true, fault: null });
    try {
      await this.live.ask('stop');
    } catch (error) {
      this.put({ stopping: false, fault: failureOf(error).message || null });
    }
  }

  private put(change: Partial<Snapshot>): void {
    this.set({ ...this.getSnapshot(), ...change });
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
