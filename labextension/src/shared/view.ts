/**
 * What the reducers make of events: the state that views draw. Pure data, no JupyterLab, no React.
 * Names are those of the events (snake_case), so that the Python reducer gives the same JSON.
 */
import type {
  Approval,
  AttachedFile,
  Conversation,
  ConversationSummary,
  Json,
  NestedCall,
  QueuedItem,
  Run,
  Suggestion,
  Task
} from './contract';

/** State of a tool card. `refused` by a rule, `denied` by a person and `expired` for want of a decision are three things (ASK-3). `open` is a stored call without a result and without a running turn. */
export type ToolState = 'running' | 'done' | 'error' | 'refused' | 'denied' | 'expired' | 'waiting' | 'open';

/** One thing in the thread, in the order of the thread. */
export type ThreadItem =
  | {
      kind: 'user';
      key: string;
      message_id: number | null;
      text: string;
      created_at: string | null;
      steered: boolean;
      sending: boolean;
      /** What was typed where a command of a kit wrote the text (UI-54). */ typed: string | null;
      files: AttachedFile[];
    }
  | {
      kind: 'answer';
      key: string;
      message_id: number | null;
      text: string;
      model: string | null;
      cost_usd: number | null;
      created_at: string | null;
      partial: 'error' | 'stopped' | null;
      streaming: boolean;
      /** The agent whose answer was handed on word for word (DLG-77). */
      relayed_from: string | null;
    }
  | {
      kind: 'tool';
      key: string;
      tool_call_id: string;
      name: string;
      arguments: Json | string;
      state: ToolState;
      output: string | null;
      ms: number | null;
      cost_usd: number | null;
      shortened: 'structure' | 'summary' | 'cut' | null;
      original_chars: number | null;
      /** The two measures of a script (SCR-193, SCR-199); null for every other tool. */
      received_chars: number | null;
      printed_chars: number | null;
      calls: NestedCall[];
      /** One more than the highest index heard of `nested_call`: a smaller one was heard before (TURN-42). */
      next_index: number;
      /** Live output of a kernel cell. */
      stream: string;
    }
  | { kind: 'fallback'; key: string; from_route: string; to_route: string; error: string }
  | { kind: 'escalated'; key: string; route: string; reason: string }
  | { kind: 'compacted'; key: string; tokens_before: number; tokens_after: number; text: string }
  | { kind: 'note'; key: string; text: string };

/** How the last turn of this view ended; `null` while one runs or none has been seen. */
export type TurnEnd =
  | { type: 'done'; run_id: string; cost_usd: number; suggestions: Suggestion[] }
  | { type: 'halted'; run_id: string; reason: string; cost_usd: number }
  | { type: 'stopped'; run_id: string }
  | { type: 'error'; run_id: string; code: string; message: string };

/** A conversation without the parts that the view holds in places of their own. */
export type ConversationHead = Omit<Conversation, 'messages' | 'compactions' | 'queued' | 'tasks' | 'pending'>;

/** One conversation as it is drawn. A chip of `queued` whose `text` is "" is not drawn: its words are being read. */
export interface ConversationView {
  conversation: ConversationHead | null;
  items: ThreadItem[];
  queued: QueuedItem[];
  tasks: Task[];
  pending: Approval | null;
  running: boolean;
  thinking: boolean;
  end: TurnEnd | null;
  spent_usd: number;
  unknown_cost_calls: number;
  estimated_cost_calls: number;
}

/** The whole crew as it is drawn. */
export interface ActivityView {
  /** Running and waiting runs by id, newest first. */
  runs: Run[];
  /** Runs that ended while this window watched, newest first, at most 50. */
  ended: Run[];
  /** Number of pending requests in the whole crew. */
  pending: number;
  /** Conversations that changed while this window watched, by id; `null` when deleted. */
  conversations: Record<string, ConversationSummary | null>;
  /** Raised by every snapshot, so that owners know that frames may have been missed. */
  snapshots: number;
  /** Raised by every `jobs`, `tools`, `artifact`, `workers` frame so that owners read again. */
  revisions: { jobs: number; tools: number; artifacts: number; workers: number };
}
