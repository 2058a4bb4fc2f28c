import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AT_END, type Follow, grown, type Place, scrolled } from './follow';

const HAND_MS = 400;

interface Following {
  following: boolean;
  onScroll: () => void;
  /** The reader touched wheel, keys, screen or scroll bar. */
  onHand: () => void;
  toEnd: () => void;
}

/** Keeps the end in view while the reader is there; a new `key` (another conversation) begins at the end (UI-28, UI-30). */
export function useFollow(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string | null): Following {
  const state = useRef<Follow>(AT_END);
  const [following, setFollowing] = useState(true);
  const hand = useRef(-HAND_MS);
  const held = useHeld(box);
  const keep = useCallback((): void => {
    const element = box.current;
    if (element) {
      const top = grown(state.current, placeOf(element));
      if (top !== null && Math.abs(element.scrollTop - top) > 1) {
        element.scrollTop = top;
      }
      state.current = { ...state.current, last: placeOf(element) };
    }
  }, [box]);
  const onScroll = useCallback((): void => {
    if (box.current) {
      const byHand = performance.now() - hand.current < HAND_MS || held.current;
      state.current = scrolled(state.current, placeOf(box.current), byHand);
      setFollowing(state.current.following);
      if (!byHand) {
        keep();
        settled(keep);
      }
    }
  }, [box, held, keep]);
  const onHand = useCallback((): void => {
    hand.current = performance.now();
  }, []);
  const toEnd = useCallback((): void => {
    state.current = { ...state.current, following: true };
    setFollowing(true);
    keep();
  }, [keep]);
  useLayoutEffect(toEnd, [toEnd, key]);
  useEffect(() => {
    if (typeof ResizeObserver === 'undefined') {
      return undefined;
    }
    const observer = new ResizeObserver(keep);
    for (const ref of [box, content]) {
      if (ref.current) {
        observer.observe(ref.current);
      }
    }
    return () => observer.disconnect();
  }, [box, content, keep]);
  return { following, onScroll, onHand, toEnd };
}

function placeOf(element: HTMLElement): Place {
  return { top: element.scrollTop, height: element.scrollHeight, client: element.clientHeight };
}

/** Whether a pointer is held down, as on the scroll bar. */
function useHeld(box: RefObject<HTMLElement | null>): { readonly current: boolean } {
  const held = useRef(false);
  useEffect(() => {
    const element = box.current;
    const down = (): void => {
      held.current = true;
    };
    const up = (): void => {
      held.current = false;
    };
    element?.addEventListener('pointerdown', down);
    globalThis.addEventListener('pointerup', up);
    globalThis.addEventListener('pointercancel', up);
    return () => {
      element?.removeEventListener('pointerdown', down);
      globalThis.removeEventListener('pointerup', up);
      globalThis.removeEventListener('pointercancel', up);
    };
  }, [box]);
  return held;
}

/**
 * Once more when the frame after the next begins: entries the browser had left out (`content-visibility`) get their real
 * height only then, and no observer tells of a height that went and came back within a frame.
 */
function settled(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
