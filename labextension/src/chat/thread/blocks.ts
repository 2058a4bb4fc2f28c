/** The thread in the pieces it is drawn in. Pure. */
import type { ThreadItem } from '../../shared/view';

export type UserItem = Extract<ThreadItem, { kind: 'user' }>;
export type AnswerItem = Extract<ThreadItem, { kind: 'answer' }>;
type ToolItem = Extract<ThreadItem, { kind: 'tool' }>;

const JOB = 'delegate'; // a job given to another agent is a card of its own (DLG-55)

/** A message of the person, or everything the agent did until the next one. */
export type Block = { kind: 'user'; key: string; item: UserItem } | { kind: 'work'; key: string; items: ThreadItem[] };

/** Within the agent's work: a run of steps, a job, a text, or words that were inserted. */
export type Segment =
  | { kind: 'steps'; key: string; items: ThreadItem[] }
  | { kind: 'job'; key: string; item: ToolItem }
  | { kind: 'text'; key: string; item: AnswerItem }
  | { kind: 'steer'; key: string; item: UserItem };

/** Messages of the person stand alone; steers belong to the work they were inserted into (UI-43). */
export function blocksOf(items: readonly ThreadItem[]): Block[] {
  const blocks: Block[] = [];
  for (const item of items) {
    const last = blocks[blocks.length - 1];
    if (item.kind === 'user' && !item.steered) {
      blocks.push({ kind: 'user', key: item.key, item });
    } else if (last?.kind === 'work') {
      last.items.push(item);
    } else {
      blocks.push({ kind: 'work', key: `work:${item.key}`, items: [item] });
    }
  }
  return blocks;
}

/** Steps that follow one another share a rail; an answer without text (only calls) draws nothing. */
export function segmentsOf(items: readonly ThreadItem[]): Segment[] {
  const segments: Segment[] = [];
  for (const item of items) {
    const last = segments[segments.length - 1];
    if (item.kind === 'answer') {
      if (item.text.trim() !== '' || item.partial) {
        segments.push({ kind: 'text', key: item.key, item });
      }
    } else if (item.kind === 'tool' && item.name === JOB) {
      segments.push({ kind: 'job', key: item.key, item });
    } else if (item.kind === 'user') {
      segments.push({ kind: 'steer', key: item.key, item });
    } else if (last?.kind === 'steps') {
      last.items.push(item);
    } else {
      segments.push({ kind: 'steps', key: item.key, items: [item] });
    }
  }
  return segments;
}

/** Whether two lists hold the very same items; the reducers keep what did not change. */
export function sameItems(one: readonly ThreadItem[], other: readonly ThreadItem[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Whether the running turn shows by itself that something happens; else the thread adds a line "Working". */
export function showsLife(items: readonly ThreadItem[]): boolean {
  const last = items[items.length - 1];
  return last !== undefined && ((last.kind === 'answer' && last.streaming && last.text !== '') || (last.kind === 'tool' && (last.state === 'running' || last.state === 'waiting')));
}

/** Whether two blocks draw the same. */
export function sameBlock(one: Block, other: Block): boolean {
  if (one.kind === 'user') {
    return other.kind === 'user' && one.item === other.item;
  }
  return other.kind === 'work' && sameItems(one.items, other.items);
}
