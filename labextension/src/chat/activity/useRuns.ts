import { useEffect, useMemo } from 'react';
import type { Run } from '../../shared/contract';
import { openerOf } from '../../shared/delegate';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';

const NONE: readonly Run[] = [];

export interface Runs {
  /** Of the open conversation itself, newest first (UI-64). */
  own: readonly Run[];
  /** Of those it gave out jobs to (TURN-91). */
  children: readonly Run[];
}

/** The runs of the open conversation and of its children. */
export function useRuns(): Runs {
  const app = useApp();
  const id = useSelect(app.conversation, state => state.id);
  useEffect(() => {
    if (id !== null) {
      void app.activity.loadRuns(id);
    }
  }, [app, id]);
  const runs = useSelect(app.activity, state => (id === null ? NONE : state.history[id] ?? NONE));
  return useMemo(() => ({ own: runs.filter(run => run.conversation_id === id), children: runs.filter(run => openerOf(run) === id) }), [runs, id]);
}

/** The children's runs that belong under a run: those its calls opened, in the order of the calls (UI-67). Pure. */
export function under(run: Run, children: readonly Run[]): Run[] {
  const ids = run.steps.map(step => step.child_id).filter(id => id !== null);
  return ids.flatMap(id => children.filter(child => child.conversation_id === id));
}
