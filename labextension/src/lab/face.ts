/** The parts of one window: connection, stores, device, language, and the widgets that show the chat (UI-3, UI-4, UI-9). */
import { PageConfig } from '@jupyterlab/coreutils';
import type { ServerConnection } from '@jupyterlab/services';
import type { ChatWidget } from '../chat/widget';
import { BuildWatch, pageEntry } from '../shared/build';
import { Connection } from '../shared/connection';
import { DeviceBox } from '../shared/device';
import type { WorkspaceFiles } from '../shared/files';
import { newRequestId } from '../shared/send';
import { createCrew, type Crew } from '../shared/stores/crew';
import { Cell } from '../shared/stores/store';
import type { Language } from '../shared/texts';
import { chooseLanguage, frameText, type FrameKey } from '../shared/texts/frame';
import { workspaceFiles } from './files';
import { PACKAGE } from './ids';
import { connectionHost, requests } from './server';

export class Face {
  readonly connection: Connection;
  readonly crew: Crew;
  readonly device: DeviceBox;
  readonly language: Cell<Language>;
  readonly build: BuildWatch;
  readonly files: WorkspaceFiles;
  /** Every widget of the window that shows the chat. */
  readonly widgets = new Set<ChatWidget>();

  constructor(
    readonly settings: ServerConnection.ISettings,
    private readonly labLanguage: string
  ) {
    const host = connectionHost(settings);
    this.connection = new Connection(host);
    this.device = new DeviceBox({ ...host, storage: () => window.localStorage }, new URL(settings.baseUrl, window.location.href).pathname);
    this.language = new Cell(chooseLanguage(null, labLanguage));
    this.crew = createCrew({
      ...host,
      send: requests(settings),
      watch: (topic, listener) => this.connection.watch(topic, listener),
      newRequestId: () => newRequestId(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || null,
      connection: this.connection,
      device: this.device,
      visible: () => this.visible
    });
    this.files = workspaceFiles(settings);
    this.build = new BuildWatch({
      entry: pageEntry(PageConfig.getOption('federated_extensions'), PACKAGE),
      look: () => this.crew.api.version(),
      now: () => Date.now(),
      visible: () => document.visibilityState !== 'hidden'
    });
    this.followBuild();
    window.addEventListener('online', () => this.connection.retry());
    window.addEventListener('pagehide', () => this.device.flushDrafts());
    document.addEventListener('visibilitychange', () => this.device.flushDrafts());
  }

  /** Hears that the chat has come into sight. */
  onSeen: () => void = () => undefined;

  /** Whether the manager is in sight, which tells what waits. */
  overseen: () => boolean = () => false;

  /** Whether somebody can see the open conversation. */
  get visible(): boolean {
    return document.visibilityState !== 'hidden' && [...this.widgets].some(widget => widget.isVisible);
  }

  /** Something of crewlab is visible: the connection opens (UI-4) and the home's language is asked for (UI-6). */
  start(): void {
    if (this.connection.getSnapshot().status === 'closed') {
      this.crew.start();
      this.crew.api.version().then(
        found => this.language.put(chooseLanguage(found.language, this.labLanguage)),
        (error: unknown) => console.warn('crewlab: the server does not answer yet', error)
      );
    }
  }

  /** Takes a widget in until it is disposed of. */
  take(widget: ChatWidget): void {
    this.widgets.add(widget);
    widget.disposed.connect(() => this.widgets.delete(widget));
    widget.onVisible = visible => {
      if (visible) {
        this.start();
        this.onSeen();
        const { id } = this.crew.conversation.getSnapshot();
        if (id !== null) {
          this.crew.list.markSeen(id);
        }
      } else {
        this.device.flushDrafts(); // UI-108
      }
    };
  }

  /** Looks for another build when the page gains focus and after each reconnection (UI-128). */
  private followBuild(): void {
    const focused = (): void => {
      if (this.connection.getSnapshot().status !== 'closed') {
        this.build.focused(); // nothing of crewlab has been seen before that
      }
    };
    window.addEventListener('focus', focused);
    document.addEventListener('visibilitychange', focused);
    let opens = 1;
    this.connection.subscribe(() => {
      const now = this.connection.getSnapshot().opens;
      if (now > opens) {
        opens = now;
        this.build.reconnected();
      }
    });
  }

  /** A text of the frame in the language of the page. */
  readonly text = (key: FrameKey, values?: Readonly<Record<string, string | number>>): string =>
    frameText(this.language.getSnapshot(), key, values);
}
