/** Sums over the parts of the usage ledger: figures, chart and tables are all made here, so they cannot differ (USE-1, UI-83). Pure. */
import type { UsagePart, UsageParts, UsageSums } from '../contract';

export const PERIODS = ['week', 'month', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** What the parts are summed by. */
export const ASPECTS = ['agent', 'model', 'purpose'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** What a column is high by. */
export const MEASURES = ['cost', 'tokens', 'calls'] as const;
export type Measure = (typeof MEASURES)[number];

/** The span of calls from before the first one. */
export const EARLIER = '';
/** The series that gathers the smallest ones; no agent, model or purpose is called so. */
export const REST = '\u0000rest';
const MOST_SERIES = 8; // more colours than that nobody tells apart

export interface Row {
  /** Agent id, `provider:model`, purpose, or span. */
  key: string;
  sums: UsageSums;
}

const NOTHING: UsageSums = {
  ...{ cost_usd: 0, unknown: 0, estimated: 0, calls: 0 },
  ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
};
const FIELDS = Object.keys(NOTHING) as (keyof UsageSums)[];

/** The sums of some parts. */
export function sumOf(parts: readonly UsageSums[]): UsageSums {
  const sums = { ...NOTHING };
  for (const part of parts) {
    FIELDS.forEach(field => (sums[field] += part[field]));
  }
  return sums;
}

/** Whose part it is. */
export function keyOf(part: UsagePart, aspect: Aspect): string {
  return aspect === 'agent' ? part.agent_id : aspect === 'purpose' ? part.purpose : `${part.provider}:${part.model}`;
}

/** One row for each agent, model or purpose, the dearest first. */
export function rowsBy(parts: readonly UsagePart[], aspect: Aspect): Row[] {
  const rows = [...grouped(parts, part => keyOf(part, aspect))].map(([key, mine]) => ({ key, sums: sumOf(mine) }));
  return rows.sort((one, other) => dearer(one.sums, other.sums) || (one.key < other.key ? -1 : 1));
}

/** One row for each span, oldest first; calls from before the first span only when there are any. */
export function rowsByTime({ parts, spans }: UsageParts): Row[] {
  const groups = grouped(parts, part => part.span ?? EARLIER);
  const keys = groups.has(EARLIER) ? [EARLIER, ...spans] : spans;
  return keys.map(key => ({ key, sums: sumOf(groups.get(key) ?? []) }));
}

/** Prompt and completion: what is cached and what is reasoning are parts of these (UI-84). */
export function valueOf(sums: UsageSums, measure: Measure): number {
  return measure === 'cost' ? sums.cost_usd : measure === 'calls' ? sums.calls : sums.prompt_tokens + sums.completion_tokens;
}

export interface Stack {
  /** Keys of the series, the largest first. */
  series: readonly string[];
  columns: readonly Column[];
}

export interface Column {
  span: string;
  sums: UsageSums;
  /** What the column consists of, in the order of the series; without those that have no call in it. */
  pieces: readonly Row[];
}

/** The ledger as columns by time, each parted by one aspect; beyond the largest the series are one. */
export function stackOf(ledger: UsageParts, aspect: Aspect, measure: Measure): Stack {
  const rows = rowsBy(ledger.parts, aspect);
  const largest = [...rows].sort((one, other) => valueOf(other.sums, measure) - valueOf(one.sums, measure)).map(row => row.key);
  const own = largest.length > MOST_SERIES ? largest.slice(0, MOST_SERIES - 1) : largest;
  const series = own.length < largest.length ? [...own, REST] : own;
  const place = new Map(series.map((key, index) => [key, index]));
  const seriesOf = (part: UsagePart): string => (place.has(keyOf(part, aspect)) ? keyOf(part, aspect) : REST);
  const times = grouped(ledger.parts, part => part.span ?? EARLIER);
  const columns = rowsByTime(ledger).map(({ key: span, sums }) => {
    const pieces = [...grouped(times.get(span) ?? [], seriesOf)].map(([key, mine]) => ({ key, sums: sumOf(mine) }));
    return { span, sums, pieces: pieces.sort((one, other) => (place.get(one.key) ?? 0) - (place.get(other.key) ?? 0)) };
  });
  return { series, columns };
}

/** Whether every price in it is unknown: its sum says nothing. */
export function allUnknown(sums: UsageSums): boolean {
  return sums.calls > 0 && sums.unknown === sums.calls;
}

function dearer(one: UsageSums, other: UsageSums): number {
  return other.cost_usd - one.cost_usd || other.calls - one.calls;
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) {
      group.push(item);
    } else {
      groups.set(key(item), [item]);
    }
  }
  return groups;
}
