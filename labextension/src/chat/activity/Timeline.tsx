import { memo, useState } from 'react';
import type { Run, Step } from '../../shared/contract';
import { Arguments } from '../parts/arguments';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import { useFold } from '../parts/hooks';
import { StepRow } from '../parts/step';
import { shortenedWords } from '../thread/tool-words';
import { StepCalls } from './StepCalls';
import { stepWords } from './words';

const LAST_STEPS = 30; // UI-68

/** The steps of a run; long ones begin with their last thirty (UI-67, UI-68). */
export const Timeline = memo(function Timeline({ run }: { run: Run }): JSX.Element {
  const { t } = useApp();
  const [all, setAll] = useState(false);
  const answer = run.status === 'done' ? lastModel(run.steps) : null;
  const long = run.steps.length > LAST_STEPS;
  const steps = all || !long ? run.steps : run.steps.slice(-LAST_STEPS);
  return (
    <>
      {long ? (
        <button type="button" className="crew-link crew-sm" onClick={() => setAll(!all)}>
          {all ? t('activity.show_last', { n: LAST_STEPS }) : t('activity.show_all', { n: run.steps.length })}
        </button>
      ) : null}
      <ul className="crew-steps">
        {steps.map(step => (
          <StepLine key={step.index} step={step} last={step === answer} />
        ))}
      </ul>
    </>
  );
});

function StepLine({ step, last }: { step: Step; last: boolean }): JSX.Element {
  const { t } = useApp();
  const [open, turn] = useFold();
  const words = stepWords(step, last, t);
  const folds = step.kind === 'tool' || (step.kind === 'model' && step.route !== null);
  return (
    <StepRow
      kind={words.bead}
      what={words.what}
      argument={words.argument}
      long={words.long}
      time={step.ms === null ? undefined : duration(step.ms, t)}
      why={words.why}
      folds={step.kind === 'tool'}
      open={open}
      onToggle={folds ? turn : undefined}
      below={step.kind === 'tool' ? <StepCalls step={step} /> : null}
    >
      <StepDetail step={step} />
    </StepRow>
  );
}

/** A step with its arguments and the tool's output (UI-64); of a model call the route, the price and the tokens. */
function StepDetail({ step }: { step: Step }): JSX.Element {
  const { t } = useApp();
  if (step.kind === 'model') {
    const figures = { route: step.route, usd: price(step.cost_usd, t, step.cost_estimated === true), prompt: step.prompt_tokens, completion: step.completion_tokens };
    return (
      <div className="crew-detail">
        <Arguments value={figures} />
      </div>
    );
  }
  return (
    <div className="crew-detail">
      {step.arguments && Object.keys(step.arguments).length > 0 ? <Arguments value={step.arguments} /> : null}
      {step.output !== null && step.status === 'done' ? (
        <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
          {step.output === '' ? t('tool.empty') : step.output}
        </pre>
      ) : null}
      {step.shortened ? (
        <div className="foot">
          <span>{shortenedWords(step.shortened, step.original_chars, t)}</span>
        </div>
      ) : null}
    </div>
  );
}

function lastModel(steps: readonly Step[]): Step | null {
  const last = steps[steps.length - 1];
  return last?.kind === 'model' ? last : null;
}
