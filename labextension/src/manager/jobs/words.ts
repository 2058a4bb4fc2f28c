/** A job in words (JOB-26, JOB-44). Pure. */
import type { JobInfo } from '../../shared/contract';
import type { Translate } from '../../shared/texts';

export interface StateLabel {
  text: string;
  tone: '' | 'accent' | 'warn' | 'error';
  hint?: string;
}

/** The marks beside the name: what is out of the ordinary, the worst last. */
export function stateLabels(job: JobInfo, t: Translate): StateLabel[] {
  const all: (StateLabel | null)[] = [
    job.origin === 'chat' ? { text: t('jobs.from_chat'), tone: '' } : null,
    job.running ? { text: t('jobs.running'), tone: 'accent' } : null,
    job.enabled ? null : { text: t('jobs.off'), tone: '', hint: t('jobs.off_hint') },
    job.paused ? { text: t('jobs.paused'), tone: '' } : null,
    job.orphan ? { text: t('jobs.orphan'), tone: 'warn' } : null,
    job.failing > 0 ? { text: t('jobs.failing', { n: job.failing }), tone: 'error' } : null,
    job.muted ? { text: t('jobs.muted'), tone: 'warn', hint: t('jobs.muted_hint') } : null
  ];
  return all.filter((one): one is StateLabel => one !== null);
}

/** When it runs next. */
export function nextWords(job: JobInfo, time: string, t: Translate): string {
  return job.next_run_at === null || job.paused || !job.enabled ? t('jobs.no_next') : t('jobs.next', { time });
}

/** When it ran last and how that ended. */
export function lastWords(job: JobInfo, time: string, t: Translate): string {
  if (job.last_run === null) {
    return t('jobs.never');
  }
  const missed = job.missed > 0 ? `, ${t('jobs.missed', { n: job.missed })}` : '';
  return `${t('jobs.last', { time })}, ${t(`run.status.${job.last_run.status}`)}${missed}`;
}

