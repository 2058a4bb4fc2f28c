/** How a job ended, in words: codes are for the delegating model, a person reads sentences (DLG-55). Pure. */
import { type JobResult, readJob } from '../../shared/delegate';
import { isKey, type TextKey, type Translate } from '../../shared/texts';
import { price } from '../parts/figures';
import { plainName } from '../thread/tool-words';

export type Tone = 'ok' | 'warn' | 'error' | '';

const TONES: Record<string, Tone> = { done: 'ok', done_with_concerns: 'warn', blocked: 'warn', needs_context: 'warn', failed: 'error' };
const DECIDED = /^(\w+) (denied|expired)$/;

/** The label of an outcome and its colour; an unknown one is shown plainly (UI-111). */
export function outcomeLabel(outcome: string, t: Translate): { text: string; tone: Tone } {
  const key: string = `job.${outcome}`;
  return Object.hasOwn(TONES, outcome) && isKey(key) ? { text: t(key as TextKey), tone: TONES[outcome] ?? '' } : { text: t('job.ended'), tone: '' };
}

/** The reason as a sentence; null for a job that is done. */
export function reasonSentence({ outcome, reason }: Pick<JobResult, 'outcome' | 'reason'>, t: Translate): string | null {
  if (reason === '') {
    return null;
  }
  const decided = outcome === 'blocked' ? DECIDED.exec(reason) : null;
  if (decided) {
    return t(decided[2] === 'denied' ? 'job.why.denied' : 'job.why.expired', { tool: plainName(decided[1] ?? '') });
  }
  const key: string = `job.why.${reason}`;
  const coded = outcome === 'failed' || reason === 'unspecified';
  return coded && isKey(key) ? t(key as TextKey) : reason;
}

/** "3 steps, $0.0149", and calls of unknown price when there are any. */
export function jobFigures(job: Pick<JobResult, 'steps' | 'spent_usd' | 'unknown_calls'>, t: Translate): string {
  const figures = t('job.figures', { steps: t('run.steps', { n: job.steps }), cost: price(job.spent_usd, t) });
  return job.unknown_calls > 0 ? `${figures}, ${t('job.unknown', { n: job.unknown_calls })}` : figures;
}

/** Label and reason in one line, for a step of a run; null for a job that is done and for everything else (DLG-56). */
export function jobWhy(step: { name: string | null; output: string | null }, t: Translate): string | null {
  const job = step.name === 'delegate' && step.output !== null ? readJob(step.output) : null;
  const why = job === null ? null : reasonSentence(job, t);
  return job === null || why === null ? null : t('job.ended_why', { label: outcomeLabel(job.outcome, t).text, why });
}
