/** The time axis of the waterfall (guide section 7): bars, and grid lines at round steps. Pure. */
import type { Run, Step } from '../../shared/contract';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [1, 2, 5, 10, 30].map(n => n * SECOND).concat([1, 5, 10, 30].map(n => n * MINUTE));
const MOST_LINES = 6;
const SHORTEST = SECOND; // an axis below one second would only show noise

export interface Bar {
  left: number;
  width: number;
  kind: 'model' | 'tool' | 'run' | 'error' | 'wait';
}

export interface Line {
  left: number;
  label: string;
}

/** The length of the axis: the run so far, at least a second. */
export function span(run: Run, now: number): number {
  const ends = run.steps.map(step => Date.parse(step.started_at) + (step.ms ?? 0));
  const end = run.ended_at ? Math.max(Date.parse(run.ended_at), ...ends) : now;
  return Math.max(SHORTEST, end - Date.parse(run.started_at));
}

/** Where a step's bar stands, in percent of the axis. */
export function bar(step: Step, run: Run, total: number, now: number): Bar {
  const start = Math.max(0, Date.parse(step.started_at) - Date.parse(run.started_at));
  const ms = step.ms ?? (step.status === 'running' ? Math.max(0, now - Date.parse(step.started_at)) : 0);
  const left = Math.min(100, (start / total) * 100);
  return { left, width: Math.min(100 - left, (ms / total) * 100), kind: barKind(step) };
}

function barKind(step: Step): Bar['kind'] {
  if (step.kind === 'wait') {
    return 'wait';
  }
  if (step.status === 'error' || step.status === 'refused') {
    return 'error';
  }
  return step.status === 'running' ? 'run' : step.kind === 'model' ? 'model' : 'tool';
}

/** Three to six round lines after 0 where the length allows, else fewer. */
export function lines(total: number): Line[] {
  const fits = (size: number): boolean => Math.floor((total - 1) / size) <= MOST_LINES;
  const step = STEPS.find(fits) ?? hours(fits);
  const count = Math.floor((total - 1) / step);
  return Array.from({ length: count }, (_, index) => ({ left: (((index + 1) * step) / total) * 100, label: label((index + 1) * step) }));
}

/** The first of 1, 2, 5, 10, 20, 50 … hours that fits. */
function hours(fits: (size: number) => boolean): number {
  for (let unit = HOUR; ; unit *= 10) {
    const size = [1, 2, 5].map(n => n * unit).find(fits);
    if (size !== undefined) {
      return size;
    }
  }
}

function label(ms: number): string {
  if (ms < MINUTE) {
    return `${ms / SECOND} s`;
  }
  const minutes = ms / MINUTE;
  return minutes < 60 ? `${minutes} m` : `${minutes / 60} h`;
}
