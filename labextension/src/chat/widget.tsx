/** The chat as a widget of JupyterLab: side panel or tab of the main area (UI-9). */
import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import type { Widget } from '@lumino/widgets';
import { Cell } from '../shared/stores/store';
import type { ChatApp, PanelRequest } from './app';
import { ChatPanel } from './ChatPanel';

export class ChatWidget extends ReactWidget {
  /** Width of the widget in CSS pixels, 0 while hidden. */
  readonly width = new Cell(0);
  /** Called when the widget comes into view or goes out of it. */
  onVisible: (visible: boolean) => void = () => undefined;
  private readonly listeners = new Set<(request: PanelRequest) => void>();
  private waiting: PanelRequest[] = [];
  private app: ChatApp | null = null;

  constructor() {
    super();
    this.addClass('crewlab-ChatWidget');
    this.node.addEventListener('click', event => this.follow(event), true);
  }

  /** Shows this app; a new object (another language) draws everything again. */
  put(app: ChatApp): void {
    this.app = app;
    this.update();
  }

  /** Asks the view for something; what comes before the view listens waits for it. */
  request(request: PanelRequest): void {
    if (this.listeners.size === 0) {
      this.waiting.push(request);
    }
    this.listeners.forEach(listener => listener(request));
  }

  /** Hears requests until the answer is called. */
  onRequest(listener: (request: PanelRequest) => void): () => void {
    this.listeners.add(listener);
    const waiting = this.waiting;
    this.waiting = [];
    if (waiting.length > 0) {
      // the view is just being put in place: after that it can move the focus
      setTimeout(() => waiting.forEach(request => this.listeners.forEach(one => one(request))), 0);
    }
    return () => this.listeners.delete(listener);
  }

  override render(): JSX.Element | null {
    return this.app && <ChatPanel app={this.app} />;
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    this.measure(message.width);
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.measure();
    this.onVisible(true);
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    if (this.isVisible) {
      this.measure();
      this.onVisible(true);
    }
  }

  protected override onAfterHide(message: Message): void {
    super.onAfterHide(message);
    this.width.put(0);
    this.onVisible(false);
  }

  private measure(width = -1): void {
    this.width.put(this.isVisible ? Math.round(width >= 0 ? width : this.node.offsetWidth) : 0);
  }

  /** A link to a part of crewlab becomes its command (UI-70). */
  private follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = link?.getAttribute('href') ?? '';
    if (this.app && address.startsWith('#/manage/')) {
      event.preventDefault();
      event.stopPropagation();
      this.app.openUrl(address);
    }
  }
}
