/** Figures as people read them (UI-125, guide section 12). */
import type { Translate } from '../../shared/texts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a moment was: `2 m`, `3 h`, `6 d`. */
export function age(moment: string, now: number, t: Translate): string {
  const past = now - Date.parse(moment);
  if (past < MINUTE) {
    return t('age.now');
  }
  return past < HOUR ? `${Math.floor(past / MINUTE)} m` : past < DAY ? `${Math.floor(past / HOUR)} h` : `${Math.floor(past / DAY)} d`;
}

/** `$0.4127`, `$2.18`, or "unknown" (UI-125). */
export function price(usd: number | null, t: Translate): string {
  return usd === null ? t('price.unknown') : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `0.3 s`, `52 s`, `1 m 42 s`, `2 h 05 m`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) {
    return seconds < 59.95 && !Number.isInteger(seconds) ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
  }
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} m ${pad(whole % 60)} s` : `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`;
}

/** What is left on a clock: `18:12`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
}

/** The time of day of a moment, by the viewer's clock. */
export function timeOfDay(moment: string | number): string {
  const date = new Date(moment);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
