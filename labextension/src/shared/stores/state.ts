/** The state of the open conversation before anything is open, and what follows from its view. */
import { emptyConversation } from '../conversation';
import type { ConversationView } from '../view';
import type { ConversationState, Lock } from './types';

export const CLOSED: ConversationState = {
  id: null,
  back: null,
  loading: 'idle',
  failure: null,
  born: false,
  gone: false,
  view: emptyConversation(),
  lock: null,
  sending: false,
  stopping: false,
  unsent: null,
  stopNotice: null,
  deciding: false,
  decisionFailure: null,
  patchFailure: null
};

/** Why nothing can be sent just now (UI-50, GATE-35). */
export function lockOf({ pending, conversation, spent_usd }: ConversationView): Lock {
  if (pending) {
    return pending.kind === 'question' ? 'question' : 'approval';
  }
  const cap = conversation?.cost_cap_usd ?? 0;
  return cap > 0 && spent_usd >= cap ? 'cap' : null;
}
