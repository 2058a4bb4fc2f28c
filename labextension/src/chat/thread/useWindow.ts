import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

const STEP = 60; // entries in the document at first; more come as the reader goes up
const EARLIER_PX = 600;

interface Shown {
  /** How many entries before the shown ones are not in the document. */
  hidden: number;
  /** Brings the next ones in. */
  earlier: () => void;
  /** To be called on every scroll: brings the next ones in before the reader reaches the top. */
  onScroll: () => void;
}

/** The last entries of a long thread; earlier ones come in above without moving the reader. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, key: string | null): Shown {
  const [shown, setShown] = useState({ key, many: STEP });
  const many = shown.key === key ? shown.many : STEP;
  const hidden = Math.max(0, count - many);
  const before = useRef<{ top: number; height: number } | null>(null);
  const earlier = useCallback((): void => {
    const element = box.current;
    before.current = element ? { top: element.scrollTop, height: element.scrollHeight } : null;
    setShown({ key, many: many + STEP });
  }, [box, key, many]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && before.current) {
      element.scrollTop = before.current.top + element.scrollHeight - before.current.height;
    }
    before.current = null;
  }, [box, many]);
  const onScroll = (): void => {
    if (hidden > 0 && before.current === null && box.current && box.current.scrollTop < EARLIER_PX) {
      earlier();
    }
  };
  return { hidden, earlier, onScroll };
}
