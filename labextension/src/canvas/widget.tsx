/** A canvas, or the draft of one, as a widget of JupyterLab. */
import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';

export class CanvasWidget extends ReactWidget {
  /** Called when the widget comes into view or goes out of it. */
  onVisible: (visible: boolean) => void = () => undefined;
  private draw: (() => JSX.Element) | null = null;

  constructor() {
    super();
    this.addClass('crewlab-CanvasWidget');
  }

  /** Shows something else; again with the same draws it anew (another language). */
  put(draw: () => JSX.Element): void {
    this.draw = draw;
    this.update();
  }

  override render(): JSX.Element | null {
    return this.draw?.() ?? null;
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.onVisible(true);
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    if (this.isVisible) {
      this.onVisible(true);
    }
  }

  protected override onAfterHide(message: Message): void {
    super.onAfterHide(message);
    this.onVisible(false);
  }
}
