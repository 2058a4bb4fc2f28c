/** Owner of the run history: read by agent, kept up to date by frames, failures put away as seen (UI-79, UI-69, UI-103). */
import { failureOf } from '../api';
import type { Run, RunList, RunQuery } from '../contract';
import type { DeviceBox } from '../device';
import { Store } from '../stores/store';
import type { Failure, Loading } from '../stores/types';
import { type Kin, kinOf } from './kin';
import { Source } from './source';

const PAGE = 50; // runs read at a time
const SEEN_KEPT = 500; // marks kept on the device: older runs have left every list
const SEEN_KEY = 'runs-seen';
const SINCE_KEY = 'runs-since';
const FILTER_KEY = 'runs-filter';

export const ENDS = ['done', 'halted', 'error'] as const;
export type RunEnd = (typeof ENDS)[number];
export const SOURCES = ['chat', 'job', 'telegram', 'other'] as const;
export type RunSource = (typeof SOURCES)[number];

export interface RunsState {
  loading: Loading;
  failure: Failure | null;
  /** Newest first, running ones included. */
  runs: readonly Run[];
  /** The newest of every agent, whatever the filters: what runs and what needs a person is told of all (UI-76). */
  newest: readonly Run[];
  more: boolean;
  agent: string | null;
  end: RunEnd | null;
  source: RunSource | null;
  /** Failures put away on this device. */
  seen: ReadonlySet<string>;
  /** Failures before this moment are no news to this device. */
  since: string;
}

interface Host {
  readonly api: { runs(query: RunQuery): Promise<RunList>; run(id: string): Promise<Run> };
  readonly device: Pick<DeviceBox, 'read' | 'write'>;
  now(): number;
}

export class RunsStore extends Store<RunsState> {
  private asked = 0;
  private readonly pages = new Map<string, Source<Run>>();
  private readonly kins = new Map<string, Source<Kin>>();

  constructor(private readonly host: Host) {
    super({
      ...{ loading: 'idle', failure: null, runs: [], newest: [], more: false },
      ...keptFilter(host.device.read(FILTER_KEY)),
      seen: new Set(marks(host.device.read(SEEN_KEY))),
      since: host.device.read(SINCE_KEY) ?? new Date(host.now()).toISOString()
    });
    host.device.write(SINCE_KEY, this.getSnapshot().since);
  }

  async load(): Promise<void> {
    const now = this.getSnapshot();
    this.set({ ...now, loading: now.loading === 'ready' ? 'ready' : 'loading', failure: null });
    await Promise.all([this.read(null), this.readNewest()]);
  }

  async loadMore(): Promise<void> {
    await this.read(this.getSnapshot().runs.at(-1)?.started_at ?? null);
  }

  /** By agent on the server, by end and source in the page (UI-79). */
  async filter(change: { agent?: string | null; end?: RunEnd | null; source?: RunSource | null }): Promise<void> {
    const before = this.getSnapshot();
    this.set({ ...before, ...change });
    const { agent, end, source } = this.getSnapshot();
    this.host.device.write(FILTER_KEY, isSet(this.getSnapshot()) ? JSON.stringify({ agent, end, source }) : null); // UI-103
    if (change.agent !== undefined && change.agent !== before.agent) {
      this.set({ ...this.getSnapshot(), runs: [], more: false, loading: 'loading', failure: null });
      await this.read(null);
    }
  }

  /** A run that has just changed. */
  hear(run: Run): void {
    const { runs, newest, agent, loading } = this.getSnapshot();
    this.pages.get(run.id)?.change(() => run);
    if (loading === 'ready') {
      const mine = agent === null || agent === run.agent_id;
      this.set({ ...this.getSnapshot(), newest: withRun(newest, run), runs: mine ? withRun(runs, run) : runs });
    }
  }

  /** Puts a failure away: on this device only (UI-103). Marks of other tabs are merged. */
  markSeen(id: string): void {
    const kept = [...new Set([...marks(this.host.device.read(SEEN_KEY)), ...this.getSnapshot().seen, id])].slice(-SEEN_KEPT);
    this.host.device.write(SEEN_KEY, JSON.stringify(kept));
    this.set({ ...this.getSnapshot(), seen: new Set(kept) });
  }

  /** One run by its id: there whichever lists were read (UI-69). */
  page(id: string): Source<Run> {
    const known = this.pages.get(id) ?? new Source(() => this.host.api.run(id));
    this.pages.set(id, known);
    return known;
  }

  /** The runs around one whose page was read. */
  kin(id: string): Source<Kin> {
    const known = this.kins.get(id) ?? new Source(async () => kinOf(this.page(id).getSnapshot().data ?? (await this.host.api.run(id)), query => this.host.api.runs(query)));
    this.kins.set(id, known);
    return known;
  }

  /** Reads the pages that were opened and the list again: the connection was broken. */
  readAgain(): void {
    void this.load();
    this.pages.forEach(page => void page.load());
  }

  /** With a filter by agent the others are read as well; a failure is told by the list beside it. */
  private async readNewest(): Promise<void> {
    if (this.getSnapshot().agent !== null) {
      const found = await this.host.api.runs({ limit: PAGE }).catch(() => null);
      this.set({ ...this.getSnapshot(), newest: found?.runs ?? this.getSnapshot().newest });
    }
  }

  private async read(before: string | null): Promise<void> {
    const turn = ++this.asked;
    const { agent, runs } = this.getSnapshot();
    try {
      const found = await this.host.api.runs({ agent_id: agent, before, limit: PAGE });
      if (turn === this.asked) {
        const all = before === null ? found.runs : [...runs, ...found.runs];
        const newest = agent === null ? { newest: all } : {};
        this.set({ ...this.getSnapshot(), ...newest, loading: 'ready', failure: null, runs: all, more: found.more });
      }
    } catch (error) {
      if (turn === this.asked && agent !== null && failureOf(error).status === 404) {
        await this.filter({ agent: null }); // the agent of a kept filter is no longer there
      } else if (turn === this.asked) {
        this.set({ ...this.getSnapshot(), loading: 'failed', failure: failureOf(error) });
      }
    }
  }
}

function withRun(runs: readonly Run[], run: Run): Run[] {
  return [run, ...runs.filter(one => one.id !== run.id)].sort(newestFirst);
}

type Filter = Pick<RunsState, 'agent' | 'end' | 'source'>;

/** Whether any filter is set. */
export function isSet({ agent, end, source }: Filter): boolean {
  return agent !== null || end !== null || source !== null;
}

/** The filters as this device keeps them (UI-103); what it cannot read is no filter. */
function keptFilter(text: string | null): Filter {
  try {
    const found = JSON.parse(text ?? '{}') as Partial<Record<keyof Filter, unknown>>;
    return {
      agent: typeof found.agent === 'string' ? found.agent : null,
      end: ENDS.find(one => one === found.end) ?? null,
      source: SOURCES.find(one => one === found.source) ?? null
    };
  } catch {
    return { agent: null, end: null, source: null };
  }
}

/** Where a run came from, in the four kinds that the filter knows. */
export function sourceOf(run: Pick<Run, 'source'>): RunSource {
  const [kind = ''] = run.source.split(':');
  return kind === 'chat' || kind === 'job' || kind === 'telegram' ? kind : 'other';
}

/** Runs that failed or were stopped and were not put away yet; what failed before the first look is no news (UI-79). */
export function needsYou({ newest, seen, since }: Pick<RunsState, 'newest' | 'seen' | 'since'>): Run[] {
  return newest.filter(run => (run.status === 'error' || run.status === 'halted') && !seen.has(run.id) && (run.ended_at ?? run.started_at) > since);
}

/** The history as the page's filters leave it; running ones stand in a list of their own. */
export function shown({ runs, end, source }: Pick<RunsState, 'runs' | 'end' | 'source'>): Run[] {
  return runs.filter(run => !isOpen(run) && (end === null || run.status === end) && (source === null || sourceOf(run) === source));
}

/** Runs that go on. */
export function running({ newest }: Pick<RunsState, 'newest'>): Run[] {
  return newest.filter(isOpen);
}

function isOpen(run: Run): boolean {
  return run.status === 'running' || run.status === 'waiting';
}

function newestFirst(one: Run, other: Run): number {
  return other.started_at < one.started_at ? -1 : other.started_at > one.started_at ? 1 : 0;
}

/** The marks as stored; anything unreadable counts as none. */
function marks(text: string | null): string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
