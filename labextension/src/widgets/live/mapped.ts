/** A store made of another one. */
import type { Readable } from '../../shared/stores/store';

/** `map` of the snapshot of `source`, made once for each snapshot. */
export function mapped<S, T>(source: Readable<S>, map: (state: S) => T): Readable<T> {
  let from: S | undefined;
  let made: T | undefined;
  return {
    subscribe: listener => source.subscribe(listener),
    getSnapshot: () => {
      const now = source.getSnapshot();
      if (made === undefined || now !== from) {
        from = now;
        made = map(now);
      }
      return made;
    }
  };
}

/** A store that never changes. */
export function fixed<T>(value: T): Readable<T> {
  return { subscribe: () => () => undefined, getSnapshot: () => value };
}
