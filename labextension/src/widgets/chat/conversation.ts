/** The open conversation of a widget: its state comes from the kernel, and everything a person does goes there (UI-159). */
import { ApiError, failureOf } from '../../shared/api';
import type { Approval, Conversation, SentMessage, StopAnswer } from '../../shared/contract';
import { newRequestId } from '../../shared/send';
import { CLOSED, lockOf } from '../../shared/stores/state';
import { Store } from '../../shared/stores/store';
import type { ConversationRegion, ConversationState, SendOutcome } from '../../shared/stores/types';
import { runCommand } from '../live/lab';
import type { LiveModel } from '../live/model';
import { type Shown, viewOf } from './state';

const MOST_CHARS = 1_000_000; // far more than the server takes; a longer one would break the connection with the kernel (FQ-4)

export class KernelConversation extends Store<ConversationState> implements ConversationRegion {
  constructor(private readonly live: LiveModel<Shown>) {
    super(CLOSED);
    this.follow();
    live.subscribe(() => this.follow());
  }

  send(text: string): Promise<SendOutcome> {
    return this.post(text, newRequestId());
  }

  begin(): Promise<string> {
    return Promise.reject(new ApiError('unreachable', 0, '')); // only a file begins one, and a widget takes none
  }

  sendAgain(): Promise<SendOutcome> {
    const { unsent } = this.getSnapshot();
    return unsent ? this.post(unsent.text, unsent.request_id) : Promise.resolve('refused');
  }

  clearUnsent(): void {
    this.put({ unsent: null });
  }

  async stop(): Promise<string[]> {
    const ran = this.getSnapshot().view.running;
    this.put({ stopping: true, stopNotice: null });
    try {
      const { cleared, cancelled } = (await this.live.ask('stop')) as StopAnswer;
      const elsewhere = ran && !cancelled && this.getSnapshot().view.running; // UI-46
      this.put({ stopping: false, stopNotice: elsewhere ? 'elsewhere' : null });
      return cleared;
    } catch {
      this.put({ stopping: false, stopNotice: 'unanswered' });
      return [];
    }
  }

  decide(decision: 'approve' | 'deny', always = false): Promise<void> {
    return this.say({ decision, always });
  }

  answer(labels: readonly string[], text: string): Promise<void> {
    return this.say({ labels, text });
  }

  skip(): Promise<void> {
    return this.say({ skip: true });
  }

  async raiseCap(usd: number): Promise<boolean> {
    this.put({ patchFailure: null });
    try {
      await this.live.ask('cap', { usd });
      return true;
    } catch (error) {
      this.put({ patchFailure: failureOf(error) });
      return false;
    }
  }

  patch(): Promise<boolean> {
    return Promise.resolve(false); // titles and options are changed in the panel
  }

  /** Branches before a stored message; the kernel has the number of each (UI-57). */
  async fork(key: string): Promise<Conversation> {
    const item = this.getSnapshot().view.items.find(one => one.key === key);
    if (item?.kind !== 'user' || item.message_id === null) {
      throw new ApiError('bad_cut', 0, '');
    }
    return (await this.live.ask('fork', { before: item.message_id })) as Conversation;
  }

  open(id: string | null): void {
    if (id !== null && id !== this.getSnapshot().id) {
      this.live.ask('open', { conversation: id }).catch((error: unknown) => this.put({ failure: failureOf(error) }));
    }
  }

  openChild(id: string): void {
    runCommand('crewlab:open-conversation', { id });
  }

  goBack(): void {
    // a widget shows one conversation
  }

  reload(): Promise<void> {
    return Promise.resolve(); // the kernel reads by itself
  }

  private async post(text: string, request_id: string): Promise<SendOutcome> {
    this.put({ sending: true, unsent: null, stopNotice: null });
    try {
      if (text.length > MOST_CHARS) {
        throw new ApiError('text_too_long', 0, '');
      }
      const { status } = (await this.live.ask('send', { text, request_id })) as SentMessage;
      this.put({ sending: false });
      return status;
    } catch (error) {
      const failure = failureOf(error);
      const lost = error instanceof ApiError && error.lost && failure.code !== 'text_too_long';
      this.put({
        sending: false,
        unsent: { text, files: [], request_id, failure: lost ? { ...failure, code: 'unreachable' } : failure, again: lost }
      });
      return 'refused';
    }
  }

  private async say(what: Record<string, unknown>): Promise<void> {
    const asked: Approval | null = this.getSnapshot().view.pending;
    if (!asked || this.getSnapshot().deciding) {
      return;
    }
    this.put({ deciding: true, decisionFailure: null });
    try {
      await this.live.ask('decide', { approval: asked.id, ...what });
      this.put({ deciding: false });
    } catch (error) {
      this.put({ deciding: false, decisionFailure: failureOf(error) });
    }
  }

  /** The kernel's state; without a kernel nothing can be decided or branched from (UI-160). */
  private follow(): void {
    const { state, kernel } = this.live.getSnapshot();
    if (state !== null) {
      const view = viewOf(state);
      this.put({ id: state.id, gone: state.gone, loading: 'ready', view, lock: lockOf(view) });
    }
    this.still = kernel !== 'live';
    this.put({});
  }

  private still = true;
  private own = { deciding: false, sending: false };

  private put(change: Partial<ConversationState>): void {
    const { deciding = this.own.deciding, sending = this.own.sending, ...rest } = change;
    this.own = { deciding, sending };
    this.set({ ...this.getSnapshot(), ...rest, deciding: deciding || this.still, sending: sending || this.still });
  }
}
