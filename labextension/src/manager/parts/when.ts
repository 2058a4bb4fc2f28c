/** Moments as the manager writes them: the clock today, else the day with it. Pure. */
import { clock } from '../../shared/format';
import type { Translate } from '../../shared/texts';

/** `14:05`, or `Dec 1, 14:05` on another day; nothing for what is no time. */
export function moment(iso: string, now: number, t: Translate): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) {
    return '';
  }
  const today = then.toDateString() === new Date(now).toDateString();
  const day = new Intl.DateTimeFormat(t.language, { month: 'short', day: 'numeric' });
  return today ? clock(iso, t.language) : `${day.format(then)}, ${clock(iso, t.language)}`;
}
