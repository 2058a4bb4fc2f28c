/** Costs in words and figures (UI-83, UI-125, EST-4). Pure. */
import { hueOf } from '../../chat/parts/hue';
import { price } from '../../chat/parts/figures';
import type { UsageSums } from '../../shared/contract';
import { allUnknown, type Aspect, EARLIER, type Measure, type Period, REST, valueOf } from '../../shared/costs/ledger';
import { isKey, type Translate } from '../../shared/texts';

const HUES = 12; // UI-124
const FAR_HUE = 5; // neighbours of the list look alike; 5 and 12 have no common part, so every hue is tried
const AXIS_STEPS = 10;
const CENTS = 2;
const MOST_DIGITS = 6;
const THOUSAND = 1000;

/** A sum of prices: never 0 for what nobody knows; unknown prices are a count beside it (UI-83). */
export function spent(sums: UsageSums, t: Translate): string {
  if (allUnknown(sums)) {
    return t('price.unknown');
  }
  const known = price(sums.cost_usd, t, sums.estimated > 0);
  return sums.unknown > 0 ? t('costs.plus_unknown', { price: known, n: sums.unknown }) : known;
}

/** The same where there is little room. */
export function shortSpent(sums: UsageSums, t: Translate): string {
  if (sums.calls === 0) {
    return '';
  }
  const known = price(sums.cost_usd, t, sums.estimated > 0);
  return allUnknown(sums) ? '?' : sums.unknown > 0 ? t('costs.some_unknown', { price: known }) : known;
}

/** A figure of a measure, as a column and its pieces say it. */
export function figure(sums: UsageSums, measure: Measure, t: Translate): string {
  return measure === 'cost' ? spent(sums, t) : new Intl.NumberFormat(t.language).format(valueOf(sums, measure));
}

/** What stands over a column. */
export function topOf(sums: UsageSums, measure: Measure, t: Translate): string {
  return measure === 'cost' ? shortSpent(sums, t) : sums.calls === 0 ? '' : compact(valueOf(sums, measure), t);
}

/** Writes the figures of a value axis that ends at `most`: all with the digits that the smallest step needs. */
export function axisFigures(most: number, measure: Measure, t: Translate): (value: number) => string {
  if (measure !== 'cost') {
    return value => compact(value, t);
  }
  const needed = most > 0 ? Math.ceil(-Math.log10(most / AXIS_STEPS)) : 0;
  const digits = Math.min(MOST_DIGITS, Math.max(CENTS, needed));
  const figures = new Intl.NumberFormat(t.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return value => `$${figures.format(value)}`;
}

function compact(value: number, t: Translate): string {
  const notation = value >= THOUSAND ? 'compact' : 'standard';
  return new Intl.NumberFormat(t.language, { notation, maximumFractionDigits: 1 }).format(value);
}

/** A purpose in words; one that this page does not know stands as it is. */
export function purposeWords(purpose: string, t: Translate): string {
  const key: string = `costs.purpose.${purpose}`;
  return isKey(key) ? t(key) : purpose;
}

/** The name of a row or series. */
export function nameOf(key: string, aspect: Aspect, agents: readonly { id: string; name: string }[], t: Translate): string {
  if (key === REST) {
    return t('costs.rest');
  }
  return aspect === 'purpose' ? purposeWords(key, t) : aspect === 'agent' ? (agents.find(one => one.id === key)?.name ?? key) : key;
}

/**
 * The colour of each agent, model or purpose, the same in every period that names the same ones (guide section 3). An agent
 * has that of its avatar, unless another one of the chart has it: then the next that is free, for a chart must tell them apart.
 */
export function coloursOf(keys: readonly string[], aspect: Aspect): ReadonlyMap<string, string> {
  const taken = new Set<number>();
  const colours = new Map<string, string>();
  for (const [index, key] of [...keys].sort().entries()) {
    let hue = aspect === 'agent' ? hueOf(key) : index % HUES;
    while (taken.has(hue) && taken.size < HUES) {
      hue = (hue + FAR_HUE) % HUES;
    }
    taken.add(hue);
    colours.set(key, `color-mix(in srgb, var(--crew-h${hue}) 70%, var(--crew-bg))`);
  }
  return colours.set(REST, 'color-mix(in srgb, var(--jp-ui-font-color0) 30%, var(--crew-bg))');
}

/** The name of a span below its column: weekday, day of the month, month; all different within a period. */
export function spanName(span: string, period: Period, t: Translate): string {
  if (span === EARLIER) {
    return t('costs.earlier');
  }
  const { date, options } = spanFormat(span, period === 'week' ? { weekday: 'short' } : period === 'month' ? { day: 'numeric', month: 'numeric' } : { month: 'short', year: '2-digit' });
  return new Intl.DateTimeFormat(t.language, options).format(date);
}

/** The whole name of a span, for tables and cards. */
export function longSpanName(span: string, period: Period, t: Translate): string {
  if (span === EARLIER) {
    return t('costs.earlier');
  }
  const { date, options } = spanFormat(span, period === 'all' ? { month: 'long', year: 'numeric' } : { weekday: 'short', day: 'numeric', month: 'long' });
  return new Intl.DateTimeFormat(t.language, options).format(date);
}

/** A day of the ledger is a name and no moment: it is written in UTC, in which it was read. */
function spanFormat(span: string, options: Intl.DateTimeFormatOptions): { date: Date; options: Intl.DateTimeFormatOptions } {
  return { date: new Date(`${span.length > 'yyyy-mm'.length ? span : `${span}-01`}T00:00:00Z`), options: { ...options, timeZone: 'UTC' } };
}
