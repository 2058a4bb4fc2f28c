import { useMemo } from 'react';
import type { Run } from '../../shared/contract';
import { runFigures } from '../activity/words';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';

/** "12 steps, 6 m 20 s, $0.2684" of the turn that has just ended; null while none has, or its run is not known here. */
export function useFigures(): string | null {
  const app = useApp();
  const end = useSelect(app.conversation, state => (state.view.running ? null : state.view.end));
  const id = useSelect(app.conversation, state => state.id);
  const history = useSelect(app.activity, state => (end && id ? state.history[id] : undefined));
  const ended = useSelect(app.activity, state => (end ? state.view.ended : undefined));
  return useMemo(() => {
    const run = end ? find(end.run_id, history) ?? find(end.run_id, ended) : undefined;
    return run ? runFigures(run, app.t) : null;
  }, [app, end, ended, history]);
}

function find(id: string, runs: readonly Run[] | undefined): Run | undefined {
  return runs?.find(run => run.id === id);
}
