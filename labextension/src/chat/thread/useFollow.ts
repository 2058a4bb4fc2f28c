import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AT_END, type Follow, grown, type Place, scrolled } from './follow';

interface Following {
  following: boolean;
  onScroll: () => void;
  toEnd: () => void;
}

/** Keeps the end in view while the reader is there; a new `key` (another conversation) begins at the end (UI-28, UI-30). */
export function useFollow(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string | null): Following {
  const state = useRef<Follow>(AT_END);
  const [following, setFollowing] = useState(true);
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
      state.current = scrolled(state.current, placeOf(box.current));
      setFollowing(state.current.following);
    }
  }, [box]);
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
  return { following, onScroll, toEnd };
}

function placeOf(element: HTMLElement): Place {
  return { top: element.scrollTop, height: element.scrollHeight, client: element.clientHeight };
}
