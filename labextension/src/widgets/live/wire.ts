/** What the kernel side sends and what the page makes of it (UI-158); mirrors `crewlab/widgets/wire.py`. Pure. */

/** What every state holds beside its own fields. */
export interface Base {
  /** Which state this is; 0 is the one of the model, which may be shorter. */
  v: number;
  /** When it was so. */
  at: string;
  language: string;
  /** Why the server cannot be heard or read. */
  offline: string | null;
  /** How many of the oldest entries were left out. */
  dropped?: number;
}

type Entry = Record<string, unknown>;

export interface ListChange {
  key: string;
  drop: unknown[];
  put: Entry[];
  grow: [unknown, string, string][];
}

export interface Change {
  type: 'change';
  from: number;
  v: number;
  at: string;
  set: Entry;
  lists: Record<string, ListChange>;
}

export interface Answer {
  type: 'answer';
  id: number;
  action: string;
  error: { code: string; status: number; message: string; fields: Record<string, unknown> } | null;
  value: unknown;
}

export type Message = Change | Answer | { type: 'state'; state: Base } | { type: 'heard'; id: number };

export interface Page {
  type: 'page';
  of: number;
  index: number;
  count: number;
  text: string;
}

/** Whether a model holds a state; before the kernel has said anything it is an empty object. */
export function isState(value: unknown): value is Base {
  return typeof value === 'object' && value !== null && 'at' in value && 'language' in value;
}

/** The state after a change; null when it was made from another state than this one. */
export function applyChange<S extends Base>(old: S, change: Change): S | null {
  if (old.v !== change.from) {
    return null;
  }
  const lists = Object.entries(change.lists).map(([name, part]) => [name, applyList((old as unknown as Record<string, Entry[]>)[name] ?? [], part)]);
  return { ...old, ...change.set, ...Object.fromEntries(lists), v: change.v, at: change.at };
}

function applyList(old: readonly Entry[], { key, drop, put, grow }: ListChange): Entry[] {
  const gone = new Set(drop);
  const entries = new Map(old.filter(entry => !gone.has(entry[key])).map(entry => [entry[key], entry]));
  put.forEach(entry => entries.set(entry[key], entry));
  for (const [name, field, more] of grow) {
    const entry = entries.get(name);
    if (entry) {
      entries.set(name, { ...entry, [field]: `${String(entry[field])}${more}` });
    }
  }
  return [...entries.values()];
}

/** Puts the pages of long messages together again (FQ-4). */
export class Pages {
  private readonly open = new Map<number, string[]>();

  /** The message once its last page is there; `broken` when one before it was lost; null while more are to come. */
  take(page: Page): Message | 'broken' | null {
    const texts = this.open.get(page.of) ?? [];
    if (texts.length !== page.index) {
      this.open.delete(page.of);
      return page.index === page.count - 1 ? 'broken' : null;
    }
    texts.push(page.text);
    if (texts.length < page.count) {
      this.open.set(page.of, texts);
      return null;
    }
    this.open.delete(page.of);
    return JSON.parse(texts.join('')) as Message;
  }
}
