import type { Run } from '../../shared/contract';
import { useApp } from '../parts/context';
import { Avatar } from '../parts/avatar';
import { Meter } from '../parts/controls';
import { duration, price, timeOfDay } from '../parts/figures';
import { useNow, useSelect } from '../parts/hooks';
import { shareOf } from '../header/cap';
import { Line } from '../parts/pop';
import { useAgent } from '../thread/useAgent';
import { Timeline } from './Timeline';
import { under, useRuns } from './useRuns';
import { isOpen, runFigures, runMs, runSentence } from './words';

/** The activity column of the wide layout: always there, also before the first run (UI-65 to UI-67). */
export function Column(): JSX.Element {
  const { t } = useApp();
  const { own: runs, children } = useRuns();
  return (
    <aside className="crew-column" aria-label={t('activity.title')}>
      <div className="crew-colhead">{t('activity.title')}</div>
      <div className="scroll" tabIndex={0}>
        <Summary runs={runs} jobs={children.length} />
        {runs.length === 0 ? <div className="crew-none crew-sm crew-2">{t('activity.empty')}</div> : null}
        {runs.map((run, index) => (
          <RunBlock key={run.id} run={run} newest={index === 0} jobs={under(run, children)} />
        ))}
      </div>
    </aside>
  );
}

function Summary({ runs, jobs }: { runs: readonly Run[]; jobs: number }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const view = useSelect(app.conversation, state => state.view);
  const answering = useSelect(app.agents, state => state.answering?.route ?? null);
  const own = useSelect(app.agents, state => state.agents.find(agent => agent.master)?.cost_cap_usd ?? 0);
  const cap = view.conversation?.cost_cap_usd ?? own;
  const share = shareOf(view.spent_usd, cap);
  const route = lastRoute(runs) ?? answering;
  return (
    <div className="crew-card crew-summary">
      <Line icon="costs" label={t('activity.spent')}>
        {cap > 0 ? t('head.spent', { spent: price(view.spent_usd, t), cap: price(cap, t) }) : price(view.spent_usd, t)}
      </Line>
      {share > 0 ? (
        <div className="sub">
          <Meter share={share} text={t('spend.meter', { percent: Math.round(share * 100) })} />
        </div>
      ) : null}
      <Line icon="activity" label={t('activity.steps')}>
        {runs.reduce((sum, run) => sum + run.steps.length, 0)}
      </Line>
      {jobs > 0 ? (
        <Line icon="crew" label={t('activity.jobs')}>
          {t('activity.jobs_cost', { n: jobs, cost: price(view.conversation?.delegated_usd ?? 0, t) })}
        </Line>
      ) : null}
      <Line icon="model" label={t('activity.model')}>
        <span className="crew-mono" title={route ?? undefined}>
          {route ?? t('price.unknown')}
        </span>
      </Line>
    </div>
  );
}

function RunBlock({ run, newest, jobs }: { run: Run; newest: boolean; jobs: readonly Run[] }): JSX.Element {
  const { t } = useApp();
  const now = useNow(isOpen(run));
  return (
    <details open={newest || isOpen(run)}>
      <summary className="crew-sec crew-runhead">
        <span className="crew-grow">
          {timeOfDay(run.started_at, t)}, {t(`run.status.${run.status}`)}
        </span>
        <span className="crew-num">{duration(runMs(run, now), t)}</span>
      </summary>
      <div className="crew-runsteps">
        <Timeline run={run} />
        {jobs.map(job => (
          <ChildRun key={job.id} run={job} />
        ))}
      </div>
    </details>
  );
}

/** A child's run under the run that delegated it (UI-67). */
function ChildRun({ run }: { run: Run }): JSX.Element {
  const app = useApp();
  const agent = useAgent(run.agent_id);
  const now = useNow(isOpen(run));
  return (
    <details className="crew-kids">
      <summary className="crew-sec crew-runhead">
        <Avatar id={agent.id} name={agent.name} />
        <span className="crew-grow crew-ell">
          {agent.name}, {runSentence(run, app.t)}
        </span>
        <span className="crew-num">{runFigures(run, app.t, now)}</span>
      </summary>
      <Timeline run={run} />
      <button type="button" className="crew-link crew-sm" onClick={() => run.conversation_id && app.conversation.openChild(run.conversation_id)}>
        {app.t('job.open')}
      </button>
    </details>
  );
}

function lastRoute(runs: readonly Run[]): string | null {
  for (const run of runs) {
    for (let index = run.steps.length - 1; index >= 0; index -= 1) {
      const route = run.steps[index]?.kind === 'model' ? run.steps[index]?.route : null;
      if (route) {
        return route;
      }
    }
  }
  return null;
}
