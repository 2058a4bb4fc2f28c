/** A run in words: what it does now, how it ended, its figures (UI-71). Pure. */
import type { Run, Step, StepKind } from '../../shared/contract';
import { isKey, type TextKey, type Translate } from '../../shared/texts';
import { jobWhy } from '../delegate/outcome';
import type { BeadKind } from '../parts/bead';
import { duration, price } from '../parts/figures';
import { notRunWords, shortArgument, toolWords } from '../thread/tool-words';

const INTERRUPTED = 'interrupted'; // TURN-82

export interface StepWords {
  bead: BeadKind;
  what: string;
  argument: string;
  why: string | null;
  long: boolean;
}

/** How long a run has taken, until `now` while it is open. */
export function runMs(run: Run, now: number): number {
  return Math.max(0, (run.ended_at ? Date.parse(run.ended_at) : now) - Date.parse(run.started_at));
}

/** Whether a run is still open. */
export function isOpen(run: Run): boolean {
  return run.status === 'running' || run.status === 'waiting';
}

/** The bead of a step: shape by kind, `run` and `error` by state (guide section 4). Unknown kinds are a dash (UI-111). */
export function stepBead(step: Step): BeadKind {
  if (step.status === 'error' || step.status === 'refused') {
    return 'error';
  }
  if (step.kind === 'wait') {
    return 'wait';
  }
  if (step.status === 'running') {
    return 'run';
  }
  return Object.hasOwn(SAYS, step.kind) ? step.kind : 'note';
}

type Say = (step: Step, last: boolean, t: Translate) => Partial<StepWords> & { what: string };

const SAYS: Record<StepKind, Say> = {
  model: (step, last, t) => ({ what: t(step.status === 'running' ? 'step.model.running' : last ? 'step.answer' : 'step.model') }),
  tool: (step, _last, t) => ({ what: usedWords(step, t), argument: shortArgument(step.arguments ?? {}), why: toolWhy(step, t) }),
  fallback: (step, _last, t) => ({ what: t('thread.fallback'), argument: step.error ?? step.route ?? '', why: null, bead: 'fallback' }),
  escalation: (_step, _last, t) => ({ what: t('thread.escalated'), long: true }),
  steer: (step, _last, t) => ({ what: t('step.steer', { text: step.text ?? '' }), long: true }),
  compaction: (step, _last, t) => ({ what: t('step.compaction'), argument: step.text ?? '' }),
  note: step => ({ what: step.text ?? step.kind, long: true }),
  wait: (step, _last, t) => ({ what: waitWords(step, t), why: null })
};

/** The words of a step; `last` marks the model call that wrote the answer. Unknown kinds are a plain line (UI-111). */
export function stepWords(step: Step, last: boolean, t: Translate): StepWords {
  const say = Object.hasOwn(SAYS, step.kind) ? SAYS[step.kind] : SAYS.note;
  return { bead: stepBead(step), argument: '', long: false, why: step.error, ...say(step, last, t) };
}

function usedWords(step: Step, t: Translate): string {
  const name = step.name ?? '';
  return step.status === 'refused' && name !== 'ask_user' ? notRunWords(name, t) : toolWords(name, step.status === 'running', t);
}

/** How a pause ended, each way in its own word (ASK-3). */
function waitWords(step: Step, t: Translate): string {
  if (step.status === 'running') {
    return t(step.tool === 'ask_user' ? 'step.waits_answer' : 'step.waits');
  }
  const key: string = `step.waited.${step.outcome ?? ''}`;
  return isKey(key) ? t(key as TextKey) : t('step.waited');
}

function toolWhy(step: Step, t: Translate): string | null {
  const job = jobWhy(step, t);
  if (job !== null) {
    return job;
  }
  if (step.outcome === 'denied' || step.outcome === 'expired') {
    return t(step.outcome === 'denied' ? 'tool.denied' : step.name === 'ask_user' ? 'tool.unanswered' : 'tool.expired');
  }
  if (step.status === 'refused') {
    return t('tool.not_allowed', { reason: step.error ?? step.output ?? '' });
  }
  return step.status === 'error' ? step.error ?? step.output ?? t('tool.failed') : null;
}

/** What a run is doing, or how it ended: never a thought of a run that is over (UI-71). */
export function runSentence(run: Run, t: Translate): string {
  switch (run.status) {
    case 'waiting':
      return t('run.waiting');
    case 'running':
      return doing(run, t);
    case 'done':
      return t('run.done');
    case 'halted':
      return t('run.halted', { why: haltWords(run.halt_reason ?? '', t) });
    default:
      return run.summary === INTERRUPTED ? t('run.interrupted') : t('run.failed');
  }
}

function doing(run: Run, t: Translate): string {
  const step = [...run.steps].reverse().find(one => one.status === 'running');
  if (!step) {
    return t('run.working');
  }
  const words = stepWords(step, false, t);
  return words.argument === '' ? words.what : `${words.what}: ${words.argument}`;
}

/** Why a limit stopped a turn, as part of a sentence. */
export function haltWords(reason: string, t: Translate): string {
  const key: string = `run.${reason}`;
  return isKey(key) ? t(key as TextKey) : reason;
}

/** "8/9 steps" while it runs, "12 steps" after. No percentage: nobody knows how many are left (UI-71). */
export function runCount(run: Run, t: Translate): string {
  const all = run.steps.length;
  return isOpen(run) ? t('run.steps_of', { done: run.steps.filter(step => step.status !== 'running').length, all }) : t('run.steps', { n: all });
}

/** "12 steps, 6 m 20 s, $0.2684"; the price is left out when nothing was spent. */
export function runFigures(run: Run, t: Translate, now = Date.now()): string {
  const parts = { steps: runCount(run, t), time: duration(runMs(run, now), t), cost: price(run.cost_usd, t, run.estimated_cost_calls > 0) };
  return t(run.cost_usd > 0 ? 'run.figures_cost' : 'run.figures', parts);
}
