/** The tag of a canvas in results (CNV-23, CNV-85, CNV-95): which canvases a call has written. Pure. */
import type { NestedCall } from '../contract';
import { readJob } from '../delegate';
import type { ThreadItem } from '../view';
import { type CanvasTag, readTag } from './tag';

export type { CanvasTag };

const WRITES = new Set(['artifact_create', 'artifact_edit', 'artifact_rewrite', 'artifact_import']); // CNV-22
const DELEGATE = 'delegate';
const UNCHANGED = 'unchanged';

/** The version that a canvas call has written; null for a failed or another call, and when nothing changed. */
export function tagOf(name: string, output: string | null): CanvasTag | null {
  const found = WRITES.has(name) ? readTag((output ?? '').split('\n', 1)[0] ?? '') : null;
  return found && found.title !== UNCHANGED ? { ...found, title: null } : null;
}

/** Every canvas that a result names, each once, by its highest version (UI-34). */
export function canvasesOf(item: { name: string; output: string | null; calls: readonly NestedCall[] }): CanvasTag[] {
  const own = tagOf(item.name, item.output);
  const nested = item.calls.map(call => (call.ok ? tagOf(call.name, call.output) : null)).filter(tag => tag !== null);
  const block = item.name === DELEGATE ? (readJob(item.output ?? '')?.canvases ?? []) : []; // CNV-93
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
