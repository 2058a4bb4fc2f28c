/** Owner of the open conversation (UI-3): loads it, follows its topic, sends, queues, stops, decides. */
import { isLive } from '../activity';
import { ApiError, failureOf } from '../api';
import type { AttachedFile, Conversation, ConversationEvent, ConversationPatch, Run } from '../contract';
import { emptyConversation, reduceConversation } from '../conversation';
import { endOf, keepEnd, withRun } from '../merge';
import { conversationTopic } from '../urls';
import type { ConversationView } from '../view';
import { Controls, withDetail } from './controls';
import type { Desk } from './desk';
import { forkBefore } from './forks';
import { Batch, type StoreHost } from './host';
import { Outbox } from './outbox';
import { CLOSED, lockOf } from './state';
import { Store } from './store';
import type { ConversationRegion, ConversationState, SendOutcome } from './types';

const QUICK = new Set(['text_delta', 'tool_stream', 'tool_call_delta']); // many a second
const COUNTED = new Set(['done', 'halted']); // UI-25: the ends that say what was spent
const ENDS = new Set([...COUNTED, 'error', 'stopped', 'approval_required']);

export class ConversationStore extends Store<ConversationState> implements ConversationRegion, Desk {
  /** Hears that another conversation is open; the runs of that conversation are read then. */
  onOpen: (id: string | null) => void = () => undefined;
  /** Hears every event of the open conversation, after the view has taken it in. */
  onEvent: (event: ConversationEvent) => void = () => undefined;
  /** Hears of files that Stop has taken out of the queue (UI-45). */
  onReturned: (id: string, files: readonly AttachedFile[]) => void = () => undefined;
  readonly fork = (key: string): Promise<Conversation> => forkBefore(this.host.api, this, key);
  readonly decide = (decision: 'approve' | 'deny', always = false): Promise<void> => this.controls.decide({ decision, always });
  readonly answer = (labels: readonly string[], text: string): Promise<void> =>
    this.controls.decide({ answer: { labels: [...labels], text } });
  readonly skip = (): Promise<void> => this.controls.decide({ skip: true });
  readonly clearUnsent = (): void => this.put({ unsent: null });
  readonly patch = (changes: ConversationPatch): Promise<boolean> => this.controls.patch(changes);
  readonly raiseCap = (usd: number): Promise<boolean> => this.controls.patch({ cost_cap_usd: usd });
  private next = CLOSED;
  private own = CLOSED.view;
  private heard = 0;
  private run: Run | null = null;
  private leave: (() => void) | null = null;
  private readonly batch: Batch;
  private readonly outbox: Outbox;
  private readonly controls: Controls;

  constructor(private readonly host: StoreHost) {
    super(CLOSED);
    this.batch = new Batch(host, () => this.commit());
    this.outbox = new Outbox(host, this, id => this.show(id, null));
    this.controls = new Controls(host, this);
  }

  get id(): string | null {
    return this.next.id;
  }

  get view(): ConversationView {
    return this.own;
  }

  get state(): ConversationState {
    return this.next;
  }

  open(id: string | null): void {
    if (id !== this.next.id || this.next.gone) {
      this.show(id, null);
    }
  }

  openChild(id: string): void {
    if (id !== this.next.id) {
      this.show(id, this.next.back ?? this.next.id);
    }
  }

  goBack(): void {
    this.show(this.next.back, null);
  }

  async reload(): Promise<void> {
    const { id } = this.next;
    if (id === null) {
      return;
    }
    const heard = this.heard;
    try {
      const detail = await this.host.api.conversation(id);
      if (id !== this.next.id) {
        return;
      }
      if (heard === this.heard) {
        this.own = withDetail(this.own, detail);
        this.own = this.filled();
      } else {
        this.own = { ...this.own, queued: this.own.queued.map(chip => detail.queued.find(one => one.item_id === chip.item_id) ?? chip) };
      }
      this.put({ loading: 'ready', failure: null });
    } catch (error) {
      this.failed(id, error);
    }
  }

  send(text: string, files: readonly AttachedFile[] = []): Promise<SendOutcome> {
    return this.outbox.send(text, files);
  }

  begin(): Promise<string> {
    return this.outbox.begin(id => {
      this.show(id, null);
      this.put({ born: true });
    });
  }

  sendAgain(): Promise<SendOutcome> {
    const { unsent } = this.next;
    return unsent ? this.outbox.send(unsent.text, unsent.files, unsent.request_id) : Promise.resolve('refused');
  }

  stop(): Promise<string[]> {
    return this.controls.stop((id, files) => this.onReturned(id, files));
  }

  /** A run was heard or read: figures of its calls, and how it ended when this window did not see that. */
  hearRun(run: Run): void {
    if (run.conversation_id === this.next.id && (this.run === null || run.started_at >= this.run.started_at)) {
      this.run = run;
      this.change(() => this.filled());
    }
  }

  /** The conversation was deleted (in another tab, too). */
  hearDeleted(id: string): void {
    if (id === this.next.id) {
      this.put({ gone: true });
    }
  }

  change(turn: (view: ConversationView) => ConversationView): void {
    const next = turn(this.own);
    if (next !== this.own) {
      this.own = next;
      this.batch.now();
    }
  }

  put(part: Partial<ConversationState>): void {
    this.next = { ...this.next, ...part };
    this.batch.now();
  }

  /** Stops following; nothing is open afterwards. */
  close(): void {
    this.show(null, null);
  }

  private show(id: string | null, back: string | null): void {
    this.leave?.();
    this.leave = null;
    this.outbox.forget();
    this.own = emptyConversation();
    this.heard = 0;
    this.run = null;
    this.next = { ...CLOSED, id, back, loading: id === null ? 'idle' : 'loading' };
    this.batch.now();
    if (id !== null) {
      this.leave = this.host.watch(conversationTopic(id), {
        frame: frame => this.hear(frame.data as ConversationEvent),
        refused: (code, message) => this.failed(id, new ApiError(code, code === 'not_found' ? 404 : 400, message))
      });
      void this.reload();
    }
    this.onOpen(id);
  }

  private hear(event: ConversationEvent): void {
    const before = this.own;
    this.heard += 1;
    this.own = keepEnd(before, reduceConversation(before, event));
    if (event.type === 'watching') {
      this.own = this.filled();
      this.outbox.hearThread(this.own);
      this.next = { ...this.next, loading: 'ready', failure: null, gone: false, stopping: this.next.stopping && event.running };
    } else if (event.type === 'opened') {
      this.outbox.hearThread(this.own);
    } else if (event.type === 'queued') {
      this.outbox.hearQueued(event.item_id);
      this.readChips();
    } else if (ENDS.has(event.type)) {
      this.own = this.filled();
      if (!COUNTED.has(event.type)) {
        void this.reload(); // UI-25
      }
    }
    this.onEvent(event);
    this.batch[QUICK.has(event.type) ? 'soon' : 'now']();
  }

  /** The view with what the newest run knows, as long as both are of the same turn. */
  private filled(): ConversationView {
    const { own, run } = this;
    const active = own.running || own.pending !== null;
    if (run === null || own.items.length === 0 || isLive(run) !== active) {
      return own;
    }
    const view = withRun(own, run);
    return active || view.end !== null ? view : { ...view, end: endOf(run) };
  }

  /** A chip of another tab has no words yet. */
  private readChips(): void {
    if (!this.next.sending && this.own.queued.some(chip => chip.text === '' && chip.attachments.length === 0)) {
      void this.reload();
    }
  }

  private failed(id: string, error: unknown): void {
    if (id !== this.next.id) {
      return;
    }
    const failure = failureOf(error);
    if (failure.status === 404) {
      this.put({ gone: true, loading: 'failed', failure });
    } else if (this.own.conversation === null) {
      this.put({ loading: 'failed', failure });
    }
  }

  private commit(): void {
    const view = this.outbox.compose(this.own);
    this.set({ ...this.next, view, lock: lockOf(view) });
  }
}
