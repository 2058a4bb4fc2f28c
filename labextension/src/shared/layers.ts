/** What lies open over the panel: card, drawer, strip. Escape closes the innermost (UI-22, UI-114, UI-131). */
export class Layers {
  private readonly open_: (() => void)[] = [];

  /** Registers something that is open; the answer takes it off again without closing it. */
  push(close: () => void): () => void {
    const layer = (): void => close();
    this.open_.push(layer);
    return () => {
      const place = this.open_.indexOf(layer);
      if (place >= 0) {
        this.open_.splice(place, 1);
      }
    };
  }

  /** Whether anything is open. */
  get any(): boolean {
    return this.open_.length > 0;
  }

  /** Closes the one opened last; false when nothing is open. */
  closeInnermost(): boolean {
    const layer = this.open_.pop();
    layer?.();
    return layer !== undefined;
  }
}
