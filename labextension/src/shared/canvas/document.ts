/** Owner of one open canvas (UI-3): what a person writes and does. Unsaved words are kept on the device. */
import { CanvasReader, NOT_FOUND } from './reading';
import { withoutCanvas, withRecord, withSaved, withText } from './state';
import type { CanvasRegion } from './types';
import { writeUnsaved } from './unsaved';
import { ApiError, failureOf } from '../api';
import type { Artifact } from '../contract';

const KEEP_PAUSE_MS = 300; // UI-108: unsaved words are written down that long after the last key

export class CanvasDocument extends CanvasReader implements CanvasRegion {
  private timer: number | null = null;

  /** Lets go of everything; unsaved words are written down first. */
  override close(): void {
    this.flush();
    super.close();
  }

  async edit(): Promise<void> {
    this.put({ pinned: null, mode: 'shown', comparison: null });
    await this.fill();
    this.put({ editing: true });
  }

  leave(): void {
    this.flush();
    this.put({ editing: false });
  }

  write(text: string): void {
    this.set(withText(this.state, text));
    this.keepSoon();
  }

  async replace(text: string): Promise<void> {
    await this.edit();
    this.write(text);
  }

  async save(): Promise<boolean> {
    const { unsaved, busy, gone } = this.state;
    if (!unsaved || busy || gone) {
      return unsaved === null;
    }
    this.put({ busy: true, problem: null });
    try {
      const record = await this.host.api.save(this.id, unsaved.text, unsaved.base);
      this.set(withSaved(this.state, record, unsaved.text));
      this.flush();
      await this.load();
      return true;
    } catch (error) {
      this.notSaved(error);
      return false;
    }
  }

  async saveOnTop(): Promise<boolean> {
    const { unsaved, record } = this.state;
    if (unsaved && record) {
      this.put({ unsaved: { base: record.version, text: unsaved.text }, refused: false, mode: 'shown', comparison: null });
    }
    return this.save();
  }

  discard(): void {
    this.put({ unsaved: null, refused: false, editing: false, problem: null, mode: 'shown', comparison: null });
    this.flush();
    void this.fill();
  }

  keepEditing(): void {
    this.put({ putAside: this.state.record?.version ?? 0, refused: false, mode: 'shown', comparison: null, editing: true });
  }

  async restore(version: number): Promise<boolean> {
    return this.change(() => this.host.api.restore(this.id, version));
  }

  async rename(title: string): Promise<boolean> {
    return this.change(() => this.host.api.change(this.id, { title }));
  }

  async setLanguage(language: string): Promise<boolean> {
    return this.change(() => this.host.api.change(this.id, { language: language.trim() || null }));
  }

  async reimport(): Promise<'changed' | 'unchanged' | 'failed'> {
    let unchanged = false;
    const done = await this.change(async () => {
      const { unchanged: same, ...record } = await this.host.api.reimport(this.id);
      unchanged = same;
      return record;
    });
    return done ? (unchanged ? 'unchanged' : 'changed') : 'failed';
  }

  async remove(): Promise<boolean> {
    this.put({ busy: true, problem: null });
    try {
      await this.host.api.remove(this.id);
      this.set(withoutCanvas({ ...this.state, unsaved: null }));
      this.flush();
      return true;
    } catch (error) {
      this.put({ busy: false, problem: failureOf(error) });
      return false;
    }
  }

  clearProblem(): void {
    this.put({ problem: null });
  }

  /** What the person does to the canvas as a whole: the answer is its record. */
  private async change(send: () => Promise<Artifact>): Promise<boolean> {
    this.put({ busy: true, problem: null });
    try {
      const record = await send();
      this.set({ ...withRecord(this.state, record), busy: false, pinned: null, mode: 'shown', comparison: null });
      await this.load();
      return true;
    } catch (error) {
      const failure = failureOf(error);
      this.set(failure.status === NOT_FOUND ? withoutCanvas(this.state) : { ...this.state, busy: false, problem: failure });
      return false;
    }
  }

  /** A save that was refused or not answered: the words stay where they are. */
  private notSaved(error: unknown): void {
    const failure = failureOf(error);
    this.flush();
    if (failure.status === NOT_FOUND) {
      this.set(withoutCanvas(this.state));
      return;
    }
    const conflict = error instanceof ApiError && error.code === 'version_conflict';
    this.put({ busy: false, refused: conflict, putAside: 0, problem: conflict ? null : failure });
    if (conflict) {
      void this.load();
    }
  }

  private keepSoon(): void {
    this.timer ??= this.host.setTimeout(() => this.flush(), KEEP_PAUSE_MS);
  }

  private flush(): void {
    if (this.timer !== null) {
      this.host.clearTimeout(this.timer);
      this.timer = null;
    }
    const { unsaved } = this.state;
    writeUnsaved(this.host.device, this.id, unsaved);
  }
}
