/** Moments as the manager writes them: the clock today, else the day with it. Pure. */
import { clock } from '../../shared/format';
import type { Translate } from '../../shared/texts';

/** `14:05`, or `Dec 1, 14:05` on another day, `Dec 1` for what is a day; nothing for what is no time. */
export function moment(iso: string, now: number, t: Translate): string {
  const dayOnly = /^\d{4}-\d{2}-\d{2}$/.test(iso);
  const then = new Date(dayOnly ? `${iso}T00:00` : iso); // a day is the viewer's own
  if (Number.isNaN(then.getTime())) {
    return '';
  }
  const today = then.toDateString() === new Date(now).toDateString();
  const day = new Intl.DateTimeFormat(t.language, { month: 'short', day: 'numeric' });
  if (dayOnly) {
    return day.format(then);
  }
  return today ? clock(iso, t.language) : `${day.format(then)}, ${clock(iso, t.language)}`;
}
