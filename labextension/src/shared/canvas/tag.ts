/** One line `[artifact <id> v<n>] <title>`, as canvas tools and delegate write it (CNV-23, DLG-57). Pure. */

/** A version of a canvas that a result names; `title` only where the result says it. */
export interface CanvasTag {
  readonly id: string;
  readonly version: number;
  readonly title: string | null;
}

const TAG = /^\[artifact (\S{1,80}) v(\d{1,9})\](?= |$)(.*)/;

/** The tag a line begins with, what stands behind it as the title; null for any other line. */
export function readTag(line: string): CanvasTag | null {
  const found = TAG.exec(line);
  return found && { id: found[1] ?? '', version: Number(found[2]), title: found[3]?.trim() || null };
}
