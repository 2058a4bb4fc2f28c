/** The documents that show canvases: opened beside the notebook, found again, restored (UI-13, UI-34, UI-130). */
import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { DockLayout } from '@lumino/widgets';
import { createElement } from 'react';
import { CanvasCommand, type NewEditor } from '../canvas/app';
import { CanvasView } from '../canvas/CanvasView';
import { DraftView } from '../canvas/DraftView';
import { CanvasWidget } from '../canvas/widget';
import { titleOf } from '../canvas/words';
import type { ChatSettings } from '../chat/app';
import { labIcon } from '../chat/icons';
import { isNew } from '../shared/canvas/canvases';
import { CanvasDocument } from '../shared/canvas/document';
import { versionShown } from '../shared/canvas/state';
import type { Readable } from '../shared/stores/store';
import { translate } from '../shared/texts';
import { canvasApp } from './canvasApp';
import type { Face } from './face';
import { NAMESPACE } from './ids';

const TIMERS = { setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms), clearTimeout: (timer: number) => window.clearTimeout(timer) };
const BESIDE_FROM = 900; // px of the main area: narrower, a canvas opens as a tab

export interface CanvasParts {
  readonly app: JupyterFrontEnd;
  readonly face: Face;
  readonly settings: Readable<ChatSettings>;
  readonly newEditor: NewEditor;
  readonly notebooks: INotebookTracker | null;
  renderMarkdown(text: string, host: HTMLElement): Promise<void>;
}

type Main = MainAreaWidget<CanvasWidget>;

/** A document of the window; `owner` is null while its canvas is still a draft. */
interface Open {
  readonly main: Main;
  owner: CanvasDocument | null;
  call: string | null;
}

export class CanvasDocuments {
  readonly tracker = new WidgetTracker<Main>({ namespace: `${NAMESPACE}-canvas` });
  private readonly open_ = new Set<Open>();

  constructor(private readonly parts: CanvasParts) {
    const { face } = parts;
    face.language.subscribe(() => this.open_.forEach(one => this.draw(one)));
    face.crew.canvases.subscribe(() => this.open_.forEach(one => this.hear(one)));
    let { opens } = face.connection.getSnapshot();
    face.connection.subscribe(() => {
      const now = face.connection.getSnapshot().opens;
      if (now > opens) {
        this.open_.forEach(({ owner }) => void owner?.load()); // frames may have been missed (UI-112)
      }
      opens = now;
    });
    this.tracker.currentChanged.connect(() => this.markCurrent());
    parts.app.shell.currentChanged?.connect(() => this.markCurrent());
  }

  /** Brings the documents back after a reload; one whose canvas is gone says so. */
  restore(restorer: ILayoutRestorer | null): void {
    void restorer?.restore(this.tracker, {
      command: CanvasCommand.open,
      args: main => ({ id: this.ownerOf(main)?.id ?? '' }),
      name: main => this.ownerOf(main)?.id ?? ''
    });
  }

  /** The document of a canvas: the one that is there, else a new one. */
  open(id: string, version: number | null = null): void {
    const known = [...this.open_].find(one => one.owner?.id === id);
    const shown = known ?? this.make();
    if (!known) {
      this.become(shown, id);
      this.place(shown.main);
    }
    if (version !== null) {
      void this.look(shown, version);
    }
    this.parts.app.shell.activateById(shown.main.id);
  }

  /** The document of a canvas that is being written. */
  openDraft(call: string): void {
    const { ended, drafts } = this.parts.face.crew.canvases.getSnapshot();
    const finished = ended[call];
    if (finished) {
      this.open(finished);
      return;
    }
    if (!drafts.some(draft => draft.call === call)) {
      return;
    }
    const known = [...this.open_].find(one => one.call === call);
    const shown = known ?? this.make();
    if (!known) {
      shown.call = call;
      shown.main.id = `${NAMESPACE}-canvas-draft-${call}`;
      this.draw(shown);
      this.place(shown.main);
    }
    this.parts.app.shell.activateById(shown.main.id);
  }

  /** Owner of the document in front, for commands. */
  get current(): CanvasDocument | null {
    const widget = this.parts.app.shell.currentWidget;
    const open = [...this.open_].find(({ main }) => main === widget) ?? [...this.open_].find(({ main }) => main === this.tracker.currentWidget);
    return open?.owner ?? null;
  }

  private make(): Open {
    const content = new CanvasWidget();
    const main = new MainAreaWidget({ content });
    main.title.closable = true;
    main.title.icon = labIcon('document');
    main.toolbar.hide(); // the document has its own
    main.addClass('crewlab-Canvas');
    const open: Open = { main, owner: null, call: null };
    this.open_.add(open);
    main.disposed.connect(() => {
      open.owner?.close();
      this.open_.delete(open);
    });
    content.onVisible = visible => (visible ? this.seen(open) : undefined);
    return open;
  }

  private become(open: Open, id: string): void {
    const { face } = this.parts;
    open.call = null;
    open.main.id = `${NAMESPACE}-canvas-${id}`;
    open.owner = new CanvasDocument({ ...TIMERS, api: face.crew.api.canvases, device: face.device, canvases: face.crew.canvases }, id);
    open.owner.subscribe(() => (this.seen(open), this.named(open)));
    face.start();
    face.crew.canvases.need(id);
    this.draw(open);
    void this.tracker.add(open.main);
  }

  /** A version that a chip names; the newest is followed and not held. */
  private async look({ owner }: Open, version: number): Promise<void> {
    if (!owner) {
      return;
    }
    if (owner.getSnapshot().record === null) {
      await owner.load();
    }
    const { record, editing } = owner.getSnapshot();
    if (record && !editing) {
      await owner.look(version >= record.version ? null : version);
    }
  }

  private place(main: Main): void {
    const { app, settings, notebooks } = this.parts;
    const { openCanvases, area } = settings.getSnapshot();
    if (openCanvases === 'panel') {
      app.shell.add(main, area, { type: 'Canvas' });
      return;
    }
    const other = [...this.open_].find(one => one.main !== main && one.main.isAttached)?.main.id;
    const notebook = notebooks?.currentWidget?.isVisible ? notebooks.currentWidget : null;
    const wide = (document.getElementById('jp-main-dock-panel')?.clientWidth ?? 0) >= BESIDE_FROM;
    const beside: { mode: DockLayout.InsertMode; ref: string } | null =
      other !== undefined ? { mode: 'tab-after', ref: other } : notebook && wide ? { mode: 'split-right', ref: notebook.id } : null;
    app.shell.add(main, 'main', { type: 'Canvas', ...(beside ?? {}) });
  }

  private draw(open: Open): void {
    const { owner, call, main } = open;
    const app = canvasApp(this.parts, owner);
    if (owner) {
      main.content.put(() => createElement(CanvasView, { app: { ...app, document: owner } }));
    } else if (call !== null) {
      main.content.put(() => createElement(DraftView, { app, call }));
    }
    this.named(open);
  }

  /** Title of the tab: unsaved text as JupyterLab marks it, a version that was not looked at with a dot. */
  private named({ owner, main }: Open): void {
    const { face } = this.parts;
    const t = translate(face.language.getSnapshot());
    const record = owner?.getSnapshot().record;
    main.title.label = record ? titleOf(record.title, t) : owner ? face.text('canvas.title') : t('canvas.writing_new');
    main.title.caption = main.title.label;
    const marks = [owner?.getSnapshot().unsaved ? 'jp-mod-dirty' : '', owner && isNew(face.crew.canvases.getSnapshot(), owner.id) ? 'crewlab-mod-new' : ''];
    main.title.className = marks.filter(mark => mark !== '').join(' ');
  }

  private hear(open: Open): void {
    const { canvases } = this.parts.face.crew;
    if (open.call !== null) {
      const id = canvases.getSnapshot().ended[open.call];
      if (id === null) {
        open.main.dispose(); // the call failed: what was shown is nowhere stored (CNV-111)
      } else if (id !== undefined) {
        this.become(open, id);
      }
    }
    this.seen(open);
    this.named(open);
  }

  /** What stands in front of the person counts as seen. */
  private seen({ owner, main }: Open): void {
    const { canvases } = this.parts.face.crew;
    const record = owner ? canvases.getSnapshot().records[owner.id] : null;
    if (owner && record && main.content.isVisible && document.visibilityState !== 'hidden' && versionShown(owner.getSnapshot()) > 0) {
      canvases.markSeen(owner.id, record.version);
    }
  }

  private markCurrent(): void {
    const shown = [...this.open_].find(({ main }) => main === this.parts.app.shell.currentWidget) ?? [...this.open_].find(({ main }) => main.isVisible);
    this.parts.face.crew.canvases.setCurrent(shown?.owner?.id ?? null);
  }

  private ownerOf(main: Main): CanvasDocument | null {
    return [...this.open_].find(one => one.main === main)?.owner ?? null;
  }
}
