/** A run as a row of a list says it. Pure. */
import { runSentence } from '../../chat/activity/words';
import type { BeadKind } from '../../chat/parts/bead';
import type { Run } from '../../shared/contract';
import { sourceOf } from '../../shared/manage/runs';
import type { Translate } from '../../shared/texts';

const JOB = /^job:(?:.*\/)?(.+)$/;
const BEADS: Record<Run['status'], BeadKind | null> = { running: 'run', waiting: 'wait', done: null, halted: 'error', error: 'error' };

/** What a run is called: its own label, the title of its conversation, the schedule, its first words. */
export function titleOf(run: Run, titles: ReadonlyMap<string, string>, t: Translate): string {
  const conversation = run.conversation_id === null ? undefined : titles.get(run.conversation_id);
  return run.label || titles.get(run.source) || conversation || JOB.exec(run.source)?.[1] || run.summary || t('runs.untitled');
}

/** The mark before a row; one that went well has none (guide section 1). */
export function beadOf(run: Run): BeadKind | null {
  return BEADS[run.status];
}

const INTERRUPTED = 'interrupted'; // TURN-82

/** How it stands or ended; a failure with its reason. */
export function stateWords(run: Run, t: Translate): string {
  const sentence = runSentence(run, t);
  return run.status === 'error' && run.summary !== '' && run.summary !== INTERRUPTED ? `${sentence}: ${run.summary.replace(/\.$/, '')}` : sentence;
}

/** Where it came from. */
export function sourceWords(run: Run, t: Translate): string {
  return t(`runs.source.${sourceOf(run)}`);
}
