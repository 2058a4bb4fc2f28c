/** The base of the objects that own a region of data (UI-3); made for `useSyncExternalStore`. */

/** What a view reads: it never writes. */
export interface Readable<T> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
}

/** A value with listeners. Snapshots are immutable: a change is always a new object. */
export class Store<T> implements Readable<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): T => this.value;

  /** Replaces the value; listeners hear it at once, nothing happens when it is the same object. */
  protected set(next: T): void {
    if (next !== this.value) {
      this.value = next;
      this.notify();
    }
  }

  /** Replaces the value without telling anybody yet (see `Batch`). */
  protected setQuietly(next: T): void {
    this.value = next;
  }

  /** Tells every listener; a listener that throws does not keep the others from hearing it. */
  protected notify(): void {
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        console.error(error);
      }
    }
  }
}

/** A store that anybody may set, for small values such as a width. */
export class Cell<T> extends Store<T> {
  /** Sets the value. */
  put(next: T): void {
    this.set(next);
  }
}
