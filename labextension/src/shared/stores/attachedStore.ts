/** Owner of the files of messages that are being written (UI-52): they are sent at once, and named by the message that brings them. */
import { failureOf, type Api } from '../api';
import type { AttachedFile } from '../contract';
import { Store } from './store';
import type { AttachedRegion, DraftFile, DraftFiles, Failure } from './types';

export interface AttachedHost {
  readonly api: Pick<Api, 'attach' | 'detach'>;
  /** The conversation that files go to now. */
  begin(): Promise<string>;
}

const NONE: readonly DraftFile[] = [];
const EMPTY: DraftFiles = {};

/** Where no files can be given. */
export const NO_FILES: AttachedRegion = {
  takes: false,
  getSnapshot: () => EMPTY,
  subscribe: () => () => undefined,
  add: () => Promise.resolve(),
  remove: () => undefined,
  take: () => [],
  putBack: () => undefined,
  drop: () => undefined
};

export class AttachedStore extends Store<DraftFiles> implements AttachedRegion {
  readonly takes = true;
  private count = 0;

  constructor(private readonly host: AttachedHost) {
    super({});
  }

  async add(files: readonly File[]): Promise<void> {
    let id: string;
    try {
      id = await this.host.begin();
    } catch (error) {
      this.change('', drafts => [...drafts, ...files.map(file => this.draft(file, failureOf(error)))]);
      return;
    }
    const added = files.map(file => ({ file, draft: this.draft(file, null) }));
    this.change(id, drafts => [...drafts, ...added.map(one => one.draft)]);
    for (const { file, draft } of added) {
      await this.send(id, file, draft.key); // one after another: their order stays, and a server with little room is not flooded
    }
  }

  remove(id: string | null, key: string): void {
    const gone = this.of(id).find(one => one.key === key);
    this.change(id ?? '', drafts => drafts.filter(one => one.key !== key));
    if (gone?.file && id !== null) {
      this.detach(id, gone.file.id);
    }
  }

  take(id: string | null): readonly AttachedFile[] {
    const files = this.of(id).flatMap(one => (one.file ? [one.file] : []));
    this.drop(id, files);
    return files;
  }

  putBack(id: string | null, files: readonly AttachedFile[]): void {
    const back = files.map(file => ({ key: file.id, name: file.name, size: file.size, state: 'ready' as const, file, failure: null }));
    this.change(id ?? '', drafts => [...back.filter(one => drafts.every(known => known.file?.id !== one.key)), ...drafts]);
  }

  drop(id: string | null, files: readonly AttachedFile[]): void {
    this.change(id ?? '', drafts => drafts.filter(one => files.every(file => file.id !== one.file?.id)));
  }

  private of(id: string | null): readonly DraftFile[] {
    return this.getSnapshot()[id ?? ''] ?? NONE;
  }

  private async send(id: string, file: File, key: string): Promise<void> {
    try {
      const { id: own, name, type, size } = await this.host.api.attach(id, file);
      if (this.of(id).some(one => one.key === key)) {
        this.put(id, key, { state: 'ready', name, file: { id: own, name, type, size } });
      } else {
        this.detach(id, own); // it was taken away while it was on its way
      }
    } catch (error) {
      this.put(id, key, { state: 'failed', failure: failureOf(error) });
    }
  }

  private detach(id: string, file: string): void {
    this.host.api.detach(id, file).catch(() => undefined); // it is not named by any message; the server keeps it, and nobody reads it
  }

  private draft(file: File, failure: Failure | null): DraftFile {
    return { key: `f${(this.count += 1)}`, name: file.name, size: file.size, state: failure ? 'failed' : 'sending', file: null, failure };
  }

  private put(id: string, key: string, part: Partial<DraftFile>): void {
    this.change(id, drafts => drafts.map(one => (one.key === key ? { ...one, ...part } : one)));
  }

  private change(id: string, turn: (drafts: readonly DraftFile[]) => readonly DraftFile[]): void {
    this.set({ ...this.getSnapshot(), [id]: turn(this.getSnapshot()[id] ?? NONE) });
  }
}
