/** A run in a new notebook: `crew.run("<id>")` and its widget (UI-73). */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { NotebookPanel } from '@jupyterlab/notebook';

const RUN_ID = /^[\w-]+$/; // anything else could be code
const PYTHON = 'python';
const RUN_ALL = 'notebook:run-all-cells';

/** The cells of the notebook. Every line is the program's own; the id is the only thing that is put in. */
export function runCells(id: string): string[] {
  if (!RUN_ID.test(id)) {
    throw new Error(`${id} is no run`);
  }
  return [`import crewlab\n\ncrew = crewlab.connect()\ncrew.run("${id}")`, `from crewlab.widgets import RunTimeline\n\nRunTimeline("${id}")`];
}

/** Opens the notebook in the main area, runs its two cells and shows it; nothing of the run itself is carried out. */
export async function openRunNotebook(app: JupyterFrontEnd, id: string): Promise<void> {
  const cells = runCells(id);
  const kernelName = pythonKernel(app);
  const panel = (await app.commands.execute('notebook:create-new', kernelName ? { kernelName } : {})) as NotebookPanel;
  await panel.context.ready;
  const notebook = panel.content.model?.sharedModel;
  notebook?.transact(() => {
    const [first = '', ...others] = cells;
    notebook.cells[0]?.setSource(first); // the empty cell of a new notebook is filled: JupyterLab may be drawing it
    notebook.insertCells(
      notebook.cells.length,
      others.map(source => ({ cell_type: 'code', source }))
    );
  });
  app.shell.activateById(panel.id);
  await panel.sessionContext.ready;
  await app.commands.execute(RUN_ALL);
}

/** The server's default kernel when it speaks Python, else the first that does. */
function pythonKernel(app: JupyterFrontEnd): string | null {
  const specs = app.serviceManager.kernelspecs.specs;
  const speaks = (name: string): boolean => specs?.kernelspecs[name]?.language.toLowerCase() === PYTHON;
  const preferred = specs?.default ?? '';
  return speaks(preferred) ? preferred : (Object.keys(specs?.kernelspecs ?? {}).find(speaks) ?? null);
}
