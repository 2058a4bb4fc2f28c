/** A link from outside leads to a place of crewlab (UI-78): read once at start and taken out of the address. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { takePlace } from '../shared/place';
import type { Chats } from './chats';
import type { Face } from './face';
import { Command } from './ids';

const CHAT = 'chat';

/** Opens the chat, one of its conversations, or a section of the manager where there is one. */
export function openPlace(app: JupyterFrontEnd, face: Face, chats: Chats): void {
  const found = takePlace(window.location.href);
  if (!found) {
    return;
  }
  window.history.replaceState(window.history.state, '', found.rest);
  const { section, rest } = found.place;
  void app.restored.then(() => {
    if (section !== CHAT && app.commands.hasCommand(Command.openManager)) {
      void app.commands.execute(Command.openManager, { section, rest });
      return;
    }
    if (section === CHAT && rest !== null) {
      face.crew.conversation.open(rest);
    }
    chats.reveal({ type: 'focus-composer' });
  });
}
