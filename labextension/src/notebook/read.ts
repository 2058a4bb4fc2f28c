/** What stands in the notebook or editor that was used last, as plain values. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { type Cell, isCodeCellModel } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { SentCell, SentPart } from '../shared/notebook/messages';
import type { Output } from '../shared/notebook/outputs';

/** A notebook and its active cell. */
export interface Spot {
  panel: NotebookPanel;
  cell: Cell;
  /** Place of the cell, counted from 0. */
  index: number;
}

/** The active cell of the notebook last active. */
export function spotOf(panel: NotebookPanel | null): Spot | null {
  const cell = panel?.content.activeCell ?? null;
  return panel && cell ? { panel, cell, index: panel.content.activeCellIndex } : null;
}

/** The cell as it can be sent. */
export function sentCell({ panel, cell, index }: Spot): SentCell {
  const { model } = cell;
  const outputs = isCodeCellModel(model) ? (model.outputs.toJSON() as Output[]) : [];
  const language = model.type === 'code' ? languageOf(panel) : model.type === 'markdown' ? 'markdown' : '';
  return { path: panel.context.path, number: index + 1, source: model.sharedModel.getSource(), language, outputs };
}

/** The language of a notebook's code, "" when nobody has said it. */
export function languageOf(panel: NotebookPanel): string {
  const { model } = panel.content;
  const info = model?.getMetadata('language_info') as { name?: unknown } | undefined;
  const spec = model?.getMetadata('kernelspec') as { language?: unknown } | undefined;
  const found = info?.name ?? spec?.language ?? model?.defaultKernelLanguage;
  return typeof found === 'string' ? found : '';
}

/** The selected text of an editor with its lines, null when nothing is selected. */
export function selectionOf(editor: CodeEditor.IEditor | null): { text: string; first: number; last: number } | null {
  if (!editor) {
    return null;
  }
  const { start, end } = editor.getSelection();
  const [one, other] = [editor.getOffsetAt(start), editor.getOffsetAt(end)];
  const text = editor.model.sharedModel.getSource().slice(Math.min(one, other), Math.max(one, other));
  return text === '' ? null : { text, first: Math.min(start.line, end.line) + 1, last: Math.max(start.line, end.line) + 1 };
}

/** The notebook or the text editor that was used last: what a selection is taken from. */
export class LastActive {
  private last: 'notebook' | 'editor' = 'notebook';

  constructor(
    private readonly notebooks: INotebookTracker,
    private readonly editors: IEditorTracker | null
  ) {
    notebooks.currentChanged.connect(() => (this.last = 'notebook'));
    editors?.currentChanged.connect(() => (this.last = 'editor'));
  }

  /** Takes note of what the person works in. */
  see(app: JupyterFrontEnd): void {
    const { currentWidget } = app.shell;
    if (currentWidget && currentWidget === this.editors?.currentWidget) {
      this.last = 'editor';
    } else if (currentWidget && currentWidget === this.notebooks.currentWidget) {
      this.last = 'notebook';
    }
  }

  /** The selected part of a file, when an editor was used last. */
  get part(): SentPart | null {
    const widget = this.last === 'editor' ? this.editors?.currentWidget : null;
    const found = widget ? selectionOf(widget.content.editor) : null;
    return widget && found ? { ...found, path: widget.context.path, language: languageOfMime(widget.content.model.mimeType) } : null;
  }

  /** The selected part of the active cell, when a notebook was used last. */
  get cellPart(): { cell: SentCell; text: string } | null {
    const spot = this.last === 'notebook' || !this.editors?.currentWidget ? spotOf(this.notebooks.currentWidget) : null;
    const found = spot ? selectionOf(spot.cell.editor) : null;
    return spot && found ? { cell: sentCell(spot), text: found.text } : null;
  }
}

/** `text/x-python` as `python`; "" for plain text. */
function languageOfMime(mimeType: string): string {
  const name = mimeType.replace(/^(?:text|application)\/(?:x-)?/, '');
  return name === 'plain' ? '' : name.replace(/^ipython$/, 'python');
}
