/** What a person does to the open conversation besides writing: stop, decide, change (UI-45, UI-46, UI-59, UI-63). */
import { ApiError, failureOf } from '../api';
import type { AttachedFile, Conversation, ConversationPatch, Decision, StopAnswer } from '../contract';
import { reduceConversation, showConversation } from '../conversation';
import { keepEnd } from '../merge';
import type { ConversationView } from '../view';
import type { Desk } from './desk';
import type { StoreHost } from './host';

const STOP_MS = 3000; // UI-45

export class Controls {
  constructor(
    private readonly host: StoreHost,
    private readonly desk: Desk
  ) {}

  async stop(returned: (id: string, files: readonly AttachedFile[]) => void): Promise<string[]> {
    const { id } = this.desk;
    if (id === null || this.desk.state.stopping) {
      return [];
    }
    const ran = this.desk.view.running;
    this.desk.put({ stopping: true, stopNotice: null });
    const answer = await this.ask(id);
    if (answer !== null && answer.attachments.length > 0) {
      returned(id, answer.attachments);
    }
    if (this.desk.id !== id) {
      return answer?.cleared ?? [];
    }
    if (answer === null) {
      this.desk.put({ stopping: false, stopNotice: 'unanswered' });
      await this.desk.reload();
      return [];
    }
    const elsewhere = ran && !answer.cancelled && this.desk.view.running; // UI-46
    this.desk.put({ stopping: false, stopNotice: elsewhere ? 'elsewhere' : null });
    this.desk.change(view => (view.queued.length === 0 ? view : { ...view, queued: [] }));
    return answer.cleared;
  }

  async decide(decision: Decision): Promise<void> {
    const asked = this.desk.view.pending;
    if (!asked || this.desk.state.deciding) {
      return;
    }
    this.desk.put({ deciding: true, decisionFailure: null });
    try {
      const { status, always, skipped } = await this.host.api.decide(asked.id, decision);
      this.desk.put({ deciding: false });
      this.desk.change(view => reduceConversation(view, { type: 'approval_decided', approval_id: asked.id, status, always, skipped }));
    } catch (error) {
      this.desk.put({ deciding: false, decisionFailure: failureOf(error) });
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        await this.desk.reload(); // somebody was first (UI-63)
      }
    }
  }

  async patch(changes: ConversationPatch): Promise<boolean> {
    const { id } = this.desk;
    if (id === null) {
      return false;
    }
    this.desk.put({ patchFailure: null });
    try {
      const detail = await this.host.api.patchConversation(id, changes);
      if (this.desk.id === id) {
        this.desk.change(view => withDetail(view, detail));
      }
      return true;
    } catch (error) {
      this.desk.put({ patchFailure: failureOf(error) });
      return false;
    }
  }

  /** The answer, or null when there was none in three seconds. */
  private async ask(id: string): Promise<StopAnswer | null> {
    const abort = new AbortController();
    let timer = 0;
    const late = new Promise<null>(resolve => {
      timer = this.host.setTimeout(() => {
        abort.abort();
        resolve(null);
      }, STOP_MS);
    });
    try {
      return await Promise.race([this.host.api.stop(id, abort.signal), late]);
    } catch {
      return null; // said beside the button: the server has not answered
    } finally {
      this.host.clearTimeout(timer);
    }
  }
}

/** The view with a detail that was read: in mid-turn the thread that frames have built stays. */
export function withDetail(view: ConversationView, detail: Conversation): ConversationView {
  const shown = showConversation(detail, detail.running);
  if (view.conversation?.id !== detail.id || !view.running || !detail.running) {
    return keepEnd(view, shown);
  }
  const { items, end, thinking } = view;
  return { ...shown, items, end, thinking };
}
