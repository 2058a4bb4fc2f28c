/** The commands of the chat (UI-130): all in the palette under Crew, none of them the only way to anything. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { ILauncher } from '@jupyterlab/launcher';
import type { CommandRegistry } from '@lumino/commands';
import { crewIcon } from '../chat/icons';
import type { FrameKey } from '../shared/texts/frame';
import { layers } from './chatApp';
import type { Chats } from './chats';
import { exportConversation } from './exports';
import type { Face } from './face';
import { Command } from './ids';

type Options = Omit<CommandRegistry.ICommandOptions, 'label'> & Partial<Pick<CommandRegistry.ICommandOptions, 'label'>>;

/** Adds every command; labels follow the language of the page. */
export function addCommands(app: JupyterFrontEnd, face: Face, chats: Chats): void {
  const { conversation, activity } = face.crew;
  const add = (id: string, label: FrameKey, options: Options): void => {
    app.commands.addCommand(id, { label: () => face.text(label), describedBy: { args: null }, ...options });
  };
  add(Command.focusChat, 'command.focus', { execute: () => chats.reveal({ type: 'focus-composer' }), icon: crewIcon });
  add(Command.newConversation, 'command.new', {
    execute: () => {
      conversation.open(null); // it is created with its first message
      chats.reveal({ type: 'focus-composer' });
    }
  });
  add(Command.openConversation, 'command.open', {
    execute: args => {
      if (typeof args['id'] === 'string') {
        open(face, args['id']);
        chats.reveal({ type: 'focus-composer' });
      } else {
        chats.reveal({ type: 'open-search' });
      }
    },
    describedBy: { args: { type: 'object', properties: { id: { type: 'string' } } } }
  });
  add(Command.openChatMain, 'command.main', {
    label: args => face.text(args['isLauncher'] ? 'name' : 'command.main'),
    caption: () => face.text('launcher.caption'),
    icon: args => (args['isPalette'] ? undefined : crewIcon),
    execute: () => chats.openMain()
  });
  add(Command.stop, 'command.stop', {
    execute: () => conversation.stop(),
    isEnabled: () => conversation.view.running || conversation.view.queued.length > 0
  });
  add(Command.approvals, 'command.approvals', {
    execute: () => {
      const own = conversation.view.pending;
      if (own && activity.getSnapshot().approvals.every(one => one.conversation_id === own.conversation_id)) {
        chats.reveal({ type: 'focus-approval' }); // only the open conversation waits
      } else {
        void app.commands.execute(Command.openManager, { section: 'approvals' });
      }
    }
  });
  add(Command.search, 'command.search', { execute: () => chats.current.request({ type: 'open-search' }) });
  add(Command.exportConversation, 'command.export', {
    execute: args => exportConversation(face, typeof args['id'] === 'string' ? args['id'] : conversation.id),
    isEnabled: args => typeof args['id'] === 'string' || conversation.id !== null,
    describedBy: { args: { type: 'object', properties: { id: { type: 'string' } } } }
  });
  add(Command.escape, 'command.escape', {
    execute: () => layers(chats.current).closeInnermost(),
    isEnabled: () => layers(chats.current).any,
    isVisible: () => false
  });
  face.language.subscribe(() => app.commands.notifyCommandChanged());
  conversation.subscribe(() => {
    app.commands.notifyCommandChanged(Command.stop);
    app.commands.notifyCommandChanged(Command.exportConversation);
  });
}

/** A conversation of the list, or one of a delegate or worker with a way back (UI-11). */
function open({ crew: { conversation, list } }: Face, id: string): void {
  const listed = list.getSnapshot().conversations.some(one => one.id === id);
  if (listed || conversation.id === null) {
    conversation.open(id);
  } else {
    conversation.openChild(id);
  }
}

/** Palette and launcher (UI-130, UI-133). */
export function showCommands(face: Face, palette: ICommandPalette | null, launcher: ILauncher | null): void {
  const category = face.text('category');
  const hidden: string[] = [Command.escape, Command.openManager, Command.openRun, Command.openScriptStore];
  for (const command of Object.values(Command).filter(id => !hidden.includes(id))) {
    palette?.addItem({ command, category, args: { isPalette: true } });
  }
  launcher?.add({ command: Command.openChatMain, category: 'Other', rank: 0, args: { isLauncher: true } });
}
