/** Owner of what the scripts of agents keep: read, and deleted, never written (STO-45 to STO-51). */
import { ApiError, failureOf } from '../api';
import type { ScriptEntry, ScriptNamespace, ScriptShelves, ScriptValue } from '../contract';
import { Store } from '../stores/store';
import type { Failure } from '../stores/types';
import { Acts } from './acts';
import type { ManageApi } from './api';
import { Source } from './source';

type Asks = Pick<ManageApi, 'scriptShelves' | 'scriptValue' | 'forgetScriptValues'>;

export const WARN_FROM = 0.8; // STO-48

/** A value that was asked for: on its way, read, or why not. */
export interface Shown {
  loading: boolean;
  value: ScriptValue | null;
  failure: Failure | null;
}

/** The last thing to be said about the list: what was deleted, or that a key is gone. */
export type Notice = { kind: 'key' | 'all'; n: number; name: string } | { kind: 'gone'; name: string };

export interface ShelfState {
  shown: Readonly<Record<string, Shown>>;
  notice: Notice | null;
}

/** What one agent's scripts keep. */
export class Shelf extends Store<ShelfState> {
  readonly list: Source<ScriptShelves>;
  readonly acts = new Acts();

  constructor(
    private readonly api: Asks,
    readonly agent: string
  ) {
    super({ shown: {}, notice: null });
    this.list = new Source(() => api.scriptShelves(agent));
  }

  /** Reads the list; a value that stands open and was written since is read again too. */
  async load(): Promise<void> {
    await this.list.load();
    const stale = Object.values(this.getSnapshot().shown).flatMap(({ value }) => {
      const entry = value && this.entry(value.namespace, value.key);
      return value && entry?.updated_at !== value.updated_at ? [value] : [];
    });
    await Promise.all(stale.map(({ namespace, key }) => (this.entry(namespace, key) ? this.read(namespace, key) : this.hide(namespace, key))));
  }

  /** Shows a value. It is read each time; when it was written since, the list is read again (STO-50). */
  async show(namespace: string, key: string): Promise<void> {
    this.put(namespace, key, { loading: true, value: null, failure: null });
    const value = await this.read(namespace, key);
    const entry = this.entry(namespace, key);
    if (value && (entry?.updated_at !== value.updated_at || entry.chars !== value.chars)) {
      await this.load();
    }
  }

  hide(namespace: string, key: string): void {
    const { [place(namespace, key)]: _gone, ...shown } = this.getSnapshot().shown;
    this.set({ ...this.getSnapshot(), shown });
  }

  /** Forgets one key, or without it everything in the namespace, and reads the list again (STO-51). */
  async forget(namespace: string, key?: string): Promise<void> {
    const query = key === undefined ? { namespace } : { namespace, key };
    const done = await this.acts.run(place(namespace, key), () => this.api.forgetScriptValues(this.agent, query));
    if (done) {
      const { shown } = this.getSnapshot();
      const kept = Object.entries(shown).filter(([where]) => (key === undefined ? !where.startsWith(place(namespace, '')) : where !== place(namespace, key)));
      const kind = key === undefined ? 'all' : 'key';
      this.set({ shown: Object.fromEntries(kept), notice: { kind, n: done.value.deleted, name: key ?? namespace } });
      await this.load();
    }
  }

  /** Whether something about this key, or about the whole namespace, is on its way. */
  busy(namespace: string, key?: string): boolean {
    return this.acts.getSnapshot().busy.has(place(namespace, key));
  }

  private async read(namespace: string, key: string): Promise<ScriptValue | null> {
    try {
      const value = await this.api.scriptValue(this.agent, { namespace, key });
      this.put(namespace, key, { loading: false, value, failure: null }, true);
      return value;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'value_not_found') {
        await this.gone(namespace, key);
      } else {
        this.put(namespace, key, { loading: false, value: null, failure: failureOf(error) }, true);
      }
      return null;
    }
  }

  /** Somebody deleted the key: its row goes at once, and the list is read again (STO-50). */
  private async gone(namespace: string, key: string): Promise<void> {
    this.hide(namespace, key);
    this.set({ ...this.getSnapshot(), notice: { kind: 'gone', name: key } });
    this.list.change(list => ({
      ...list,
      namespaces: list.namespaces.map(one => (one.namespace === namespace ? { ...one, entries: one.entries.filter(entry => entry.key !== key) } : one))
    }));
    await this.load();
  }

  private entry(namespace: string, key: string): ScriptEntry | undefined {
    const found = this.list.getSnapshot().data?.namespaces.find(one => one.namespace === namespace);
    return found?.entries.find(one => one.key === key);
  }

  /** `still`: only where it has not been folded meanwhile. */
  private put(namespace: string, key: string, now: Shown, still = false): void {
    const { shown } = this.getSnapshot();
    const where = place(namespace, key);
    if (!still || where in shown) {
      this.set({ ...this.getSnapshot(), shown: { ...shown, [where]: now } });
    }
  }
}

/** The shelves of every agent that was looked at. */
export class ScriptsStore {
  private readonly shelves = new Map<string, Shelf>();

  constructor(private readonly api: Asks) {}

  of(agent: string): Shelf {
    const known = this.shelves.get(agent) ?? new Shelf(this.api, agent);
    this.shelves.set(agent, known);
    return known;
  }

  /** A run of the agent has ended: what was read of it is read again, for its scripts may have kept something. */
  hear(agent: string): void {
    const shelf = this.shelves.get(agent);
    if (shelf && shelf.list.getSnapshot().data !== null) {
      void shelf.load();
    }
  }
}

/** The name of one key among all namespaces; JSON, because either may hold anything. */
export function place(namespace: string, key?: string): string {
  return key === undefined ? `${JSON.stringify(namespace)}!` : `${JSON.stringify(namespace)} ${key}`;
}

/** How full a namespace is, as the bar and its line say it (STO-48). */
export function fullness(chars: number, limit: number): 'free' | 'nearly' | 'full' {
  return chars >= limit ? 'full' : chars >= limit * WARN_FROM ? 'nearly' : 'free';
}

/** What heads the card: the title, else what the namespace belongs to; of others the name itself (STO-46). */
export function headingOf({ kind, title, ref, namespace }: ScriptNamespace): string {
  return kind === 'other' ? namespace : (title ?? ref);
}

/** The value laid out, or as it is kept when it is no JSON (STO-49). Every number and text stays as it is written. */
export function laidOut(text: string): { text: string; json: boolean } {
  try {
    JSON.parse(text);
  } catch {
    return { text, json: false };
  }
  return { text: indented(text), json: true };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';

function indented(text: string): string {
  let written = '';
  let depth = 0;
  let before = '';
  const line = (): string => `\n${INDENT.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      written += before === '{' || before === '[' ? token : line() + token;
    } else {
      written += before === '{' || before === '[' || before === ',' ? line() + token : token;
      written += token === ':' ? ' ' : '';
      depth += token === '{' || token === '[' ? 1 : 0;
    }
    before = token;
  }
  return written;
}
