/** Whether the server now serves another build than this page runs (UI-127, UI-128). */
import type { VersionInfo } from './contract';
import { Store } from './stores/store';

const LOOK_EVERY_MS = 30_000; // UI-128
const HASHED = /^remoteEntry\.[0-9a-f]{8,}\.js$/;

/** The hashed entry of an extension among those that the page was told to load; "" for a development build. */
export function pageEntry(extensions: string, name: string): string {
  try {
    const found: unknown = JSON.parse(extensions);
    const own = (Array.isArray(found) ? found : []).find((one: { name?: unknown }) => one.name === name) as { load?: unknown } | undefined;
    const entry = typeof own?.load === 'string' ? own.load.slice(own.load.lastIndexOf('/') + 1) : '';
    return HASHED.test(entry) ? entry : '';
  } catch {
    return ''; // a page of another make: nothing to compare with
  }
}

export interface BuildHost {
  /** The entry this page runs, "" for a development build. */
  readonly entry: string;
  look(): Promise<VersionInfo>;
  now(): number;
  visible(): boolean;
}

export interface BuildState {
  /** Another build is there: the page may be loaded again. */
  stale: boolean;
  /** The version of this page, known once a look has found the server at the page's own build (UI-129). */
  version: string | null;
  /** A build without a hashed entry: it is compared with nothing. */
  development: boolean;
}

/** Looks when the page gains focus and after each reconnection; a look that fails says nothing. */
export class BuildWatch extends Store<BuildState> {
  private last = -Infinity;
  private missed = false;
  private looking = false;

  constructor(private readonly host: BuildHost) {
    super({ stale: false, version: null, development: host.entry === '' });
  }

  /** The page gained focus or became visible. */
  focused(): void {
    if (this.missed || this.host.now() - this.last >= LOOK_EVERY_MS) {
      void this.look();
    }
  }

  /** The connection was lost and is back: what a restart looks like from here. */
  reconnected(): void {
    void this.look();
  }

  /** What a look has found. The page's version comes only from a server that serves exactly the page's entry (UI-129). */
  saw({ entry, version }: VersionInfo): void {
    if (this.host.entry === '') {
      return;
    }
    const own = entry === this.host.entry;
    const before = this.getSnapshot();
    const stale = HASHED.test(entry) && !own;
    if (stale !== before.stale || (own && version !== before.version)) {
      this.set({ ...before, stale, version: own ? version : before.version });
    }
  }

  private async look(): Promise<void> {
    if (this.host.entry === '') {
      return;
    }
    if (!this.host.visible() || this.looking) {
      this.missed = true; // never while hidden: the next focus looks
      return;
    }
    this.missed = false;
    this.looking = true;
    this.last = this.host.now();
    try {
      this.saw(await this.host.look());
    } catch {
      // UI-128: the next look may find it
    } finally {
      this.looking = false;
    }
  }
}
