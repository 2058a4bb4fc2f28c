/** The conversation of a notebook is kept in its metadata (UI-152): a magic says in its output which one it is. */
import { NotebookActions } from '@jupyterlab/notebook';
import type { Cell, ICodeCellModel } from '@jupyterlab/cells';
import { conversationIn } from '../shared/notebook/kept';

const KEY = 'crewlab';

/** Listens for as long as the page lives. */
export function keepConversations(): void {
  NotebookActions.executed.connect((_sender, { notebook, cell }) => {
    const id = conversationIn(outputsOf(cell));
    const model = notebook.model;
    if (id === null || !model || model.readOnly) {
      return;
    }
    const known: unknown = model.getMetadata(KEY);
    const rest = typeof known === 'object' && known !== null ? known : {};
    if ((rest as { conversation?: unknown }).conversation !== id) {
      model.setMetadata(KEY, { ...rest, conversation: id });
    }
  });
}

/** The metadata of a cell's outputs. */
function outputsOf(cell: Cell): unknown[] {
  if (cell.model.type !== 'code') {
    return [];
  }
  const { outputs } = cell.model as ICodeCellModel;
  return Array.from({ length: outputs.length }, (_none, index) => outputs.get(index).metadata);
}
