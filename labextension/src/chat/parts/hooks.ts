import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Layers } from '../../shared/layers';
import type { Readable } from '../../shared/stores/store';

const SKELETON_AFTER_MS = 300; // guide section 9
const STILL_AFTER_MS = 5000; // guide section 9

/** The snapshot of a store. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** One part of a snapshot; the view is drawn again only when that part is another value. */
export function useSelect<T, R>(store: Readable<T>, select: (state: T) => R): R {
  return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

/** The time, read again every `everyMs` while `active`. */
export function useNow(active: boolean, everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) {
      return undefined;
    }
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [active, everyMs]);
  return now;
}

/** How a place that loads looks: nothing, then grey bars, then words (guide section 9). */
export function useLoadingStage(loading: boolean): 'none' | 'bars' | 'words' {
  const [stage, setStage] = useState<'none' | 'bars' | 'words'>('none');
  useEffect(() => {
    setStage('none');
    if (!loading) {
      return undefined;
    }
    const bars = setTimeout(() => setStage('bars'), SKELETON_AFTER_MS);
    const words = setTimeout(() => setStage('words'), STILL_AFTER_MS);
    return () => {
      clearTimeout(bars);
      clearTimeout(words);
    };
  }, [loading]);
  return stage;
}

/** Registers what floats while `open`: Escape closes the innermost, a press outside closes it (UI-22). */
export function useLayer(layers: Layers, open: boolean, close: () => void, inside: readonly RefObject<HTMLElement | null>[]): void {
  const latest = useRef({ close, inside });
  latest.current = { close, inside };
  useEffect(() => {
    if (!open) {
      return undefined;
    }
    const release = layers.push(() => latest.current.close());
    const press = (event: PointerEvent): void => {
      const target = event.target;
      if (target instanceof Node && !latest.current.inside.some(ref => ref.current?.contains(target))) {
        latest.current.close();
      }
    };
    document.addEventListener('pointerdown', press, true);
    return () => {
      release();
      document.removeEventListener('pointerdown', press, true);
    };
  }, [layers, open]);
}

/** A fold: whether it is open, and the function that turns it over. */
export function useFold(initial = false): [boolean, () => void] {
  const [open, setOpen] = useState(initial);
  const turn = useCallback(() => setOpen(was => !was), []);
  return [open, turn];
}
