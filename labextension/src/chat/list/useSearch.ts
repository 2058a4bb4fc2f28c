import { useEffect, useState } from 'react';
import type { SearchResult } from '../../shared/contract';
import { useApp } from '../parts/context';

const PAUSE_MS = 300; // UI-14

export interface Found {
  /** What was asked; the answer to older words is never shown. */
  text: string;
  hits: readonly SearchResult[];
  failure: string | null;
}

/** Messages that hold the words, asked for after a pause; null while there is no answer to just these words. */
export function useSearch(text: string): Found | null {
  const app = useApp();
  const [found, setFound] = useState<Found | null>(null);
  const words = text.trim();
  useEffect(() => {
    if (words === '') {
      setFound(null);
      return undefined;
    }
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      app.list.search(words, abort.signal).then(
        hits => abort.signal.aborted || setFound({ text: words, hits, failure: null }),
        (error: unknown) => abort.signal.aborted || setFound({ text: words, hits: [], failure: error instanceof Error ? error.message : String(error) })
      );
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [app, words]);
  return found?.text === words ? found : null;
}
