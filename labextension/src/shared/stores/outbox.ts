/** Own words on their way (UI-41, UI-42, UI-48, UI-49): one after another, each once, kept when they do not arrive. */
import { ApiError, failureOf } from '../api';
import type { AttachedFile, SentMessage } from '../contract';
import { addQueued, addSent } from '../merge';
import { sendOnce } from '../send';
import { userItem, type UserItem } from '../thread';
import type { ConversationView } from '../view';
import type { Desk } from './desk';
import { pause, type StoreHost } from './host';
import type { SendOutcome, Unsent } from './types';

interface Words {
  text: string;
  files: readonly AttachedFile[];
  request_id: string;
}

export class Outbox {
  /** Item ids of which `queued` was heard: when one is no longer waiting, its chip has gone its way. */
  private readonly heard = new Set<number>();
  private readonly local = new Map<string, UserItem>();
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(
    private readonly host: StoreHost,
    private readonly desk: Desk,
    private readonly adopt: (id: string) => void
  ) {}

  /** Sends words after those that are still on their way, so that their order stays. */
  send(text: string, files: readonly AttachedFile[] = [], requestId = this.host.newRequestId()): Promise<SendOutcome> {
    const target = this.desk.id;
    const turn = this.last.then(() => this.deliver(target, { text, files, request_id: requestId }));
    this.last = turn;
    return turn;
  }

  /** The open conversation, or a new one, after words that may be opening one. Rejects with `ApiError`. */
  begin(adopt: (id: string) => void): Promise<string> {
    const turn = this.last.then(async () => {
      if (this.desk.id !== null) {
        return this.desk.id;
      }
      const { id } = await this.host.api.createConversation({});
      if (this.desk.id === null) {
        adopt(id);
      }
      return id;
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** The view with own words that no frame has shown yet. */
  compose(view: ConversationView): ConversationView {
    return this.local.size === 0 ? view : { ...view, items: [...view.items, ...this.local.values()] };
  }

  /** Another conversation is opened. */
  forget(): void {
    this.heard.clear();
    this.local.clear();
  }

  /** A `queued` event was heard. */
  hearQueued(itemId: number): void {
    this.heard.add(itemId);
  }

  /** A stored thread has come: own words that it holds are no longer local. */
  hearThread(view: ConversationView): void {
    const stored = view.items.findLast(item => item.kind === 'user');
    for (const [key, item] of this.local) {
      if (stored?.kind === 'user' && (stored.typed ?? stored.text) === item.text) {
        this.local.delete(key);
      }
    }
  }

  private async deliver(target: string | null, words: Words): Promise<SendOutcome> {
    const key = this.show(target, words);
    this.desk.put({ sending: true, unsent: null, stopNotice: null });
    try {
      const id = target ?? this.desk.id ?? (await this.create(key, words));
      const { text, request_id, files } = words;
      const body = {
        text,
        request_id,
        timezone: this.host.timezone,
        ...(files.length > 0 ? { attachments: files.map(file => file.id) } : {})
      };
      const sent = await sendOnce(
        () => this.host.api.sendMessage(id, body),
        ms => pause(this.host, ms)
      );
      return this.arrived(id, key, words, sent);
    } catch (error) {
      return this.refused(key, words, error);
    }
  }

  private show(target: string | null, words: Words): string {
    const key = `local-${(this.count += 1)}`;
    if (this.desk.id === target && !this.desk.view.running) {
      this.local.set(key, localItem(key, words));
    }
    return key;
  }

  private async create(key: string, words: Words): Promise<string> {
    const { id } = await this.host.api.createConversation({});
    if (this.desk.id === null) {
      this.adopt(id);
      this.local.set(key, localItem(key, words));
      this.desk.put({ sending: true });
    }
    return id;
  }

  private arrived(id: string, key: string, { text, files }: Words, sent: SentMessage): SendOutcome {
    this.local.delete(key);
    if (this.desk.id !== id) {
      return sent.status;
    }
    this.desk.put({ sending: false });
    const { queued, message_id: messageId } = sent;
    if (queued) {
      const gone = this.heard.has(queued.item_id) && !this.desk.view.queued.some(one => one.item_id === queued.item_id);
      const words = queued.kind === 'steer' ? text.trim().replace(/^\/steer\s+/, '') : text;
      this.desk.change(view => (gone ? view : addQueued(view, { ...queued, text: words, created_at: '', attachments: [...files] })));
    } else if (sent.status === 'started' && messageId !== null) {
      this.desk.change(view => begun(view, messageId, text, files));
    } else {
      void this.desk.reload();
    }
    return sent.status;
  }

  private refused(key: string, words: Words, error: unknown): SendOutcome {
    this.local.delete(key);
    const again = error instanceof ApiError && (error.lost || error.status >= 500);
    const unsent: Unsent = { ...words, failure: failureOf(error), again };
    this.desk.put({ sending: false, unsent });
    return 'refused';
  }
}

function localItem(key: string, { text, files }: Words): UserItem {
  return { ...userItem(null, key, text, null, false, files), sending: true };
}

/** The turn runs, unless frames have told so already (and perhaps that it has ended). */
function begun(view: ConversationView, messageId: number, text: string, files: readonly AttachedFile[]): ConversationView {
  const next = addSent(view, messageId, text, files);
  return next === view ? view : { ...next, running: true };
}
