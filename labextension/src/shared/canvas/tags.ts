/** The tag of a canvas in results (CNV-23, CNV-85, CNV-95): which canvases a call has written. Pure. */
import type { NestedCall } from '../contract';
import type { ThreadItem } from '../view';

/** A version of a canvas that a result names; `title` only where the result says it. */
export interface CanvasTag {
  readonly id: string;
  readonly version: number;
  readonly title: string | null;
}

const TAG = /^\[artifact (\S{1,40}) v(\d{1,9})\](.*)/;
const WRITES = new Set(['artifact_create', 'artifact_edit', 'artifact_rewrite', 'artifact_import']); // CNV-22
const DELEGATE = 'delegate';
const OUTCOME = 'outcome=';
const MORE = /^\(\+\d+ more canvases, see artifact_list\)$/; // CNV-87

/** The version that a canvas call has written; null for a failed or another call, and when nothing changed. */
export function tagOf(name: string, output: string | null): CanvasTag | null {
  const found = WRITES.has(name) ? TAG.exec(output ?? '') : null;
  return found && found[3]?.trim() !== 'unchanged' ? { id: found[1] ?? '', version: Number(found[2]), title: null } : null;
}

/** The canvases in the block of a delegate's answer; none without the empty line below the block (CNV-88, CNV-93). */
export function blockOf(output: string | null): CanvasTag[] {
  const lines = (output ?? '').split('\n');
  const end = lines.indexOf('');
  if (!lines[0]?.startsWith(OUTCOME) || end < 0) {
    return [];
  }
  const found: CanvasTag[] = [];
  for (const line of lines.slice(1, end)) {
    const tag = TAG.exec(line);
    if (tag) {
      found.push({ id: tag[1] ?? '', version: Number(tag[2]), title: tag[3]?.trim() || null });
    } else if (!MORE.test(line)) {
      return [];
    }
  }
  return found;
}

/** Every canvas that a result names, each once, by its highest version (UI-34). */
export function canvasesOf(item: { name: string; output: string | null; calls: readonly NestedCall[] }): CanvasTag[] {
  const own = tagOf(item.name, item.output);
  const nested = item.calls.map(call => (call.ok ? tagOf(call.name, call.output) : null)).filter(tag => tag !== null);
  const block = item.name === DELEGATE ? blockOf(item.output) : [];
  return newest([...(own ? [own] : []), ...nested, ...block]);
}

/** The chips of a turn, by the key of the call they stand under: one for each canvas, at the last call that wrote it. */
export function chipsOf(items: readonly ThreadItem[]): ReadonlyMap<string, readonly CanvasTag[]> {
  const last = new Map<string, { key: string; tag: CanvasTag }>();
  for (const item of items) {
    if (item.kind === 'tool') {
      canvasesOf(item).forEach(tag => last.set(tag.id, { key: item.key, tag }));
    }
  }
  const chips = new Map<string, CanvasTag[]>();
  for (const { key, tag } of last.values()) {
    chips.set(key, [...(chips.get(key) ?? []), tag]);
  }
  return chips;
}

function newest(tags: readonly CanvasTag[]): CanvasTag[] {
  const found = new Map<string, CanvasTag>();
  for (const tag of tags) {
    const known = found.get(tag.id);
    if (!known || tag.version >= known.version) {
      found.set(tag.id, { ...tag, title: tag.title ?? known?.title ?? null });
    }
  }
  return [...found.values()];
}
