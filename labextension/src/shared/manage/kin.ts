/** The runs around a run: those that its calls opened, and the one whose call opened it (UI-73). */
import type { Run, RunList, RunQuery } from '../contract';
import { openerOf } from '../delegate';

export interface Kin {
  /** In the order of the calls; of each conversation its runs, newest first. */
  children: readonly Run[];
  parent: Run | null;
}

const OF_A_CHILD = 5; // a child is asked again and again at most a few times
const OF_A_PARENT = 200; // the most that the route gives

type Ask = (query: RunQuery) => Promise<RunList>;

/** Asks for both; whatever conversation it is that they belong to, however old. */
export async function kinOf(run: Run, ask: Ask): Promise<Kin> {
  const opener = openerOf(run);
  const [parent, ...children] = await Promise.all([parentOf(run, opener, ask), ...childIds(run).map(id => ofConversation(id, OF_A_CHILD, ask))]);
  return { parent, children: children.flat() };
}

/** The conversations that the calls of a run have opened, each once. */
export function childIds(run: Run): string[] {
  return [...new Set(run.steps.map(step => step.child_id).filter(id => id !== null))];
}

async function parentOf(run: Run, opener: string | null, ask: Ask): Promise<Run | null> {
  if (opener === null || run.conversation_id === null) {
    return null;
  }
  const runs = await ofConversation(opener, OF_A_PARENT, ask);
  return runs.find(one => one.steps.some(step => step.child_id === run.conversation_id)) ?? null;
}

/** The runs of this conversation itself: the route gives those of its children as well. */
async function ofConversation(id: string, limit: number, ask: Ask): Promise<Run[]> {
  return (await ask({ conversation_id: id, limit })).runs.filter(run => run.conversation_id === id);
}
