/** One topic of the connection: who listens, what was seen last, and which frames are new (WIRE-2, WIRE-10). */
import type { WireFrame } from './contract';

/** Who hears a topic. */
export interface TopicListener {
  frame(frame: WireFrame): void;
  /** The server has no such topic (WIRE-8); it is not asked for again. */
  refused?(code: string, message: string): void;
}

/** Frames that begin anew: they carry the number of the last frame and are never repetitions. */
const FRESH = new Set(['watching', 'snapshot']);

export class Topic {
  readonly listeners = new Set<TopicListener>();
  /** The id to go on after, or null to begin anew. */
  after: string | null = null;
  gone = false;
  private epoch = '';
  private number = -1;
  private begun = false;

  constructor(readonly name: string) {}

  /** Whether the frame was not seen yet; it counts as seen from now on. */
  accept(frame: WireFrame): boolean {
    const cut = frame.id.lastIndexOf('-');
    const epoch = frame.id.slice(0, cut);
    const number = Number(frame.id.slice(cut + 1));
    const fresh = FRESH.has(frame.event);
    if (!fresh && epoch === this.epoch && (number < this.number || (number === this.number && !this.begun))) {
      return false;
    }
    [this.epoch, this.number, this.begun] = [epoch, number, fresh];
    // The text so far follows `watching` under the same number: a viewer cut off between the two begins anew.
    this.after = frame.event === 'watching' ? null : frame.id;
    return true;
  }

  /** Hands a frame to every listener; one that throws does not keep the others from it. */
  deliver(frame: WireFrame): void {
    this.each(listener => listener.frame(frame));
  }

  /** Tells every listener that there is no such topic. */
  refuse(code: string, message: string): void {
    this.gone = true;
    this.each(listener => listener.refused?.(code, message));
  }

  private each(tell: (listener: TopicListener) => void): void {
    for (const listener of [...this.listeners]) {
      try {
        tell(listener);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
