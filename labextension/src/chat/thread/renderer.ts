/** Draws Markdown that grows, without flicker and without falling behind. */

const PAUSE_MS = 50; // guide section 10: at most 20 times a second
const PLAIN = 'data-plain'; // an attribute and no class: classes are React's, and come back when it draws
const SHARE = 3; // of the time, drawing takes at most a quarter

type Render = (markdown: string, into: HTMLElement) => Promise<void>;

/** One place in the thread. Until the first drawing is ready the plain text stands there. */
export class Renderer {
  private wanted: string | null = null;
  private shown: string | null = null;
  private live = false;
  private finished = false;
  private busy = false;
  private stopped = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private pause = PAUSE_MS;

  constructor(
    private readonly host: HTMLElement,
    private readonly render: Render,
    private readonly finish: (host: HTMLElement) => void = () => undefined
  ) {}

  /** Asks for a text; `live` text waits for its turn, finished text is drawn at once. */
  draw(text: string, live: boolean): void {
    this.stopped = false;
    this.live = live;
    this.wanted = text;
    if (this.shown === null) {
      this.host.textContent = text;
      this.host.setAttribute(PLAIN, '');
    }
    if (!live && this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    if (this.timer === null) {
      void this.next();
    }
  }

  /** Nothing is drawn after this. */
  stop(): void {
    this.stopped = true;
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
  }

  private async next(): Promise<void> {
    if (this.busy || this.stopped || this.wanted === null || this.wanted === this.shown) {
      this.end();
      return;
    }
    this.busy = true;
    const text = this.wanted;
    const begun = performance.now();
    const made = document.createElement('div');
    try {
      await this.render(text, made);
      this.place(made);
    } catch (error) {
      console.error(error);
      this.host.setAttribute(PLAIN, '');
      this.host.textContent = text; // the words are there in any case
    }
    this.shown = text;
    this.busy = false;
    this.pause = Math.max(PAUSE_MS, SHARE * (performance.now() - begun));
    this.end();
    this.later();
  }

  /** What is added to a text that is whole: once, after its last drawing. */
  private end(): void {
    if (!this.live && !this.busy && !this.stopped && !this.finished && this.wanted !== null && this.wanted === this.shown) {
      this.finished = true;
      this.finish(this.host);
    }
  }

  private place(made: HTMLElement): void {
    if (!this.stopped) {
      this.host.removeAttribute(PLAIN);
      this.host.replaceChildren(...made.childNodes);
      this.finished = false;
    }
  }

  private later(): void {
    if (!this.stopped && this.wanted !== this.shown && this.timer === null) {
      this.timer = setTimeout(() => {
        this.timer = null;
        void this.next();
      }, this.pause);
    }
  }
}
