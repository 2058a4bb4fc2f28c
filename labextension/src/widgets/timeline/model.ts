/** The widget's model as one small store: the kernel's messages in, a snapshot out (UI-3, UI-160). */
import { applyChange, type Empty, type FromKernel, hasRun, isState } from './state';

/** What anywidget gives to `render`, as far as it is used here. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  send(content: unknown): void;
  on(name: string, callback: (...values: never[]) => void): void;
  off(name: string, callback: (...values: never[]) => void): void;
}

export interface Snapshot {
  state: Empty | null;
  selected: number | null;
  /** `waiting` until the kernel has answered, `live` after it, `still` when nobody answers. */
  kernel: 'waiting' | 'live' | 'still';
  stopping: boolean;
  fault: string | null;
}

const ANSWER_MS = 3000; // UI-160: without an answer by then there is no kernel

type Timers = { set: (run: () => void, ms: number) => number; clear: (id: number) => void };

export class TimelineModel {
  private readonly listeners = new Set<() => void>();
  private snapshot: Snapshot;
  private timer: number | null = null;

  constructor(
    private readonly model: WidgetModel,
    private readonly timers: Timers
  ) {
    const state = model.get('state');
    this.snapshot = { state: isState(state) ? state : null, selected: selectedOf(model), kernel: 'waiting', stopping: false, fault: null };
  }

  /** Tells the kernel that this view can hear (messages sent before are lost), and waits for its answer. */
  start(): void {
    this.model.on('msg:custom', this.hear);
    this.model.on('change:state', this.replaced);
    this.model.on('change:selected_step', this.chosen);
    this.expect(() => this.put({ kernel: 'still' }));
    this.model.send({ type: 'ready' });
  }

  /** Ends the view. */
  end(): void {
    this.model.off('msg:custom', this.hear);
    this.model.off('change:state', this.replaced);
    this.model.off('change:selected_step', this.chosen);
    this.clear();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getSnapshot = (): Snapshot => this.snapshot;

  /**
   * Chooses a step, or none when it is chosen already (UI-162). The kernel sets the trait: `save_changes` would send back
   * everything that was only kept in the page's model.
   */
  select(index: number): void {
    const selected = this.snapshot.selected === index ? null : index;
    this.put({ selected });
    this.model.send({ action: 'select', step: selected });
  }

  /** Asks the kernel to stop the turn (UI-159). */
  stop(): void {
    this.put({ stopping: true, fault: null });
    this.expect(() => this.put({ kernel: 'still', stopping: false }));
    this.model.send({ action: 'stop' });
  }

  private readonly hear = (message: FromKernel): void => {
    this.clear();
    if (message.type === 'answer') {
      this.put({ kernel: 'live', stopping: message.error === null && this.snapshot.stopping, fault: message.error });
      return;
    }
    const old = this.snapshot.state;
    const state = message.type === 'state' ? message.state : old && hasRun(old) ? applyChange(old, message) : null;
    if (state === null) {
      this.model.send({ type: 'ready' });
      return;
    }
    this.model.set('state', state); // kept in the page's model, so that a saved notebook shows it; nothing is sent
    this.take(state);
  };

  private readonly replaced = (): void => {
    const state = this.model.get('state');
    if (isState(state) && state !== this.snapshot.state) {
      this.clear();
      this.take(state);
    }
  };

  private readonly chosen = (): void => this.put({ selected: selectedOf(this.model) });

  private take(state: Empty): void {
    const over = state.run === null || (state.run.status !== 'running' && state.run.status !== 'waiting');
    this.put({ state, kernel: 'live', stopping: this.snapshot.stopping && !over });
  }

  private expect(failed: () => void): void {
    this.clear();
    this.timer = this.timers.set(failed, ANSWER_MS);
  }

  private clear(): void {
    if (this.timer !== null) {
      this.timers.clear(this.timer);
      this.timer = null;
    }
  }

  private put(change: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    this.listeners.forEach(listener => listener());
  }
}

function selectedOf(model: WidgetModel): number | null {
  const value = model.get('selected_step');
  return typeof value === 'number' ? value : null;
}
