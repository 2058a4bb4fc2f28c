/** Two texts line by line (UI-138). Pure. */

/** A line of a comparison: `number` counts in the old text for lines taken away, in the new one for the others. */
export interface DiffLine {
  kind: 'same' | 'less' | 'more';
  old: number | null;
  now: number | null;
  text: string;
}

const MOST_CELLS = 4_000_000; // of the table; larger texts are shown as all old, all new

/** The lines of both texts: what stays, what goes, what comes. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  const lines: DiffLine[] = [];
  const same = (count: number, fromOld: number, fromNow: number): void => {
    for (let step = 0; step < count; step += 1) {
      lines.push({ kind: 'same', old: fromOld + step + 1, now: fromNow + step + 1, text: old[fromOld + step] ?? '' });
    }
  };
  same(start, 0, 0);
  middle(old.slice(start, old.length - end), now.slice(start, now.length - end), start, lines);
  same(end, old.length - end, now.length - end);
  return lines;
}

function middle(old: readonly string[], now: readonly string[], offset: number, lines: DiffLine[]): void {
  const common = old.length * now.length > MOST_CELLS ? null : table(old, now);
  const at = (row: number, column: number): number => common?.[row]?.[column] ?? 0;
  let [one, other] = [0, 0];
  while (one < old.length || other < now.length) {
    const [before, after] = [old[one], now[other]];
    if (before !== undefined && before === after) {
      lines.push({ kind: 'same', old: offset + one + 1, now: offset + other + 1, text: before });
      [one, other] = [one + 1, other + 1];
    } else if (before !== undefined && (after === undefined || at(one + 1, other) >= at(one, other + 1))) {
      lines.push({ kind: 'less', old: offset + one + 1, now: null, text: before });
      one += 1;
    } else {
      lines.push({ kind: 'more', old: null, now: offset + other + 1, text: after ?? '' });
      other += 1;
    }
  }
}

/** Lengths of the longest common rest of both from each pair of places. */
function table(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      const [row, next] = [rows[one], rows[one + 1]];
      if (row && next) {
        row[other] = old[one] === now[other] ? (next[other + 1] ?? 0) + 1 : Math.max(next[other] ?? 0, row[other + 1] ?? 0);
      }
    }
  }
  return rows;
}
