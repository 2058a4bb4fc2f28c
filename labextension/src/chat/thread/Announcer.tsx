import { useEffect, useRef, useState } from 'react';
import type { ThreadItem } from '../../shared/view';

/** Speaks an answer once it is finished, whole and politely; text that is being written is not read (UI-119). */
export function Announcer({ items }: { items: readonly ThreadItem[] }): JSX.Element {
  const writing = useRef<string | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const answers = items.filter(item => item.kind === 'answer');
    const finished = answers.find(item => item.key === writing.current && !item.streaming);
    if (finished) {
      setSaid(finished.text);
    }
    const now = answers.find(item => item.streaming);
    if (now || finished) {
      writing.current = now?.key ?? null;
    }
  }, [items]);
  return (
    <div className="crew-hidden" role="status" aria-live="polite">
      {said}
    </div>
  );
}
