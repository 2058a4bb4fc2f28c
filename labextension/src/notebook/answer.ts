/** Which answer is meant, and where its words come from (UI-139, UI-140). */
import type { Face } from '../lab/face';
import { type CellOrigin, runAt, storedAnswer } from '../shared/notebook/origin';
import type { AnswerItem } from '../shared/thread';

/** An answer with what a cell made of it remembers. */
export interface Source {
  text: string;
  agent: string;
  at: string;
  origin: CellOrigin;
}

/** The answer `key` of the open conversation, else its last one. */
export function answerOf({ crew: { conversation } }: Face, key: unknown): AnswerItem | null {
  const { items } = conversation.view;
  const fits = (item: (typeof items)[number]): item is AnswerItem => item.kind === 'answer' && item.text.trim() !== '';
  return items.filter(fits).findLast(item => typeof key !== 'string' || item.key === key) ?? null;
}

/** Asks the server for what this page does not know; what nobody knows stays null. */
export async function sourceOf(face: Face, item: AnswerItem): Promise<Source> {
  const { id } = face.crew.conversation;
  const agent = agentName(face);
  const { message_id, created_at } = id === null ? item : await stored(face, id, item);
  const run_id = id === null || created_at === null ? null : await runOf(face, id, created_at);
  return { text: item.text, agent, at: created_at ?? new Date().toISOString(), origin: { run_id, message_id } };
}

function agentName({ crew: { conversation, agents } }: Face): string {
  const id = conversation.view.conversation?.agent_id ?? agents.master ?? '';
  return agents.getSnapshot().agents.find(one => one.id === id)?.name ?? id;
}

/** An answer that this page has seen being written has no number here yet. */
async function stored(face: Face, id: string, item: AnswerItem): Promise<Pick<AnswerItem, 'message_id' | 'created_at'>> {
  if (item.message_id !== null && item.created_at !== null) {
    return item;
  }
  const found = await face.crew.api.conversation(id).catch(() => null);
  const message = storedAnswer(found?.messages ?? [], item.text);
  return { message_id: message?.id ?? null, created_at: message?.created_at ?? null };
}

async function runOf({ crew: { api, activity } }: Face, id: string, at: string): Promise<string | null> {
  const { history, view } = activity.getSnapshot();
  const known = runAt([...view.runs, ...view.ended, ...(history[id] ?? [])], id, at);
  if (known !== null) {
    return known;
  }
  const read = await api.runs({ conversation_id: id }).catch(() => null);
  return runAt(read?.runs ?? [], id, at);
}
