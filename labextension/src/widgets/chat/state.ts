/** The state of `Chat` as its kernel side makes it (`crewlab/widgets/chat.py`). */
import type { ConversationView } from '../../shared/view';
import type { Named } from '../live/app';
import type { Base } from '../live/wire';

export interface Shown extends Base, ConversationView {
  /** Null until the first message has opened a conversation. */
  id: string | null;
  gone: boolean;
  /** The agent that a new conversation is with, when it is not the master. */
  agent: string | null;
  agents: Named[];
}

/** The view of the conversation in it. */
export function viewOf(state: Shown): ConversationView {
  const { conversation, items, queued, tasks, pending, running, thinking, end, spent_usd, unknown_cost_calls, estimated_cost_calls } = state;
  return { conversation, items, queued, tasks, pending, running, thinking, end, spent_usd, unknown_cost_calls, estimated_cost_calls };
}
