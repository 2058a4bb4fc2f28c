/** The open conversation as the parts of its store see it: what is drawn, and how to change it. */
import type { ConversationView } from '../view';
import type { ConversationState } from './types';

export interface Desk {
  /** Id of the open conversation. */
  readonly id: string | null;
  readonly view: ConversationView;
  readonly state: ConversationState;
  /** Changes the view and tells everybody at once. */
  change(turn: (view: ConversationView) => ConversationView): void;
  /** Changes what stands beside the view. */
  put(part: Partial<ConversationState>): void;
  reload(): Promise<void>;
}
