/** Comparisons as lines to draw: the server's unified diff (CNV-58), or a person's text against a version. Pure. */
import { type DiffLine, diffLines } from '../notebook/diff';

/** A line of a comparison, or a place where `count` equal lines are left out (`null`: not known how many). */
export type CompareLine = DiffLine | { kind: 'gap'; count: number | null };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const CONTEXT = 3; // CNV-58

/** The lines of a unified diff with their numbers in both texts. */
export function unifiedLines(diff: string): CompareLine[] {
  const lines: CompareLine[] = [];
  let [old, now] = [1, 1];
  let begun = false;
  for (const text of diff.split('\n')) {
    const hunk = HUNK.exec(text);
    if (hunk) {
      const from = Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0);
      if (from > old || begun) {
        lines.push({ kind: 'gap', count: Math.max(0, from - old) });
      }
      [old, now, begun] = [from, Number(hunk[3]) + (hunk[4] === '0' ? 1 : 0), true];
    } else if (begun && text !== '') {
      const rest = text.slice(1);
      if (text.startsWith('-')) {
        lines.push({ kind: 'less', old: old++, now: null, text: rest });
      } else if (text.startsWith('+')) {
        lines.push({ kind: 'more', old: null, now: now++, text: rest });
      } else if (text.startsWith(' ')) {
        lines.push({ kind: 'same', old: old++, now: now++, text: rest });
      }
    }
  }
  return lines;
}

/** A text against another, with long equal stretches left out as the server does. */
export function textLines(before: string, after: string): CompareLine[] {
  const all = diffLines(before, after);
  const near = new Uint8Array(all.length);
  all.forEach((line, place) => {
    if (line.kind !== 'same') {
      near.fill(1, Math.max(0, place - CONTEXT), place + CONTEXT + 1);
    }
  });
  const lines: CompareLine[] = [];
  let left = 0;
  const flush = (): void => {
    if (left > 0) {
      lines.push({ kind: 'gap', count: left });
      left = 0;
    }
  };
  all.forEach((line, place) => {
    if (near[place] === 1) {
      flush();
      lines.push(line);
    } else {
      left += 1;
    }
  });
  flush();
  return lines;
}

/** How many lines came and went. */
export function counted(lines: readonly CompareLine[]): { added: number; removed: number } {
  return {
    added: lines.filter(line => line.kind === 'more').length,
    removed: lines.filter(line => line.kind === 'less').length
  };
}
