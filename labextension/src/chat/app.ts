/** Everything the chat may touch: stores to read, methods to call, and what it needs of JupyterLab as plain functions. */
import type { BuildState } from '../shared/build';
import type { CanvasesRegion } from '../shared/canvas/types';
import type { DeviceBox } from '../shared/device';
import type { WorkspaceFiles } from '../shared/files';
import type { Layers } from '../shared/layers';
import type { Readable } from '../shared/stores/store';
import type { ActivityRegion, AgentsRegion, AttachedRegion, ConnectionState, ConversationRegion, ListRegion } from '../shared/stores/types';
import type { Language, Translate } from '../shared/texts';

/** The settings of the person (UI-132). */
export interface ChatSettings {
  area: 'right' | 'left';
  sendKey: 'Enter' | 'Accel Enter';
  showStatusBar: boolean;
  notifyApprovals: boolean;
  cellContext: 'cell' | 'cell and outputs';
  openCanvases: 'main' | 'panel';
}

/** What the outside asks of the panel; a view listens with `app.onRequest`. */
export type PanelRequest =
  | { type: 'focus-composer' }
  /** Puts text at the caret of the composer; nothing is sent. */
  | { type: 'insert-text'; text: string }
  /** Puts text as a paragraph of its own at the caret, and the caret behind it; nothing is sent (UI-136). */
  | { type: 'insert-block'; text: string }
  /** Moves the focus to the heading of the waiting request (UI-62). */
  | { type: 'focus-approval' }
  /** Opens the drawer or the list at its search box (UI-115). */
  | { type: 'open-search' };

/** Props of `ChatPanel`: one object per widget; the stores in it are shared by all widgets of the window (UI-9). */
export interface ChatApp {
  readonly place: 'panel' | 'main';
  readonly conversation: ConversationRegion;
  readonly list: ListRegion;
  readonly activity: ActivityRegion;
  readonly agents: AgentsRegion;
  /** What the window knows of canvases: titles of chips, drafts, marks (UI-34, UI-35). */
  readonly canvases: CanvasesRegion;
  /** Files of the message that is being written (UI-52). */
  readonly attached: AttachedRegion;
  readonly connection: Readable<ConnectionState>;
  readonly settings: Readable<ChatSettings>;
  /** Width of the widget in CSS pixels (UI-12); 0 while hidden. */
  readonly width: Readable<number>;
  /** `home_locked` or `config_invalid` of the server: the panel is one card with this message (UI-8). */
  readonly blocked: Readable<{ code: string; message: string } | null>;
  /** Whether the server serves another build by now (UI-128). */
  readonly build: Readable<BuildState>;
  /** Files that an answer names (UI-36). */
  readonly files: WorkspaceFiles;
  readonly device: DeviceBox;
  readonly layers: Layers;
  readonly language: Language;
  readonly t: Translate;
  /** Renders Markdown with JupyterLab's renderer and sanitizer into `host`, replacing what is there (UI-26). */
  renderMarkdown(text: string, host: HTMLElement): Promise<void>;
  /** Opens a link of another site in a tab of its own; `#/manage/…` becomes its command (UI-70). */
  openUrl(url: string): void;
  /** Runs a command; unknown ids do nothing. */
  execute(command: string, args?: Record<string, string | number | boolean | null>): void;
  has(command: string): boolean;
  /** Asks a yes-or-no question in JupyterLab's dialog. */
  confirm(options: { title: string; body: string; accept: string; danger?: boolean }): Promise<boolean>;
  /** Asks for one line of text; null when cancelled. */
  askText(options: { title: string; value: string; accept: string }): Promise<string | null>;
  copy(text: string): Promise<void>;
  /** The full address of an API path such as `agents/x/files?path=…`, for links and pictures. */
  apiUrl(path: string): string;
  onRequest(listener: (request: PanelRequest) => void): () => void;
}
