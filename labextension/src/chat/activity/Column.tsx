import type { Run } from '../../shared/contract';
import { useApp } from '../parts/context';
import { Meter } from '../parts/controls';
import { duration, price, timeOfDay } from '../parts/figures';
import { useNow, useSelect } from '../parts/hooks';
import { shareOf } from '../header/cap';
import { Line } from '../parts/pop';
import { Timeline } from './Timeline';
import { useRuns } from './useRuns';
import { isOpen, runMs } from './words';

/** The activity column of the wide layout: always there, also before the first run (UI-65 to UI-67). */
export function Column(): JSX.Element {
  const { t } = useApp();
  const runs = useRuns();
  return (
    <aside className="crew-column" aria-label={t('activity.title')}>
      <div className="crew-colhead">{t('activity.title')}</div>
      <div className="scroll" tabIndex={0}>
        <Summary runs={runs} />
        {runs.length === 0 ? <div className="crew-none crew-sm crew-2">{t('activity.empty')}</div> : null}
        {runs.map((run, index) => (
          <RunBlock key={run.id} run={run} newest={index === 0} />
        ))}
      </div>
    </aside>
  );
}

function Summary({ runs }: { runs: readonly Run[] }): JSX.Element {
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
      {view.conversation && view.conversation.delegated_usd > 0 ? (
        <Line icon="crew" label={t('spend.delegated')}>
          {price(view.conversation.delegated_usd, t)}
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

function RunBlock({ run, newest }: { run: Run; newest: boolean }): JSX.Element {
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
      </div>
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
