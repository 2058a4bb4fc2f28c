/** Figures as people read them, with the words of the catalogue where a figure has none (UI-125, guide section 12). */
import * as format from '../../shared/format';
import type { Translate } from '../../shared/texts';

/** `$0.4127`, `$2.18`, or "unknown", never 0 for an unknown price (UI-125); an estimate has a sign before it (EST-4). */
export function price(usd: number | null, t: Translate, estimated = false): string {
  const shown = format.price(usd, t.language);
  return shown === null ? t('price.unknown') : estimated ? t('price.estimated', { price: shown }) : shown;
}

/** `5.8 s`, `1 m 42 s`, `2 h 05 m`. */
export function duration(ms: number, t: Translate): string {
  return format.duration(ms, t.language);
}

/** How long ago a moment was: `2 m`, `3 h`, `6 d`, or "now". */
export function age(moment: string, now: number, t: Translate): string {
  return format.age(moment, now) ?? t('age.now');
}

/** The time of day of a moment, by the viewer's clock. */
export function timeOfDay(moment: string | number, t: Translate): string {
  return format.clock(moment, t.language);
}
