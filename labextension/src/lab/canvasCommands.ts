/** The commands of canvases (UI-130, UI-141). */
import { versionName } from '../shared/canvas/names';
import type { ICommandPalette } from '@jupyterlab/apputils';
import { InputDialog } from '@jupyterlab/apputils';
import { CanvasCommand as Command } from '../canvas/app';
import { titleOf } from '../canvas/words';
import { insertBelow, say } from '../notebook/put';
import { cellKind, cellSource } from '../shared/canvas/kinds';
import { versionShown } from '../shared/canvas/state';
import type { ArtifactVersionView, ArtifactView } from '../shared/contract';
import { translate } from '../shared/texts';
import type { CanvasDocuments, CanvasParts } from './canvases';
import type { Face } from './face';

/** Adds the commands; the one that inserts is there with a notebook tracker only. */
export function addCanvasCommands(parts: CanvasParts, documents: CanvasDocuments, palette: ICommandPalette | null): void {
  const { app, face, notebooks } = parts;
  const { canvases } = face.crew;
  const category = face.text('category');
  const args = { type: 'object', properties: { id: { type: 'string' }, version: { type: 'integer' }, call: { type: 'string' } } };
  app.commands.addCommand(Command.open, {
    label: () => face.text('command.open_canvas'),
    execute: given => {
      const version = typeof given['version'] === 'number' ? given['version'] : null;
      if (typeof given['call'] === 'string') {
        documents.openDraft(given['call']);
        return undefined;
      }
      return typeof given['id'] === 'string' && given['id'] !== '' ? documents.open(given['id'], version) : choose(parts, documents);
    },
    describedBy: { args }
  });
  app.commands.addCommand(Command.save, {
    label: () => face.text('command.save_canvas'),
    execute: () => documents.current?.save(),
    isEnabled: () => Boolean(documents.current?.getSnapshot().unsaved),
    describedBy: { args: null }
  });
  app.commands.addCommand(Command.previews, {
    label: () => face.text('command.canvas_previews'),
    execute: () => canvases.setPreviews(!canvases.getSnapshot().previews),
    isToggleable: true,
    isToggled: () => canvases.getSnapshot().previews,
    describedBy: { args: null }
  });
  const shown: string[] = [Command.open, Command.save, Command.previews];
  if (notebooks) {
    app.commands.addCommand(Command.insert, {
      label: () => face.text('command.insert_canvas'),
      execute: given => insert(parts, documents, given['id'], given['version']),
      isEnabled: given => typeof given['id'] === 'string' || documents.current !== null,
      describedBy: { args }
    });
    shown.push(Command.insert);
  }
  shown.forEach(command => palette?.addItem({ command, category, args: { isPalette: true } }));
  canvases.subscribe(() => app.commands.notifyCommandChanged(Command.previews));
}

/** Asks which of the crew's canvases to open, last changed first. */
async function choose({ face }: CanvasParts, documents: CanvasDocuments): Promise<void> {
  const t = translate(face.language.getSnapshot());
  const { artifacts } = await face.crew.api.canvases.list();
  if (artifacts.length === 0) {
    say(face.text('canvas.none'));
    return;
  }
  const items = artifacts.map(({ title, version, id }) => `${titleOf(title, t)} (${versionName(version)}, ${id})`);
  const cancelLabel = face.text('cancel');
  const chosen = await InputDialog.getItem({ title: face.text('canvas.choose'), items, okLabel: face.text('canvas.open'), cancelLabel });
  const found = artifacts[items.indexOf(chosen.value ?? '')];
  if (chosen.button.accept && found) {
    documents.open(found.id);
  }
}

/** Puts a version below the active cell of the notebook last active (UI-141). */
async function insert({ app, face, notebooks }: CanvasParts, documents: CanvasDocuments, id: unknown, version: unknown): Promise<void> {
  const panel = notebooks?.currentWidget ?? null; // the one of now, also when the text takes a while
  const t = translate(face.language.getSnapshot());
  try {
    const found = await read(face, documents, id, version);
    const type = found ? cellKind(found.kind) : null;
    if (found && type !== null && found.content !== null) {
      const cell = { type, source: cellSource(found, found.content), language: found.language ?? '', origin: { run_id: null, message_id: null } };
      await insertBelow({ app, t, cancel: face.text('cancel') }, panel, cell);
    }
  } catch (error) {
    say(t('cells.failed', { message: error instanceof Error ? error.message : String(error) }));
  }
}

/** The version that is meant: of the arguments, else the one in front of the person. */
async function read(face: Face, documents: CanvasDocuments, id: unknown, version: unknown): Promise<ArtifactView | ArtifactVersionView | null> {
  const { canvases } = face.crew.api;
  const owner = documents.current;
  if (typeof id !== 'string') {
    return owner ? canvases.version(owner.id, versionShown(owner.getSnapshot())) : null;
  }
  return typeof version === 'number' ? canvases.version(id, version) : canvases.read(id);
}
