/** The Crew manager as a document of the main area: one instance (UI-75). */
import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import type { Widget } from '@lumino/widgets';
import { Cell } from '../shared/stores/store';
import type { ManagerApp } from './app';
import { ManagerView } from './ManagerView';

export class ManagerWidget extends ReactWidget {
  /** Width of the widget in CSS pixels, 0 while hidden. */
  readonly width = new Cell(0);
  /** Called when the widget comes into view. */
  onVisible: () => void = () => undefined;
  private app: ManagerApp | null = null;

  constructor() {
    super();
    this.addClass('crewlab-ManagerWidget');
  }

  /** Shows this app; a new object (another language) draws everything again. */
  put(app: ManagerApp): void {
    this.app = app;
    this.update();
  }

  override render(): JSX.Element | null {
    return this.app && <ManagerView app={this.app} />;
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    this.measure(message.width);
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.measure();
    this.onVisible();
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    if (this.isVisible) {
      this.measure();
      this.onVisible();
    }
  }

  protected override onAfterHide(message: Message): void {
    super.onAfterHide(message);
    this.width.put(0);
  }

  private measure(width = -1): void {
    this.width.put(this.isVisible ? Math.round(width >= 0 ? width : this.node.offsetWidth) : 0);
  }
}
