/** Notebook and chat in both directions (UI-130, UI-136 to UI-140). Sending only fills the composer. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { IEditorTracker } from '@jupyterlab/fileeditor';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { ChatSettings } from '../chat/app';
import type { Chats } from '../lab/chats';
import type { Face } from '../lab/face';
import { NotebookCommand as Command } from '../shared/notebook/ids';
import { codeBlocks } from '../shared/notebook/code';
import { cellMessage, cellPartMessage, errorMessage, filePartMessage } from '../shared/notebook/messages';
import { answerCell } from '../shared/notebook/origin';
import type { Readable } from '../shared/stores/store';
import { translate, type Translate } from '../shared/texts';
import type { FrameKey } from '../shared/texts/frame';
import { answerOf, sourceOf } from './answer';
import { insertBelow, type NewCell, replaceActive, say, toFresh } from './put';
import { LastActive, sentCell, spotOf } from './read';
import { openRunNotebook } from './runs';

interface Parts {
  app: JupyterFrontEnd;
  face: Face;
  chats: Chats;
  settings: Readable<ChatSettings>;
  notebooks: INotebookTracker;
  editors: IEditorTracker | null;
  palette: ICommandPalette | null;
}

type Args = ReadonlyPartialJSONObject;

/** Adds the commands of the notebook; without `INotebookTracker` there are none. */
export function addNotebookCommands(parts: Parts): void {
  const { app, face, palette } = parts;
  const category = face.text('category');
  const add = (id: string, label: FrameKey, options: Omit<CommandRegistry.ICommandOptions, 'label'>): void => {
    app.commands.addCommand(id, { label: () => face.text(label), describedBy: { args: null }, ...options });
    palette?.addItem({ command: id, category, args: { isPalette: true } });
  };
  const t = (): Translate => translate(face.language.getSnapshot());
  addSending(parts, add, t);
  addInserting(parts, add, t);
  app.commands.addCommand(Command.runNotebook, {
    label: () => face.text('command.run_notebook'),
    execute: args => openRunNotebook(app, String(args['id'])).catch((error: unknown) => say(t()('cells.failed', { message: error instanceof Error ? error.message : String(error) }))),
    describedBy: { args: { type: 'object', properties: { id: { type: 'string' } } } }
  });
}

type Add = (id: string, label: FrameKey, options: Omit<CommandRegistry.ICommandOptions, 'label'>) => void;

function addSending({ app, chats, settings, notebooks, editors }: Parts, add: Add, t: () => Translate): void {
  const last = new LastActive(notebooks, editors);
  const fill = (text: string | null): void => {
    if (text !== null) {
      chats.reveal({ type: 'insert-block', text });
    }
  };
  const spot = (): ReturnType<typeof spotOf> => spotOf(notebooks.currentWidget);
  add(Command.sendCell, 'command.send_cell', {
    execute: args => {
      const found = spot();
      const outputs = typeof args['outputs'] === 'boolean' ? args['outputs'] : settings.getSnapshot().cellContext === 'cell and outputs';
      fill(found && cellMessage(sentCell(found), outputs, t()));
    },
    isEnabled: () => spot() !== null,
    describedBy: { args: { type: 'object', properties: { outputs: { type: 'boolean' } } } }
  });
  add(Command.sendSelection, 'command.send_selection', {
    execute: () => {
      last.see(app);
      const { part, cellPart } = last;
      fill(part ? filePartMessage(part, t()) : cellPart && cellPartMessage(cellPart.cell, cellPart.text, t()));
    },
    isEnabled: () => {
      last.see(app);
      return last.part !== null || last.cellPart !== null;
    }
  });
  const error = (): string | null => {
    const found = spot();
    return found && errorMessage(sentCell(found), t());
  };
  add(Command.sendError, 'command.send_error', { execute: () => fill(error()), isEnabled: () => error() !== null });
}

function addInserting({ app, face, notebooks }: Parts, add: Add, t: () => Translate): void {
  const frame = (): { app: JupyterFrontEnd; t: Translate; cancel: string } => ({ app, t: t(), cancel: face.text('cancel') });
  const guarded = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => {
      say(t()('cells.failed', { message: error instanceof Error ? error.message : String(error) }));
    });
  };
  /** The code of the arguments, else the last block of the answer. */
  const code = async (args: Args): Promise<NewCell | null> => {
    const item = answerOf(face, args['key']);
    const block = item && codeBlocks(item.text).at(-1);
    const given = typeof args['code'] === 'string';
    const source = given ? String(args['code']) : block?.code;
    if (source === undefined) {
      say(t()('cells.no_code'));
      return null;
    }
    const language = given ? String(args['language'] ?? '') : (block?.language ?? '');
    const origin = item ? (await sourceOf(face, item)).origin : { run_id: null, message_id: null };
    return { type: 'code', source, language, origin };
  };
  const codeArgs = {
    type: 'object',
    properties: { code: { type: 'string' }, language: { type: 'string' }, key: { type: 'string' }, fresh: { type: 'boolean' } }
  };
  add(Command.insertCode, 'command.insert_code', {
    execute: async args => {
      const panel = notebooks.currentWidget;
      const cell = await code(args);
      if (cell) {
        await guarded(args['fresh'] === true ? toFresh(frame(), cell) : insertBelow(frame(), panel, cell));
      }
    },
    describedBy: { args: codeArgs }
  });
  add(Command.replaceCell, 'command.replace_cell', {
    execute: async args => {
      const panel = notebooks.currentWidget;
      const cell = await code(args);
      if (cell) {
        await guarded(replaceActive(frame(), panel, cell));
      }
    },
    describedBy: { args: codeArgs }
  });
  add(Command.insertAnswer, 'command.insert_answer', {
    execute: async args => {
      const panel = notebooks.currentWidget;
      const item = answerOf(face, args['key']);
      if (!item) {
        say(t()('cells.no_answer'));
        return;
      }
      const { text, agent, at, origin } = await sourceOf(face, item);
      const source = answerCell(text, agent, at, origin.run_id, t());
      await guarded(insertBelow(frame(), panel, { type: 'markdown', source, language: '', origin }));
    },
    describedBy: { args: { type: 'object', properties: { key: { type: 'string' } } } }
  });
}
