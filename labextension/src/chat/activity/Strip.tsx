import { useCallback, useEffect, useState } from 'react';
import type { Run } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { Bead, type BeadKind } from '../parts/bead';
import { useApp } from '../parts/context';
import { duration } from '../parts/figures';
import { useNow, useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Timeline } from './Timeline';
import { useRuns } from './useRuns';
import { isOpen, runCount, runFigures, runMs, runSentence } from './words';

const FLAG = 'strip'; // UI-103: whether the strip is open belongs to this screen
const OPEN = 'open';

/** The activity in one line, between thread and composer, in the narrow layout (UI-65). Nothing before the first run. */
export function Strip(): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const { own: runs } = useRuns();
  const state = useStore(app.conversation);
  const [open, setOpen] = useState(() => app.device.flag(FLAG) === OPEN);
  const run = runs[0];
  const live = run !== undefined && isOpen(run);
  const now = useNow(live);
  const turn = useCallback(
    (next: boolean): void => {
      setOpen(next);
      app.device.setFlag(FLAG, next ? OPEN : null);
    },
    [app]
  );
  useEffect(() => (open ? app.layers.push(() => turn(false)) : undefined), [app, open, turn]);
  if (!run && !state.sending) {
    return null;
  }
  const words = stripWords(run, state, t);
  return (
    <>
      <button type="button" className="crew-strip" aria-expanded={open} onClick={() => turn(!open)}>
        <Bead kind={words.bead} free />
        <span className={words.bead === 'error' ? 'crew-ell crew-grow crew-t-error' : 'crew-ell crew-grow'} role="status">
          {words.text}
        </span>
        {run ? <span className="figs">{live ? t('run.figures', { steps: runCount(run, t), time: duration(runMs(run, now), t) }) : runFigures(run, t, now)}</span> : null}
        <span className="crew-chev">
          <Icon name={open ? 'chevron-down' : 'chevron'} size="s" />
        </span>
      </button>
      {open && run ? (
        <div className="crew-stripbody" tabIndex={0} role="region" aria-label={t('activity.title')}>
          <div className="crew-runsteps">
            <Timeline run={run} />
          </div>
        </div>
      ) : null}
    </>
  );
}

interface Standing {
  sending: boolean;
  stopping: boolean;
  view: { running: boolean; end: { type: string } | null };
}

/** The line of the strip by the state of the conversation (guide section 10). */
export function stripWords(run: Run | undefined, state: Standing, t: Translate): { bead: BeadKind; text: string } {
  if (state.stopping) {
    return { bead: 'run', text: t('run.stopping') };
  }
  if (!run || (state.sending && !isOpen(run))) {
    return { bead: 'run', text: t('run.sending') };
  }
  const text = !isOpen(run) && state.view.end?.type === 'stopped' ? t('run.stopped') : runSentence(run, t);
  const beads: Record<Run['status'], BeadKind> = { running: 'run', waiting: 'wait', done: 'note', halted: 'note', error: 'error' };
  return { bead: text === t('run.stopped') ? 'note' : beads[run.status], text };
}
