/** What a job is about, and what its agent does now. Pure. */
import type { Json, Run } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { runSentence } from '../activity/words';

/** Whom the call asks, and for what; without an agent it is the caller itself (DLG-8). */
export function askedOf(args: Json | string): { agent: string | undefined; task: string } {
  const { agent, task } = typeof args === 'string' ? ({} as Json) : args;
  return { agent: typeof agent === 'string' ? agent : undefined, task: typeof task === 'string' ? task : '' };
}

/** What the child does now (UI-33, UI-71). */
export function childLine(run: Run | null, t: Translate): string {
  return run === null ? t('job.starting') : runSentence(run, t);
}
