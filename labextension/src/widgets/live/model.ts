/** A widget's model as one small store: the kernel's messages in, a snapshot out, questions to the kernel (UI-3, UI-159, UI-160). */
import { ApiError } from '../../shared/api';
import { Store } from '../../shared/stores/store';
import { applyChange, type Base, isState, type Message, type Page, Pages } from './wire';

/** What anywidget gives to `render`, as far as it is used here. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  send(content: unknown): void;
  on(name: string, callback: (...values: never[]) => void): void;
  off(name: string, callback: (...values: never[]) => void): void;
}

export interface Snapshot<S extends Base> {
  state: S | null;
  /** `waiting` until the kernel has answered, `live` after it, `still` when nobody answers. */
  kernel: 'waiting' | 'live' | 'still';
}

const ANSWER_MS = 3000; // UI-160: without a word by then there is no kernel

export type Timers = { set: (run: () => void, ms: number) => number; clear: (id: number) => void };

interface Asked {
  resolve: (value: unknown) => void;
  reject: (error: ApiError) => void;
  timer: number | null;
}

/** `S` is the state of the component as its kernel side makes it. */
export class LiveModel<S extends Base> extends Store<Snapshot<S>> {
  private readonly asked = new Map<number, Asked>();
  private readonly heardTraits = new Map<string, () => void>();
  private pages = new Pages();
  private timer: number | null = null;
  private next = Math.floor(Math.random() * 1e9) * 1000; // views of one model do not take each other's answers

  constructor(
    private readonly model: WidgetModel,
    private readonly timers: Timers
  ) {
    const state = model.get('state');
    super({ state: isState(state) ? (state as S) : null, kernel: 'waiting' });
  }

  /** Tells the kernel that this view can hear (messages sent before are lost), and waits for its answer. */
  start(): void {
    this.model.on('msg:custom', this.hear);
    this.model.on('change:state', this.replaced);
    this.timer = this.timers.set(() => this.fall(), ANSWER_MS);
    this.model.send({ type: 'ready' });
  }

  /** Ends the view. */
  end(): void {
    this.model.off('msg:custom', this.hear);
    this.model.off('change:state', this.replaced);
    this.heardTraits.forEach((listener, name) => this.model.off(`change:${name}`, listener));
    this.heardTraits.clear();
    this.clear();
    this.asked.forEach(one => this.quiet(one));
    this.asked.clear();
  }

  /** A trait that is kept in the kernel, and every change of it. */
  trait(name: string, listener: (value: unknown) => void): unknown {
    const heard = (): void => listener(this.model.get(name));
    this.heardTraits.set(name, heard);
    this.model.on(`change:${name}`, heard);
    return this.model.get(name);
  }

  /** Asks the kernel to do something (UI-159). Rejects with `ApiError`: what the server said, or `unreachable` when no kernel answers. */
  ask(action: string, fields: Record<string, unknown> = {}): Promise<unknown> {
    const id = (this.next += 1);
    return new Promise((resolve, reject) => {
      const timer = this.timers.set(() => {
        this.asked.delete(id);
        this.fall();
        reject(new ApiError('unreachable', 0, ''));
      }, ANSWER_MS);
      this.asked.set(id, { resolve, reject, timer });
      this.model.send({ ...fields, action, id });
    });
  }

  private readonly hear = (message: Message | Page): void => {
    const whole = message.type === 'page' ? this.pages.take(message) : message;
    if (whole === 'broken') {
      this.model.send({ type: 'ready' });
      return;
    }
    this.clear();
    if (whole === null) {
      return;
    }
    if (whole.type === 'heard' || whole.type === 'answer') {
      this.answered(whole);
    } else if (whole.type === 'state') {
      this.take(whole.state as S);
    } else {
      const old = this.getSnapshot().state;
      const state = old && applyChange(old, whole);
      if (state) {
        this.take(state);
      } else {
        this.model.send({ type: 'ready' }); // something was lost on the way
      }
    }
  };

  private answered(message: Extract<Message, { type: 'heard' | 'answer' }>): void {
    const one = this.asked.get(message.id);
    if (!one) {
      return;
    }
    this.quiet(one);
    this.put({ kernel: 'live' });
    if (message.type === 'answer') {
      this.asked.delete(message.id);
      const { error } = message;
      if (error) {
        one.reject(new ApiError(error.code, error.status, error.message, error.fields));
      } else {
        one.resolve(message.value);
      }
    }
  }

  /** What the model was given by the kernel; a shorter copy does not take the place of what this page has heard. */
  private readonly replaced = (): void => {
    const state = this.model.get('state');
    const known = this.getSnapshot().state;
    if (isState(state) && state !== known && (known === null || known.v === 0 || state.v > known.v)) {
      this.clear();
      this.put({ state: state as S, kernel: 'live' });
    }
  };

  private take(state: S): void {
    this.put({ state, kernel: 'live' });
    this.model.set('state', state); // kept in the page's model, so that a saved notebook shows it; nothing is sent
  }

  private fall(): void {
    this.timer = null;
    this.put({ kernel: 'still' });
  }

  private clear(): void {
    if (this.timer !== null) {
      this.timers.clear(this.timer);
      this.timer = null;
    }
  }

  private quiet(one: Asked): void {
    if (one.timer !== null) {
      this.timers.clear(one.timer);
      one.timer = null;
    }
  }

  private put(change: Partial<Snapshot<S>>): void {
    this.set({ ...this.getSnapshot(), ...change });
  }
}
