import { useEffect } from 'react';
import type { Run } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';

const NONE: readonly Run[] = [];

/** The runs of the open conversation, newest first (UI-64). */
export function useRuns(): readonly Run[] {
  const app = useApp();
  const id = useSelect(app.conversation, state => state.id);
  useEffect(() => {
    if (id !== null) {
      void app.activity.loadRuns(id);
    }
  }, [app, id]);
  return useSelect(app.activity, state => (id === null ? NONE : state.history[id] ?? NONE));
}
