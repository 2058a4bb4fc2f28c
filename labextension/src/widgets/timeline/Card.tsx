import { useEffect, useState, useSyncExternalStore } from 'react';
import { isOpen, runCount, runMs, runSentence } from '../../chat/activity/words';
import { Bead, type BeadKind } from '../../chat/parts/bead';
import { duration, price, timeOfDay } from '../../chat/parts/figures';
import type { Run } from '../../shared/contract';
import { translate, type Translate } from '../../shared/texts';
import type { Snapshot, Timeline } from './model';
import { Rows } from './Rows';
import { hasRun, runOf } from './state';

const LAST_STEPS = 30; // UI-68
const TICK_MS = 1000;

/** The card of `RunTimeline`: what the run does now, its figures, its steps (UI-71, UI-155). */
export function Card({ model }: { model: Timeline }): JSX.Element {
  const snapshot = useSyncExternalStore(model.subscribe, model.getSnapshot);
  const t = translate(snapshot.state?.language === 'vi' ? 'vi' : 'en');
  return (
    <div className="crew-card">
      {snapshot.state && hasRun(snapshot.state) ? (
        <Work model={model} snapshot={snapshot} run={runOf(snapshot.state)} dropped={snapshot.state.dropped} at={snapshot.state.at} t={t} />
      ) : (
        <div className={snapshot.state?.offline ? 'h crew-t-error' : 'h crew-2'} role="status">
          {snapshot.state?.offline ?? t('timeline.empty')}
        </div>
      )}
    </div>
  );
}

interface WorkProps {
  model: Timeline;
  snapshot: Snapshot;
  run: Run;
  dropped: number;
  at: string;
  t: Translate;
}

function Work(props: WorkProps): JSX.Element {
  const { model, snapshot, run, dropped, at, t } = props;
  const live = isOpen(run) && snapshot.kernel !== 'still' && !snapshot.state?.offline;
  const now = useNow(live, at);
  return (
    <>
      <Head {...props} live={live} now={now} />
      <Trouble snapshot={snapshot} t={t} />
      <div className="hr" />
      <div className="body" tabIndex={0} role="region" aria-label={t('timeline.name')}>
        {dropped > 0 ? <div className="crew-2 crew-sm">{t('timeline.dropped', { n: dropped })}</div> : null}
        <Steps run={run} now={now} selected={snapshot.selected} select={index => model.select(index)} t={t} />
      </div>
    </>
  );
}

/** What the run does now, its figures, and Stop (UI-71). */
function Head({ model, snapshot, run, at, t, live, now }: WorkProps & { live: boolean; now: number }): JSX.Element {
  return (
    <div className="h">
      <Bead kind={headBead(run, live)} free />
      <b className="crew-b crew-ell" role="status">
        {runSentence(run, t)}
      </b>
      <span className="crew-2 crew-num figs">{t('run.figures', { steps: runCount(run, t), time: duration(runMs(run, now), t) })}</span>
      <span className="crew-grow" />
      {snapshot.kernel === 'still' ? <span className="crew-2 crew-sm">{t('timeline.state_of', { time: timeOfDay(at, t) })}</span> : null}
      <span className="crew-2 crew-num">{cost(run, t)}</span>
      {isOpen(run) ? (
        <button type="button" className="crew-btn small" disabled={!live || snapshot.kernel !== 'live' || snapshot.stopping} onClick={() => void model.stop()}>
          {t(snapshot.stopping ? 'timeline.stopping' : 'timeline.stop')}
        </button>
      ) : null}
    </div>
  );
}

function Trouble({ snapshot, t }: { snapshot: Snapshot; t: Translate }): JSX.Element | null {
  const text = snapshot.fault ? t('timeline.not_stopped', { message: snapshot.fault }) : snapshot.state?.offline;
  return text ? (
    <div className="crew-why p" role="alert">
      {text}
    </div>
  ) : null;
}

interface StepsProps {
  run: Run;
  now: number;
  selected: number | null;
  select: (index: number) => void;
  t: Translate;
}

/** The steps, of a long run the last thirty, and the chosen one opened. */
function Steps({ run, now, selected, select, t }: StepsProps): JSX.Element {
  const [all, setAll] = useState(false);
  const long = run.steps.length > LAST_STEPS && !all;
  const steps = long ? run.steps.slice(-LAST_STEPS) : run.steps;
  return (
    <>
      {long ? (
        <button type="button" className="crew-link crew-sm" onClick={() => setAll(true)}>
          {t('activity.show_all', { n: run.steps.length })}
        </button>
      ) : null}
      <Rows run={run} steps={steps} now={now} selected={selected} select={select} t={t} />
    </>
  );
}

function headBead(run: Run, live: boolean): BeadKind {
  if (run.status === 'waiting') {
    return 'wait';
  }
  if (run.status === 'running') {
    return live ? 'run' : 'note';
  }
  return run.status === 'error' ? 'error' : 'model';
}

function cost(run: Run, t: Translate): string {
  const known = price(run.cost_usd, t, run.estimated_cost_calls > 0);
  if (run.unknown_cost_calls === 0) {
    return run.cost_usd > 0 ? known : '';
  }
  return run.cost_usd > 0 ? t('timeline.unknown', { cost: known, n: run.unknown_cost_calls }) : price(null, t);
}

/** The time now, once a second while the run is live; of a still one the moment it was last seen. */
function useNow(live: boolean, at: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!live) {
      return undefined;
    }
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [live]);
  return live ? Math.max(now, Date.parse(at)) : Date.parse(at);
}
