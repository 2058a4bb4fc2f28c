/** What views see of the stores: snapshots and the methods they call. Tests of views put fakes in their place. */
import type {
  AgentView,
  Answering,
  Approval,
  AttachedFile,
  Connections,
  Conversation,
  ConversationPatch,
  ConversationSummary,
  Run,
  SearchResult
} from '../contract';
import type { ActivityView, ConversationView } from '../view';
import type { Readable } from './store';

/** A request that failed, as it is shown beside its place (UI-8). `status` 0: the server was not reached. */
export interface Failure {
  code: string;
  status: number;
  message: string;
  fields: Record<string, unknown>;
}

/** Where the loading of a region stands. */
export type Loading = 'idle' | 'loading' | 'ready' | 'failed';

/** Words that did not go out (UI-48, UI-49): they stand in the composer again. */
export interface Unsent {
  text: string;
  files: readonly AttachedFile[];
  request_id: string;
  failure: Failure;
  /** Whether "Send again" makes sense: the answer was lost, and the same id is used. */
  again: boolean;
}

/** Why the composer is locked (UI-50). */
export type Lock = 'cap' | 'approval' | 'question' | null;

/** The open conversation. */
export interface ConversationState {
  /** `null`: nothing is open, the welcome is shown; the first message creates a conversation. */
  id: string | null;
  /** The conversation to go back to from a delegate's or worker's (UI-11). */
  back: string | null;
  loading: Loading;
  failure: Failure | null;
  /** Whether this window has opened it for a file, before anything was said in it (UI-52). */
  born: boolean;
  /** Deleted in another tab, or never there. */
  gone: boolean;
  view: ConversationView;
  lock: Lock;
  /** Own messages are on their way. */
  sending: boolean;
  stopping: boolean;
  unsent: Unsent | null;
  /** One line beside Stop (UI-46). */
  stopNotice: 'elsewhere' | 'unanswered' | null;
  deciding: boolean;
  /** A decision that failed; `code` `not_pending` means somebody was first (UI-63). */
  decisionFailure: Failure | null;
  /** A change of title, cap or options that failed. */
  patchFailure: Failure | null;
}

/** What happened to words that were sent. `refused`: they belong back into the composer. */
export type SendOutcome = 'started' | 'queued' | 'known' | 'refused';

/** Owner of the open conversation. */
export interface ConversationRegion extends Readable<ConversationState> {
  /** Opens a conversation (`null`: the welcome); the same id again changes nothing. */
  open(id: string | null): void;
  /** Opens a conversation that is not in the list, with a way back. */
  openChild(id: string): void;
  goBack(): void;
  /** Reads the conversation again (UI-5). */
  reload(): Promise<void>;
  /** Sends or queues; creates the conversation first when none is open. Never rejects. */
  send(text: string, files?: readonly AttachedFile[]): Promise<SendOutcome>;
  /** The open conversation, which is created when none is open. Rejects with `ApiError`. */
  begin(): Promise<string>;
  /** Sends `unsent` once more with the same id (UI-49). */
  sendAgain(): Promise<SendOutcome>;
  /** Takes the failure line away; the words stay wherever the composer has them. */
  clearUnsent(): void;
  /** Stops the turn; resolves with the words taken back, in the order they were sent (UI-45). Never rejects. */
  stop(): Promise<string[]>;
  /** Decides the pending request. Never rejects; see `decisionFailure`. */
  decide(decision: 'approve' | 'deny', always?: boolean): Promise<void>;
  /** Answers the pending question with chosen labels, words, or both (ASKU-9). Never rejects; see `decisionFailure`. */
  answer(labels: readonly string[], text: string): Promise<void>;
  /** Skips the pending question (GATE-88). Never rejects; see `decisionFailure`. */
  skip(): Promise<void>;
  /** Changes title, cap or options. Resolves false when refused; see `patchFailure`. */
  patch(changes: ConversationPatch): Promise<boolean>;
  /** Branches before the bubble with this key (UI-57); the branch is not opened. Rejects with `ApiError`. */
  fork(key: string): Promise<Conversation>;
  /** Sets the cap; 0 removes it (UI-19). */
  raiseCap(usd: number): Promise<boolean>;
}

/** A file that the next message will bring (UI-52). */
export interface DraftFile {
  key: string;
  name: string;
  size: number;
  state: 'sending' | 'ready' | 'failed';
  /** What the server calls it, once it has it. */
  file: AttachedFile | null;
  failure: Failure | null;
}

/** Files of messages that are being written, by conversation (`''`: the one that does not exist yet). */
export type DraftFiles = Readonly<Record<string, readonly DraftFile[]>>;

/** Owner of the files of messages that are being written. */
export interface AttachedRegion extends Readable<DraftFiles> {
  /** Whether files can be given here; a widget in an output has only its kernel, and takes none. */
  readonly takes: boolean;
  /** Sends files to the open conversation, which is created when none is open. Never rejects; see `failure`. */
  add(files: readonly File[]): Promise<void>;
  /** Takes a file away again. */
  remove(id: string | null, key: string): void;
  /** Takes out what is ready, for a message. */
  take(id: string | null): readonly AttachedFile[];
  /** Puts files back that a message did not bring. */
  putBack(id: string | null, files: readonly AttachedFile[]): void;
  /** Takes files out that a message has brought after all. */
  drop(id: string | null, files: readonly AttachedFile[]): void;
}

/** The list of conversations, newest first. */
export interface ListState {
  loading: Loading;
  failure: Failure | null;
  conversations: readonly ConversationSummary[];
  more: boolean;
  /** Ids with an unread dot (UI-107). */
  unread: ReadonlySet<string>;
}

/** Owner of the list. */
export interface ListRegion extends Readable<ListState> {
  load(): Promise<void>;
  loadMore(): Promise<void>;
  /** Creates a conversation of the master; rejects with `ApiError`. */
  create(title?: string): Promise<ConversationSummary>;
  /** Rejects with `ApiError`. */
  rename(id: string, title: string): Promise<void>;
  /** Deletes; resolves with the id to open next, or null (UI-17). Rejects with `ApiError`. */
  remove(id: string): Promise<string | null>;
  /** Messages of the whole crew that hold every word (UI-14). Rejects with `ApiError`. */
  search(text: string, signal: AbortSignal): Promise<readonly SearchResult[]>;
  /** Takes away the dot. */
  markSeen(id: string): void;
}

/** The whole crew. */
export interface ActivityState {
  view: ActivityView;
  /** All pending requests of the crew. */
  approvals: readonly Approval[];
  /** Finished and running runs read for one conversation, newest first (TURN-91). */
  history: Readonly<Record<string, readonly Run[]>>;
}

/** Owner of the activity topic. */
export interface ActivityRegion extends Readable<ActivityState> {
  /** Reads the runs of a conversation; they are kept up to date afterwards. Never rejects. */
  loadRuns(conversationId: string): Promise<void>;
  /** Reads one run by id (UI-69); rejects with `ApiError`. */
  loadRun(id: string): Promise<Run>;
  /** Decides a request of any conversation; resolves with the failure, or null. Never rejects. */
  decide(id: string, decision: 'approve' | 'deny', always: boolean): Promise<Failure | null>;
}

/** Agents and what answers. */
export interface AgentsState {
  loading: Loading;
  failure: Failure | null;
  /** Master first. */
  agents: readonly AgentView[];
  connections: Connections | null;
  answering: Answering | null;
}

/** Owner of agents and connections. */
export interface AgentsRegion extends Readable<AgentsState> {
  load(): Promise<void>;
}

/** The window's one connection (UI-4, UI-112). */
export interface ConnectionState {
  status: 'closed' | 'connecting' | 'open' | 'offline';
  /** Milliseconds since 1970 when the connection was lost, for the offline bar. */
  offlineSince: number | null;
  transport: 'socket' | 'stream' | null;
  /** How many times it was opened: a higher number means that what is visible is read again (UI-5, UI-112). */
  opens: number;
}
