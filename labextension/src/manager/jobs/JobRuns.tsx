import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { Skeleton } from '../../chat/parts/loading';
import type { JobInfo } from '../../shared/contract';
import { useManager } from '../app';
import { RunRow } from '../runs/RunRow';

/** The runs of one job, on demand; the list stays open while the jobs are read again (UI-95, UI-96). */
export function JobRuns({ job }: { job: JobInfo }): JSX.Element | null {
  const { t } = useApp();
  const { jobs } = useManager().manager;
  const state = useSelect(jobs.open, all => all[job.id] ?? null);
  if (state === null) {
    return null;
  }
  const said = state.loading === 'failed' ? t('jobs.runs_failed') : state.loading === 'ready' && state.runs.length === 0 ? t('jobs.no_runs') : null;
  return (
    <div className="crew-jobruns" role="region" aria-label={t('jobs.runs_of', { name: job.name })}>
      {state.loading === 'loading' ? <Skeleton rows={2} /> : null}
      {said ? <p className="crew-sm crew-2">{said}</p> : null}
      {state.runs.length > 0 ? (
        <ul className="crew-runs">
          {state.runs.map(run => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}
