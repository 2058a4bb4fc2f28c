import { useEffect, useRef } from 'react';
import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import { IconButton, Switch } from '../../chat/parts/controls';
import { useNow, useSelect, useStore } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import { useAgent } from '../../chat/thread/useAgent';
import type { JobInfo } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { moment } from '../parts/when';
import { JobRuns } from './JobRuns';
import { lastWords, nextWords, stateLabels } from './words';

const AGE_MS = 30_000;

/** One job: when, how the last run ended, and what a person may do (UI-95, JOB-26 to JOB-31). */
export function JobRow({ job }: { job: JobInfo }): JSX.Element {
  const { t } = useApp();
  const { jobs, place } = useManager().manager;
  const wanted = useStore(place).rest === job.id; // a link of another page led here (STO-46)
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (wanted) {
      row.current?.scrollIntoView({ block: 'nearest' });
      row.current?.focus();
    }
  }, [wanted]);
  const agent = useAgent(job.agent_id);
  const now = useNow(true, AGE_MS);
  const failure = useSelect(jobs.acts, state => state.failures[job.id] ?? null);
  return (
    <li ref={row} className={wanted ? 'crew-job on' : 'crew-job'} tabIndex={wanted ? -1 : undefined}>
      <div className="row">
        <Avatar id={agent.id} name={agent.name} size="l" />
        <div className="words">
          <div className="crew-row crew-wrap">
            <span className="crew-b">{job.name}</span>
            {stateLabels(job, t).map(({ text, tone, hint }) => (
              <span key={text} className={`crew-label ${tone}`} title={hint}>
                {text}
              </span>
            ))}
          </div>
          <div className="crew-sm crew-2">
            {agent.name}, {job.words}
            {job.cron ? <span className="crew-mono"> {job.cron}</span> : null}
          </div>
        </div>
        <Times job={job} now={now} />
        <Acts job={job} />
      </div>
      {failure ? <ActFailure text={t('jobs.not_done', { message: failure.message })} /> : null}
      <JobRuns job={job} />
    </li>
  );
}

function Times({ job, now }: { job: JobInfo; now: number }): JSX.Element {
  const { t } = useApp();
  const failed = job.last_run?.status === 'error' || job.last_run?.status === 'halted';
  return (
    <div className="times crew-sm crew-num">
      <span>{nextWords(job, moment(job.next_run_at ?? '', now, t), t)}</span>
      <span className={failed ? 'crew-t-error' : 'crew-2'} title={job.last_run?.summary}>
        {lastWords(job, moment(job.last_run?.started_at ?? '', now, t), t)}
      </span>
    </div>
  );
}

/** A schedule off in its file has no switch; only one that was made in a conversation can be deleted (JOB-27, JOB-30). */
function Acts({ job }: { job: JobInfo }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { manager } = useManager();
  const { jobs } = manager;
  const busy = useSelect(jobs.acts, state => state.busy.has(job.id));
  const remove = async (): Promise<void> => {
    const sure = await app.confirm({ title: t('jobs.delete_ask', { name: job.name }), body: t('jobs.delete_body'), accept: t('jobs.delete'), danger: true });
    if (sure) {
      await jobs.remove(job.id);
    }
  };
  return (
    <div className="acts">
      {job.enabled ? <Switch on={!job.paused} label={t('jobs.switch', { name: job.name })} onChange={on => void jobs.setPaused(job.id, !on)} /> : null}
      <button type="button" className="crew-btn small" aria-label={t('jobs.run_of', { name: job.name })} disabled={busy || job.running || job.orphan} onClick={() => void jobs.runNow(job.id)}>
        {t('jobs.run_now')}
      </button>
      <RunsButton job={job} />
      {job.origin === 'profile' && !job.orphan ? (
        <button type="button" className="crew-btn small" aria-label={t('jobs.edit_of', { name: job.name })} onClick={() => manager.go('team', `${job.agent_id}/schedules`)}>
          {t('memory.edit')}
        </button>
      ) : null}
      {job.origin === 'chat' ? <IconButton icon="delete" label={t('jobs.delete_of', { name: job.name })} disabled={busy} onClick={() => void remove()} /> : null}
    </div>
  );
}

function RunsButton({ job }: { job: JobInfo }): JSX.Element {
  const { t } = useApp();
  const { jobs } = useManager().manager;
  const open = useSelect(jobs.open, state => job.id in state);
  return (
    <button type="button" className="crew-btn small" aria-expanded={open} aria-label={t('jobs.runs_of', { name: job.name })} onClick={() => void jobs.turnRuns(job.id)}>
      {t('jobs.runs')}
      <Icon name={open ? 'chevron-down' : 'chevron'} size="xs" />
    </button>
  );
}
