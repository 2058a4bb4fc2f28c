/** Everything a canvas may touch: its owner to read, methods to call, and what it needs of JupyterLab as plain functions. */
import type { CanvasesRegion, CanvasRegion } from '../shared/canvas/types';
import type { Layers } from '../shared/layers';
import type { Readable } from '../shared/stores/store';
import type { AgentsState } from '../shared/stores/types';
import type { Language, Translate } from '../shared/texts';

/** What an editor begins with. */
export interface EditorOptions {
  readonly kind: string;
  readonly language: string | null;
  readonly text: string;
  readonly readOnly: boolean;
  readonly label: string;
  /** Hears every change that a person makes. */
  onChange(text: string): void;
}

/** An editor that stands in the page. */
export interface EditorView {
  /** Replaces the text when it is another; a change of that kind is not told. */
  setText(text: string): void;
  setReadOnly(readOnly: boolean): void;
  focus(): void;
  dispose(): void;
}

export type NewEditor = (host: HTMLElement, options: EditorOptions) => EditorView;

/** Props of `CanvasView`: one object per widget. */
export interface CanvasApp {
  readonly document: CanvasRegion;
  readonly canvases: CanvasesRegion;
  readonly agents: Readable<AgentsState>;
  readonly layers: Layers;
  readonly language: Language;
  readonly t: Translate;
  /** Renders Markdown with JupyterLab's renderer and sanitizer into `host`. */
  renderMarkdown(text: string, host: HTMLElement): Promise<void>;
  /** JupyterLab's own editor. */
  readonly newEditor: NewEditor;
  /** The full address of an API path. */
  apiUrl(path: string): string;
  /** The bytes behind an API path. */
  blob(path: string, signal: AbortSignal): Promise<Blob>;
  /** Has the browser save what is behind an API path; says itself what fails. */
  download(path: string): Promise<void>;
  /** Asks for a file of the person's device; null when none was chosen. */
  pickFile(): Promise<File | null>;
  confirm(options: { title: string; body: string; accept: string; danger?: boolean }): Promise<boolean>;
  askText(options: { title: string; value: string; accept: string }): Promise<string | null>;
  copy(text: string): Promise<void>;
  /** A line at the corner of JupyterLab. */
  say(text: string): void;
  execute(command: string, args?: Record<string, string | number | boolean | null>): void;
  has(command: string): boolean;
}

/** Commands of canvases (UI-130, UI-141). */
export const CanvasCommand = {
  open: 'crewlab:open-canvas',
  save: 'crewlab:save-canvas',
  insert: 'crewlab:insert-canvas',
  previews: 'crewlab:canvas-previews'
} as const;
