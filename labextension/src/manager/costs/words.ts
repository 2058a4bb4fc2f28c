/** Costs in words and figures (UI-83, UI-125, EST-4). Pure. */
import { hueOf } from '../../chat/parts/hue';
import { price } from '../../chat/parts/figures';
import type { UsageSums } from '../../shared/contract';
import { allUnknown, type Aspect, EARLIER, type Measure, type Period, REST, valueOf } from '../../shared/costs/ledger';
import { isKey, type Translate } from '../../shared/texts';

const HUES = 12; // UI-124
const AXIS_DIGITS = 4;
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

/** A figure of the value axis: short, without more digits than it needs. */
export function axisFigure(value: number, measure: Measure, t: Translate): string {
  return measure === 'cost' ? `$${new Intl.NumberFormat(t.language, { maximumFractionDigits: AXIS_DIGITS }).format(value)}` : compact(value, t);
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

/** The colours of series: an agent has its own everywhere, everything else the next one (guide section 3). */
export function colourOf(key: string, index: number, aspect: Aspect): string {
  if (key === REST) {
    return 'color-mix(in srgb, var(--jp-ui-font-color0) 30%, var(--crew-bg))';
  }
  return `color-mix(in srgb, var(--crew-h${aspect === 'agent' ? hueOf(key) : index % HUES}) 70%, var(--crew-bg))`;
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
