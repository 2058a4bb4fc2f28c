/** The panel and the tabs that show the chat: made, found again, restored (UI-9, UI-134). */
import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import type { IStateDB } from '@jupyterlab/statedb';
import { crewIcon } from '../chat/icons';
import type { PanelRequest } from '../chat/app';
import { ChatWidget } from '../chat/widget';
import { chatApp, type Parts } from './chatApp';
import { Command, MAIN_ID, NAMESPACE, PANEL_ID } from './ids';

const STATE_KEY = 'crewlab:conversation'; // the conversation that was open, kept with the layout

export class Chats {
  readonly panel: ChatWidget;
  readonly tracker = new WidgetTracker<MainAreaWidget<ChatWidget>>({ namespace: `${NAMESPACE}-chat` });
  private readonly app: JupyterFrontEnd;

  constructor(private readonly parts: Parts) {
    this.app = parts.app;
    this.panel = this.make('panel');
    this.panel.id = PANEL_ID;
    this.panel.title.icon = crewIcon;
    this.panel.title.caption = parts.face.text('name');
    parts.face.language.subscribe(() => this.drawAll());
  }

  /** Puts the panel into its side bar; again with another side moves it. */
  place(area: 'left' | 'right'): void {
    this.app.shell.add(this.panel, area, { rank: 100, type: 'Crew' });
  }

  /** Brings back panel, tab and open conversation after a reload; one that is gone is no error (UI-134). */
  restore(restorer: ILayoutRestorer | null, state: IStateDB | null): void {
    restorer?.add(this.panel, PANEL_ID);
    void restorer?.restore(this.tracker, { command: Command.openChatMain, name: () => 'chat' });
    const { conversation } = this.parts.face.crew;
    let known: string | null = null;
    this.app.restored
      .then(() => state?.fetch(STATE_KEY))
      .then(found => this.reopen(found))
      .catch((error: unknown) => console.warn('crewlab: the open conversation is not known any more', error))
      .finally(() => {
        known = conversation.id;
        conversation.subscribe(() => {
          if (conversation.id !== known) {
            known = conversation.id;
            void state?.save(STATE_KEY, { id: known });
          }
        });
      });
  }

  /** The chat in the main area: the one that is there, else a new one. */
  openMain(): MainAreaWidget<ChatWidget> {
    const known = this.tracker.find(() => true);
    const main = known ?? new MainAreaWidget({ content: this.make('main') });
    if (!known) {
      main.id = MAIN_ID;
      main.title.icon = crewIcon;
      main.title.label = this.parts.face.text('name');
      main.title.closable = true;
      void this.tracker.add(main);
      this.app.shell.add(main, 'main', { type: 'Crew' });
    }
    this.app.shell.activateById(main.id);
    return main;
  }

  /** Shows the chat where it can be seen and asks it for something. */
  reveal(request: PanelRequest): void {
    const main = this.tracker.currentWidget;
    const widget = main?.isVisible && !this.panel.isVisible ? main.content : this.panel;
    this.app.shell.activateById(main && widget === main.content ? main.id : PANEL_ID);
    widget.request(request);
  }

  /** The chat that has the focus, else one that is visible. */
  get current(): ChatWidget {
    const widgets = [...this.parts.face.widgets];
    const focused = widgets.find(widget => widget.node.contains(document.activeElement));
    return focused ?? widgets.find(widget => widget.isVisible) ?? this.panel;
  }

  private make(place: 'panel' | 'main'): ChatWidget {
    const widget = new ChatWidget();
    this.parts.face.take(widget);
    widget.put(chatApp(this.parts, widget, place));
    return widget;
  }

  private drawAll(): void {
    for (const widget of this.parts.face.widgets) {
      widget.put(chatApp(this.parts, widget, widget === this.panel ? 'panel' : 'main'));
    }
    this.tracker.forEach(main => (main.title.label = this.parts.face.text('name')));
  }

  private async reopen(found: unknown): Promise<void> {
    const { api, conversation } = this.parts.face.crew;
    const id = typeof found === 'object' && found !== null && 'id' in found ? found.id : null;
    if (typeof id !== 'string' || conversation.id !== null) {
      return;
    }
    const there = await api.conversation(id).then(
      () => true,
      () => false
    );
    if (there && conversation.id === null) {
      conversation.open(id);
    }
  }
}
