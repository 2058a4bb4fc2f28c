/** The plugin of the chat: panel, commands, launcher, settings, status bar. Nothing is awaited in `activate`. */
import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorServices } from '@jupyterlab/codeeditor';
import { IEditorTracker } from '@jupyterlab/fileeditor';
import { ILauncher } from '@jupyterlab/launcher';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStateDB } from '@jupyterlab/statedb';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';
import { countInTitle, countOnIcon, notify } from './lab/attention';
import { addCanvasCommands } from './lab/canvasCommands';
import { CanvasDocuments } from './lab/canvases';
import { Chats } from './lab/chats';
import { addCommands, showCommands } from './lab/commands';
import { editors as editorsOf } from './lab/editors';
import { Face } from './lab/face';
import { PLUGIN_ID } from './lab/ids';
import { addManager, ManagerTab } from './lab/manager';
import { markdownRenderer } from './lab/markdown';
import { openPlace } from './lab/place';
import { followSettings } from './lab/settings';
import { showsStatus, statusItem } from './lab/status';
import { addNotebookCommands } from './notebook/commands';
import { keepConversations } from './notebook/keep';

/** The chat panel of the crew. */
export const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN_ID,
  description: 'The chat with a crew of agents.',
  autoStart: true,
  requires: [IRenderMimeRegistry, IEditorServices],
  optional: [
    ISettingRegistry,
    ITranslator,
    ILayoutRestorer,
    IStateDB,
    ICommandPalette,
    ILauncher,
    IStatusBar,
    INotebookTracker,
    IEditorTracker
  ],
  activate
};

function activate(
  app: JupyterFrontEnd,
  rendermime: IRenderMimeRegistry,
  editorServices: IEditorServices,
  registry: ISettingRegistry | null,
  translator: ITranslator | null,
  restorer: ILayoutRestorer | null,
  state: IStateDB | null,
  palette: ICommandPalette | null,
  launcher: ILauncher | null,
  statusBar: IStatusBar | null,
  notebooks: INotebookTracker | null,
  editors: IEditorTracker | null
): void {
  const face = new Face(app.serviceManager.serverSettings, translator?.languageCode ?? 'en');
  const settings = followSettings(registry, PLUGIN_ID);
  const renderMarkdown = markdownRenderer(rendermime);
  const parts = { app, face, settings, renderMarkdown };
  const chats = new Chats(parts);
  const tab = new ManagerTab(parts);
  const canvasParts = { ...parts, notebooks, newEditor: editorsOf(editorServices) };
  const documents = new CanvasDocuments(canvasParts);
  const run = (command: string, args: { id?: string } = {}): void => {
    app.commands.execute(command, args).catch((error: unknown) => console.error(error));
  };
  addCommands(app, face, chats);
  addCanvasCommands(canvasParts, documents, palette);
  showCommands(face, palette, launcher);
  addManager(parts, tab, palette, launcher);
  if (notebooks) {
    addNotebookCommands({ app, face, chats, settings, notebooks, editors, palette });
    keepConversations();
  }
  chats.place(settings.getSnapshot().area);
  chats.restore(restorer, state);
  documents.restore(restorer);
  tab.restore(restorer);
  openPlace(app, face, chats);
  let { area } = settings.getSnapshot();
  settings.subscribe(() => {
    const wanted = settings.getSnapshot().area;
    if (wanted !== area) {
      area = wanted;
      chats.place(area);
    }
  });
  countInTitle(face);
  countOnIcon(face, chats);
  notify(face, settings, run);
  if (statusBar) {
    const item = statusItem(face, run);
    const isActive = (): boolean => showsStatus(settings);
    const activeStateChanged = new Signal<object, undefined>(item);
    statusBar.registerStatusItem(PLUGIN_ID, { item, align: 'right', rank: 900, isActive, activeStateChanged });
    const start = (): void => (isActive() ? face.start() : undefined);
    settings.subscribe(() => {
      activeStateChanged.emit(undefined);
      start();
    });
    void app.restored.then(start);
  }
}
