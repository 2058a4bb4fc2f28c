/** Owner of the list of conversations (UI-3, UI-10, UI-11): the master's, newest first, with what is unread here. */
import { failureOf } from '../api';
import type { ConversationSummary, SearchResult } from '../contract';
import type { DeviceBox } from '../device';
import type { StoreHost } from './host';
import { Store } from './store';
import type { ListRegion, ListState } from './types';

/** What the list asks others. */
export interface ListHost extends Pick<StoreHost, 'api'> {
  readonly device: DeviceBox;
  /** Id of the conversation somebody looks at just now, or null. */
  looking(): string | null;
  /** Id of the master, or null while it is not known. */
  master(): string | null;
}

const SEARCH_CHARS = 200; // FTS-9

export class ListStore extends Store<ListState> implements ListRegion {
  private asked = 0;

  constructor(private readonly host: ListHost) {
    super({ loading: 'idle', failure: null, conversations: [], more: false, unread: new Set() });
  }

  async load(): Promise<void> {
    const turn = ++this.asked;
    if (this.getSnapshot().loading !== 'ready') {
      this.set({ ...this.getSnapshot(), loading: 'loading', failure: null });
    }
    try {
      const { conversations, more } = await this.host.api.conversations();
      if (turn === this.asked) {
        this.host.device.begin(conversations[0]?.updated_at ?? '');
        this.put(conversations, { loading: 'ready', failure: null, more });
      }
    } catch (error) {
      if (turn === this.asked) {
        this.set({ ...this.getSnapshot(), loading: 'failed', failure: failureOf(error) });
      }
    }
  }

  async loadMore(): Promise<void> {
    const { conversations, more } = this.getSnapshot();
    const before = conversations.at(-1)?.updated_at;
    if (!more || before === undefined) {
      return;
    }
    try {
      const next = await this.host.api.conversations({ before });
      this.put(merged(this.getSnapshot().conversations, next.conversations), { more: next.more, failure: null });
    } catch (error) {
      this.set({ ...this.getSnapshot(), failure: failureOf(error) });
    }
  }

  async create(title?: string): Promise<ConversationSummary> {
    const made = await this.host.api.createConversation(title === undefined ? {} : { title });
    this.host.device.markSeen(made.id, made.updated_at);
    this.hear(made);
    return made;
  }

  async rename(id: string, title: string): Promise<void> {
    const { messages: _messages, queued: _queued, tasks: _tasks, ...summary } = await this.host.api.patchConversation(id, { title });
    this.hear(summary);
  }

  async remove(id: string): Promise<string | null> {
    const place = this.getSnapshot().conversations.findIndex(one => one.id === id);
    await this.host.api.deleteConversation(id);
    this.forget(id);
    const left = this.getSnapshot().conversations;
    return (left[Math.max(place, 0)] ?? left.at(-1))?.id ?? null; // UI-17
  }

  async search(text: string, signal: AbortSignal): Promise<readonly SearchResult[]> {
    return (await this.host.api.searchMessages({ q: text.slice(0, SEARCH_CHARS) }, signal)).results;
  }

  markSeen(id: string): void {
    const found = this.getSnapshot().conversations.find(one => one.id === id);
    if (found) {
      this.host.device.markSeen(id, found.updated_at);
      this.put(this.getSnapshot().conversations, {});
    }
  }

  /** A conversation has changed; delegates' and workers' are not in the list (UI-11). */
  hear(summary: ConversationSummary): void {
    if (this.listed(summary)) {
      this.put(merged(this.getSnapshot().conversations, [summary]), {});
    }
  }

  /** A conversation is gone, its draft with it (UI-17). */
  forget(id: string): void {
    this.host.device.dropDraft(id);
    this.put(
      this.getSnapshot().conversations.filter(one => one.id !== id),
      {}
    );
  }

  private listed({ agent_id, parent_id, source }: ConversationSummary): boolean {
    const master = this.host.master();
    return (master === null || agent_id === master) && parent_id === null && !/^(delegate|vibe):/.test(source);
  }

  private put(conversations: readonly ConversationSummary[], more: Partial<ListState>): void {
    const { device } = this.host;
    const looking = this.host.looking();
    const unread = new Set<string>();
    for (const one of conversations) {
      if (one.id === looking) {
        device.markSeen(one.id, one.updated_at);
      } else if (device.unread(one.id, one.updated_at)) {
        unread.add(one.id);
      }
    }
    this.set({ ...this.getSnapshot(), ...more, conversations, unread });
  }
}

/** Both lists as one, the newer record of an id, newest first (UI-13). */
function merged(old: readonly ConversationSummary[], fresh: readonly ConversationSummary[]): ConversationSummary[] {
  const byId = new Map(old.map(one => [one.id, one]));
  for (const one of fresh) {
    byId.set(one.id, one);
  }
  return [...byId.values()].sort((one, other) => (one.updated_at < other.updated_at ? 1 : one.updated_at > other.updated_at ? -1 : 0));
}
