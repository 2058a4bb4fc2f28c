/** Texts of an answer into a notebook; nothing here runs a cell (UI-138 to UI-140). */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Dialog, Notification, showDialog } from '@jupyterlab/apputils';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { CellOrigin } from '../shared/notebook/origin';
import type { Translate } from '../shared/texts';
import { comparison } from './compare';
import { type Spot, spotOf } from './read';

/** What is put in. */
export interface NewCell {
  type: 'code' | 'markdown';
  source: string;
  /** The language of code, "" when none was named. */
  language: string;
  origin: CellOrigin;
}

interface Frame {
  app: JupyterFrontEnd;
  t: Translate;
  cancel: string;
}

/** Puts a cell below the active one; without a notebook offers a new one. */
export async function insertBelow(frame: Frame, panel: NotebookPanel | null, cell: NewCell): Promise<void> {
  const model = panel?.content.model;
  if (!panel || !model) {
    await offerFresh(frame, cell);
  } else if (panel.context.model.readOnly) {
    say(frame.t('cells.read_only'));
  } else {
    const index = panel.content.activeCellIndex + 1;
    model.sharedModel.insertCell(index, shared(cell));
    show(frame.app, panel, index);
  }
}

/** Replaces the active cell after a comparison. A cell that has changed meanwhile is compared again. */
export async function replaceActive(frame: Frame, panel: NotebookPanel | null, cell: NewCell): Promise<void> {
  const spot = spotOf(panel);
  if (!spot) {
    await offerFresh(frame, cell);
    return;
  }
  const { t, cancel } = frame;
  const title = t('cells.replace_ask', { number: String(spot.index + 1), path: spot.panel.context.path });
  for (;;) {
    const why = refusal(spot);
    if (why) {
      say(t(why));
      return;
    }
    const before = spot.cell.model.sharedModel.getSource();
    if (!(await comparison({ title, before, after: cell.source, t, cancel }))) {
      return;
    }
    if (!refusal(spot) && spot.cell.model.sharedModel.getSource() === before) {
      replace(spot, cell);
      show(frame.app, spot.panel, placeOf(spot));
      return;
    }
  }
}

/** A new notebook that begins with this cell, with a kernel of its language. */
export async function toFresh({ app }: Frame, cell: NewCell): Promise<void> {
  const kernelName = kernelFor(app, cell);
  const made: unknown = await app.commands.execute('notebook:create-new', kernelName ? { kernelName } : {});
  const panel = made as NotebookPanel;
  await panel.context.ready;
  const notebook = panel.content.model?.sharedModel;
  const empty = notebook?.cells[0];
  if (empty && cell.type === 'code' && empty.cell_type === 'code' && empty.getSource() === '') {
    empty.transact(() => {
      empty.setSource(cell.source);
      empty.setMetadata('crewlab', { ...cell.origin });
    });
  } else {
    notebook?.insertCell(0, shared(cell));
  }
  show(app, panel, 0);
}

async function offerFresh(frame: Frame, cell: NewCell): Promise<void> {
  const { t, cancel } = frame;
  const buttons = [Dialog.cancelButton({ label: cancel }), Dialog.okButton({ label: t('cells.fresh') })];
  const result = await showDialog({ title: t('cells.no_notebook'), body: t('cells.no_notebook_text'), buttons });
  if (result.button.accept) {
    await toFresh(frame, cell);
  }
}

const SHOWN_MS = 8000;

/** A line at the corner of JupyterLab: nothing was changed, and why. */
export function say(text: string): void {
  Notification.warning(text, { autoClose: SHOWN_MS });
}

/** Why the cell cannot be replaced. */
function refusal(spot: Spot): 'cells.gone' | 'cells.read_only' | 'cells.locked' | null {
  if (spot.panel.isDisposed || spot.cell.isDisposed || placeOf(spot) < 0) {
    return 'cells.gone';
  }
  if (spot.panel.context.model.readOnly) {
    return 'cells.read_only';
  }
  return spot.cell.model.getMetadata('editable') === false ? 'cells.locked' : null;
}

function placeOf({ panel, cell }: Spot): number {
  return panel.content.widgets.indexOf(cell);
}

/** A code cell keeps its place and is undone like typing; a cell of another kind is exchanged, which "Undo Cell Operation" takes back. */
function replace(spot: Spot, cell: NewCell): void {
  const notebook = spot.panel.content.model?.sharedModel;
  const old = spot.cell.model.sharedModel;
  const index = placeOf(spot);
  if (spot.cell.model.type === cell.type) {
    old.transact(() => {
      old.setSource(cell.source);
      old.setMetadata('crewlab', { ...cell.origin });
    });
  } else {
    notebook?.transact(() => {
      notebook.insertCell(index, shared(cell));
      notebook.deleteCell(index + 1);
    });
  }
}

function shared(cell: NewCell): {
  cell_type: string;
  source: string;
  metadata: { crewlab: { run_id: string | null; message_id: number | null } };
} {
  return { cell_type: cell.type, source: cell.source, metadata: { crewlab: { ...cell.origin } } };
}

/** Makes the cell the active one and brings it into view; the focus stays where it is while the notebook can be seen. */
function show(app: JupyterFrontEnd, panel: NotebookPanel, index: number): void {
  const { content } = panel;
  content.activeCellIndex = index;
  if (!panel.isVisible) {
    app.shell.activateById(panel.id);
  }
  void content.scrollToItem(index).catch(() => undefined); // the notebook was closed before it was drawn
}

/** The kernel whose language is that of the code; the server's default for everything else. */
function kernelFor(app: JupyterFrontEnd, cell: NewCell): string | null {
  const specs = app.serviceManager.kernelspecs.specs;
  const wanted = cell.type === 'code' ? cell.language.toLowerCase() : '';
  const names = Object.keys(specs?.kernelspecs ?? {});
  const fits = (name: string): boolean => wanted !== '' && specs?.kernelspecs[name]?.language.toLowerCase() === wanted;
  const preferred = specs?.default ?? null;
  return preferred !== null && fits(preferred) ? preferred : (names.find(fits) ?? preferred);
}
