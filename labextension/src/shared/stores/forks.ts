/** Branching the open conversation before one of the person's messages (UI-56 to UI-58). */
import { type Api, ApiError } from '../api';
import type { Conversation, Message } from '../contract';
import type { ThreadItem } from '../view';
import type { Desk } from './desk';

type Bubble = Extract<ThreadItem, { kind: 'user' }>;

/** Branches before the bubble with this key. Rejects with `ApiError`; `bad_cut` when it is not found in what is stored. */
export async function forkBefore(api: Api, { id, view }: Pick<Desk, 'id' | 'view'>, key: string): Promise<Conversation> {
  const bubbles = view.items.filter((item): item is Bubble => item.kind === 'user');
  const place = bubbles.findIndex(bubble => bubble.key === key);
  const bubble = bubbles[place];
  if (id === null || !bubble) {
    throw new ApiError('bad_cut', 422, '');
  }
  const before = bubble.message_id ?? storedId((await api.conversation(id)).messages, bubble.text, bubbles.length - 1 - place);
  if (before === null) {
    throw new ApiError('bad_cut', 422, '');
  }
  return api.fork(id, before);
}

/** The stored message of a bubble without a number: by its place among the person's messages from the end, and by its text (UI-57). Pure. */
export function storedId(messages: readonly Message[], text: string, fromEnd: number): number | null {
  const said = messages.filter(message => message.role === 'user');
  const found = said[said.length - 1 - fromEnd];
  return found && found.content === text ? found.id : null; // no match is never a guess
}

/** Whether the open conversation belongs to a delegate or a worker, which is never branched (FRK-3). Pure. */
export function isChild({ parent_id, parent_call_id, source }: { parent_id: string | null; parent_call_id: string | null; source: string }): boolean {
  return parent_id !== null || parent_call_id !== null || /^(delegate|vibe):/.test(source);
}
