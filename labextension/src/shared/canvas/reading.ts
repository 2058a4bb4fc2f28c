/** Reads one canvas and follows its changes: what is looked at stays in sight (CNV-123). */
import type { CanvasApi } from './api';
import { textLines, unifiedLines } from './lines';
import { openCanvas, withCanvas, withoutCanvas, withRecord } from './state';
import type { CanvasesRegion, CanvasMode, CanvasState } from './types';
import { readUnsaved } from './unsaved';
import { failureOf } from '../api';
import type { Artifact } from '../contract';
import type { DeviceBox } from '../device';
import { Store } from '../stores/store';

export const NOT_FOUND = 404;

export interface DocumentHost {
  readonly api: CanvasApi;
  readonly device: DeviceBox;
  readonly canvases: CanvasesRegion;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export class CanvasReader extends Store<CanvasState> {
  private turn = 0;
  private readonly leave_: () => void;

  constructor(
    protected readonly host: DocumentHost,
    readonly id: string
  ) {
    super(openCanvas(id, readUnsaved(host.device, id)));
    this.leave_ = host.canvases.follow(({ artifact, id: gone, deleted }) => {
      if (deleted && gone === id) {
        this.set(withoutCanvas(this.state));
      } else if (artifact?.id === id) {
        this.hear(artifact);
      }
    });
  }

  /** Lets go of everything. */
  close(): void {
    this.leave_();
    this.turn += 1;
  }

  async load(): Promise<void> {
    const turn = ++this.turn;
    try {
      const [view, versions] = await Promise.all([this.host.api.read(this.id), this.host.api.versions(this.id)]);
      if (turn === this.turn) {
        this.set(withCanvas(this.state, view, versions));
        await this.fill();
      }
    } catch (error) {
      if (turn === this.turn) {
        this.unread(error);
      }
    }
  }

  async look(version: number | null): Promise<void> {
    const newest = this.state.record?.version;
    this.put({ pinned: version === newest ? null : version, mode: this.state.mode === 'compare' ? 'shown' : this.state.mode, comparison: null, editing: false });
    await this.fill();
  }

  setMode(mode: CanvasMode): void {
    this.put({ mode, comparison: mode === 'compare' ? this.state.comparison : null });
  }

  async compare(from: number, to: number | 'mine'): Promise<void> {
    const comparison = { from, to, lines: 'wait' as const };
    this.put({ mode: 'compare', comparison });
    const show = (part: Partial<CanvasState>): void => (this.state.comparison === comparison ? this.put(part) : undefined);
    try {
      const lines = to === 'mine' ? textLines(await this.text(from), this.state.unsaved?.text ?? '') : await this.versionLines(from, to);
      show({ comparison: { from, to, lines } });
    } catch (error) {
      show({ mode: 'shown', comparison: null, problem: failureOf(error) });
    }
  }

  protected get state(): CanvasState {
    return this.getSnapshot();
  }

  protected put(part: Partial<CanvasState>): void {
    this.set({ ...this.state, ...part });
  }

  /** A change made elsewhere. The text is read when there is another version; the title is there at once. */
  private hear(record: Artifact): void {
    const known = this.state.record?.version ?? 0;
    this.set(withRecord(this.state, record));
    if (record.version > known || this.state.loading === 'failed') {
      void this.load();
    }
  }

  private unread(error: unknown): void {
    const failure = failureOf(error);
    if (failure.status === NOT_FOUND) {
      this.set(withoutCanvas(this.state));
    } else if (this.state.record === null) {
      this.put({ loading: 'failed', failure });
    } else {
      this.put({ problem: failure });
    }
  }

  /** Reads the text of the version that is looked at, when it is not there yet. */
  protected async fill(): Promise<void> {
    const { record, pinned } = this.state;
    const version = pinned ?? record?.version;
    if (record && version !== undefined && record.kind !== 'image') {
      await this.text(version).catch((error: unknown) => this.put({ problem: failureOf(error), pinned: null }));
    }
  }

  private async text(version: number): Promise<string> {
    const known = this.state.contents[version];
    if (known !== undefined) {
      return known;
    }
    const { content } = await this.host.api.version(this.id, version);
    this.put({ contents: { ...this.state.contents, [version]: content ?? '' } });
    return content ?? '';
  }

  private async versionLines(from: number, to: number): Promise<ReturnType<typeof unifiedLines> | null> {
    const { diff } = await this.host.api.diff(this.id, from, to);
    return diff === null ? null : unifiedLines(diff);
  }
}
