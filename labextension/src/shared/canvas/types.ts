/** What views see of canvases: snapshots and the methods they call. Tests of views put fakes in their place. */
import type { Artifact, ArtifactFrame, ArtifactVersion } from '../contract';
import type { Readable } from '../stores/store';
import type { Failure, Loading } from '../stores/types';
import type { Drafts } from './drafts';
import type { CompareLine } from './lines';

/** A person's unsaved text and the version it was made on. */
export interface Unsaved {
  readonly base: number;
  readonly text: string;
}

export type CanvasMode = 'shown' | 'source' | 'compare';

/** Two texts beside each other; `mine` is the unsaved one. */
export interface Comparison {
  readonly from: number;
  readonly to: number | 'mine';
  /** `wait` while it is read; null when too much changed to draw it (CNV-59). */
  readonly lines: readonly CompareLine[] | 'wait' | null;
}

/** One canvas that is open. */
export interface CanvasState {
  readonly id: string;
  readonly loading: Loading;
  readonly failure: Failure | null;
  /** Deleted, or never there; unsaved text stays to be copied. */
  readonly gone: boolean;
  readonly record: Artifact | null;
  /** Newest first. */
  readonly versions: readonly ArtifactVersion[];
  /** Texts that were read, by version. */
  readonly contents: Readonly<Record<number, string>>;
  /** The version that is looked at; null follows the newest (CNV-123). */
  readonly pinned: number | null;
  readonly mode: CanvasMode;
  readonly comparison: Comparison | null;
  readonly editing: boolean;
  readonly unsaved: Unsaved | null;
  /** The newest version whose notice was put aside with "Keep editing". */
  readonly putAside: number;
  /** A save was refused because of a newer version (CNV-126). */
  readonly refused: boolean;
  readonly busy: boolean;
  /** What failed last, to be said beside the document. */
  readonly problem: Failure | null;
}

/** Owner of one open canvas. No method rejects: what fails stands in `problem`. */
export interface CanvasRegion extends Readable<CanvasState> {
  readonly id: string;
  load(): Promise<void>;
  /** Looks at a version; null follows the newest. */
  look(version: number | null): Promise<void>;
  setMode(mode: CanvasMode): void;
  compare(from: number, to: number | 'mine'): Promise<void>;
  /** Begins to edit the newest text. */
  edit(): Promise<void>;
  /** Leaves the editor; unsaved text stays. */
  leave(): void;
  write(text: string): void;
  /** Puts a whole text in the place of the present one, unsaved. */
  replace(text: string): Promise<void>;
  save(): Promise<boolean>;
  /** Saves on top of the newest version; every version before stays in the history. */
  saveOnTop(): Promise<boolean>;
  discard(): void;
  keepEditing(): void;
  restore(version: number): Promise<boolean>;
  rename(title: string): Promise<boolean>;
  setLanguage(language: string): Promise<boolean>;
  /** Reads the remembered file again; false when it failed. */
  reimport(): Promise<'changed' | 'unchanged' | 'failed'>;
  remove(): Promise<boolean>;
  clearProblem(): void;
}

/** What the window knows of canvases. */
export interface CanvasesState {
  /** Records by id; null for one that is gone. */
  readonly records: Readonly<Record<string, Artifact | null>>;
  readonly drafts: Drafts;
  /** What became of drafts that were looked at: the canvas, or null when the call failed. */
  readonly ended: Readonly<Record<string, string | null>>;
  /** The versions seen on this device, by id. */
  readonly seen: Readonly<Record<string, number>>;
  /** Whether canvases are shown while they are written (CNV-109). */
  readonly previews: boolean;
  /** The canvas that stands in front in the main area. */
  readonly current: string | null;
}

/** Owner of what the window knows of canvases. */
export interface CanvasesRegion extends Readable<CanvasesState> {
  /** Reads a record that is not known yet; asks once. */
  need(id: string): void;
  setPreviews(on: boolean): void;
  markSeen(id: string, version: number): void;
  setCurrent(id: string | null): void;
  /** Hears every change of a canvas until the answer is called. */
  follow(listener: (frame: ArtifactFrame) => void): () => void;
}
