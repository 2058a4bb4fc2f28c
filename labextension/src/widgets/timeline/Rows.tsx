import { memo } from 'react';
import { Bead } from '../../chat/parts/bead';
import { duration } from '../../chat/parts/figures';
import { stepWords } from '../../chat/activity/words';
import type { Run, Step } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { Detail } from './Detail';
import { bar, type Line, lines, span } from './scale';

interface Props {
  run: Run;
  steps: readonly Step[];
  now: number;
  selected: number | null;
  select: (index: number) => void;
  t: Translate;
}

/** The waterfall; in a narrow widget the same rows without the track (guide section 7). */
export function Rows({ run, steps, now, selected, select, t }: Props): JSX.Element {
  const total = span(run, now);
  const grid = lines(total);
  const answer = run.status === 'done' && steps[steps.length - 1]?.kind === 'model' ? steps[steps.length - 1] : null;
  return (
    <div className="crew-wf">
      <div className="axis" aria-hidden="true">
        <span />
        <span className="ax crew-num">
          <span>0</span>
          {grid.map(line => (
            <span key={line.label} style={{ left: `${line.left}%` }}>
              {line.label}
            </span>
          ))}
        </span>
        <span className="v">{t('timeline.time')}</span>
        <span className="v">{t('timeline.usd')}</span>
      </div>
      <ul className="crew-steps" aria-label={t('timeline.name')}>
        {steps.map(step => (
          <Row key={step.index} {...{ step, run, total, grid, t, select }} now={step.ms === null ? now : 0} last={step === answer} chosen={step.index === selected} />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  step: Step;
  run: Run;
  total: number;
  grid: readonly Line[];
  now: number;
  last: boolean;
  chosen: boolean;
  select: (index: number) => void;
  t: Translate;
}

const Row = memo(function Row({ step, run, total, grid, now, last, chosen, select, t }: RowProps): JSX.Element {
  const words = stepWords(step, last, t);
  const place = bar(step, run, total, now);
  const ms = step.ms ?? (step.status === 'running' ? Math.max(0, now - Date.parse(step.started_at)) : null);
  return (
    <li className={chosen ? 'crew-step sel' : 'crew-step'}>
      <button type="button" className="line" aria-pressed={chosen} onClick={() => select(step.index)}>
        <Bead kind={words.bead} />
        <span className="lab">
          <span className={words.long ? 'what long' : 'what'}>{words.what}</span>
          {words.argument ? <span className="arg crew-ell">{words.argument}</span> : null}
        </span>
        <span className="tr" aria-hidden="true">
          {grid.map(line => (
            <i key={line.label} style={{ left: `${line.left}%` }} />
          ))}
          <b className={place.kind} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
        </span>
        <span className="v">{step.kind === 'note' || ms === null ? '' : duration(ms, t)}</span>
        <span className="v price">{step.cost_usd === null ? '' : step.cost_usd.toFixed(4)}</span>
      </button>
      {words.why ? <div className="crew-why">{words.why}</div> : null}
      {chosen ? <Detail step={step} t={t} /> : null}
    </li>
  );
});
