/**
 * What is true of this screen only (UI-103): drafts, how far each conversation was seen, small switches.
 * Kept in `localStorage` and never on the server (UI-104); where the browser refuses, in memory (UI-105).
 */

/** The part of `Storage` that is used. */
export interface KeyValue {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What the box needs of its window. `storage` is a function because reading `localStorage` may throw. */
export interface DeviceHost {
  storage(): KeyValue;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

const DRAFT_PAUSE_MS = 300; // UI-108
const NEW = 'new';

/** What this screen keeps, as its Settings tell it (UI-102). */
export interface DeviceSummary {
  drafts: number;
  seen: number;
  /** Whether the browser refuses: everything lasts only until the page is loaded again. */
  refused: boolean;
}

/** The one helper for everything kept on the device. */
export class DeviceBox {
  private readonly memory = new Map<string, string | null>();
  private readonly waiting = new Map<string, { text: string; timer: number }>();

  constructor(
    private readonly host: DeviceHost,
    private readonly baseUrl: string
  ) {}

  /** The stored value, or null. Never throws. */
  read(key: string): string | null {
    const kept = this.memory.get(key);
    if (kept !== undefined) {
      return kept;
    }
    try {
      return this.host.storage().getItem(this.full(key));
    } catch {
      return null; // UI-105: nothing is kept, the page goes on
    }
  }

  /** Stores a value; null removes it. Never throws: what the browser refuses stays in memory until a reload. */
  write(key: string, value: string | null): void {
    try {
      const storage = this.host.storage();
      if (value === null) {
        storage.removeItem(this.full(key));
      } else {
        storage.setItem(this.full(key), value);
      }
      this.memory.delete(key);
    } catch {
      this.memory.set(key, value); // UI-105
    }
  }

  /** The unsent words of a conversation; `null` is the one that does not exist yet. */
  draft(id: string | null): string {
    const key = draftKey(id);
    return this.waiting.get(key)?.text ?? this.read(key) ?? '';
  }

  /** Remembers unsent words; they are written 300 ms after the last key (UI-108). */
  setDraft(id: string | null, text: string): void {
    const key = draftKey(id);
    this.forget(key);
    const timer = this.host.setTimeout(() => this.flush(key), DRAFT_PAUSE_MS);
    this.waiting.set(key, { text, timer });
  }

  /** Writes what waits at once: the panel is hidden or the page goes (UI-108). */
  flushDrafts(): void {
    for (const key of [...this.waiting.keys()]) {
      this.flush(key);
    }
  }

  /** Drops the draft: it was sent, or its conversation is deleted (UI-17, UI-106). */
  dropDraft(id: string | null): void {
    this.forget(draftKey(id));
    this.write(draftKey(id), null);
  }

  /** Whether a conversation changed after it was last seen here (UI-107). */
  unread(id: string, updatedAt: string): boolean {
    const mark = this.marks();
    return mark.since !== null && updatedAt > later(mark.seen[id] ?? '', mark.since);
  }

  /** Takes conversations as seen up to a time; marks of other tabs are merged, never overwritten (UI-106). */
  markSeen(id: string, updatedAt: string): void {
    const mark = this.marks();
    if (updatedAt > (mark.seen[id] ?? '')) {
      this.write('seen', JSON.stringify({ ...mark.seen, [id]: updatedAt }));
    }
  }

  /** First use: everything up to `newest` counts as read (UI-106). Later calls change nothing. */
  begin(newest: string): void {
    if (this.read('since') === null) {
      this.write('since', newest);
    }
  }

  /** A switch of this screen, such as `strip` or `canvas-preview`. */
  flag(name: string): string | null {
    return this.read(`flag:${name}`);
  }

  /** Sets or removes a switch. */
  setFlag(name: string, value: string | null): void {
    this.write(`flag:${name}`, value);
  }

  /** What is kept, in figures. */
  summary(): DeviceSummary {
    const keys = this.keys();
    const drafts = new Set([...(keys ?? []), ...this.waiting.keys(), ...this.memory.keys()].filter(key => key.startsWith('draft:')));
    const written = [...drafts].filter(key => (this.waiting.get(key)?.text ?? this.read(key) ?? '') !== '').length;
    return { drafts: written, seen: Object.keys(this.marks().seen).length, refused: keys === null || this.memory.size > 0 };
  }

  /** The keys of this server in the browser's storage; null when the browser refuses. */
  private keys(): string[] | null {
    try {
      const storage = this.host.storage();
      const all = Array.from({ length: storage.length }, (_none, index) => storage.key(index) ?? '');
      return all.filter(key => key.startsWith(this.full(''))).map(key => key.slice(this.full('').length));
    } catch {
      return null; // UI-105
    }
  }

  private full(key: string): string {
    return `crewlab:${this.baseUrl}:${key}`; // UI-103
  }

  private flush(key: string): void {
    const entry = this.waiting.get(key);
    this.forget(key);
    if (entry) {
      this.write(key, entry.text === '' ? null : entry.text);
    }
  }

  private forget(key: string): void {
    const entry = this.waiting.get(key);
    if (entry) {
      this.host.clearTimeout(entry.timer);
      this.waiting.delete(key);
    }
  }

  private marks(): { since: string | null; seen: Record<string, string> } {
    return { since: this.read('since'), seen: readMap(this.read('seen')) };
  }
}

function draftKey(id: string | null): string {
  return `draft:${id ?? NEW}`;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** The marks as stored; anything unreadable counts as none. */
function readMap(text: string | null): Record<string, string> {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
