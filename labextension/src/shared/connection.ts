/**
 * The one connection of a window (UI-4, WIRE-5 to WIRE-10): topics with reference counts, frames shown once, reconnection
 * after 1, 2, 4 … 30 s, and one multiplexed stream where a WebSocket cannot be had. No browser, no JupyterLab: all injected.
 */
import type { ServerMessage, WireFrame } from './contract';
import { Store } from './stores/store';
import type { ConnectionState } from './stores/types';
import { Topic, type TopicListener } from './topic';
import { socketTransport, streamTransport, type FetchStream, type SocketLike, type Transport, type Wanted } from './transports';

const FIRST_PAUSE_MS = 1000; // WIRE-10
const LAST_PAUSE_MS = 30_000; // WIRE-10
const SILENCE_MS = 45_000; // WIRE-5
const SOCKET_TRIES = 2; // then the stream is tried

/** What the connection needs of its window. */
export interface ConnectionHost {
  readonly baseUrl: string;
  openSocket(): SocketLike;
  fetchStream: FetchStream;
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export class Connection extends Store<ConnectionState> {
  private readonly topics = new Map<string, Topic>();
  private transport: Transport | null = null;
  private failures = 0;
  private socketFailures = 0;
  private timer: number | null = null;
  private silence: number | null = null;
  private heardAt = 0;

  constructor(private readonly host: ConnectionHost) {
    super({ status: 'closed', offlineSince: null, transport: null, opens: 0 });
  }

  /** Hears a topic until the answer is called. Every listener begins with a fresh frame of the topic. */
  watch(name: string, listener: TopicListener): () => void {
    const known = this.topics.get(name);
    const topic = known ?? new Topic(name);
    this.topics.set(name, topic);
    topic.listeners.add(listener);
    if (known) {
      this.transport?.unsubscribe(name, this.wanted);
    }
    Object.assign(topic, { after: null, gone: false });
    this.transport?.subscribe({ name, after: null }, this.wanted);
    if (!this.transport && this.timer === null) {
      this.open();
    }
    return () => this.leave(topic, listener);
  }

  /** Tries at once instead of after the pause: the network is back, or the person asks. */
  retry(): void {
    if (this.timer !== null) {
      this.stopTimer();
      this.open();
    }
  }

  /** Closes for good. */
  close(): void {
    this.topics.clear();
    this.drop();
    this.stopTimer();
    this.set({ ...this.getSnapshot(), status: 'closed', offlineSince: null, transport: null });
  }

  private readonly wanted = (): Wanted[] =>
    [...this.topics.values()].filter(topic => !topic.gone).map(({ name, after }) => ({ name, after }));

  private leave(topic: Topic, listener: TopicListener): void {
    if (!topic.listeners.delete(listener) || topic.listeners.size > 0) {
      return;
    }
    this.topics.delete(topic.name);
    if (this.topics.size === 0) {
      this.close();
    } else if (!topic.gone) {
      this.transport?.unsubscribe(topic.name, this.wanted);
    }
  }

  private open(): void {
    const events = {
      opened: () => this.opened(),
      heard: (message: unknown) => this.heard(message),
      closed: () => this.lost()
    };
    this.heardAt = this.host.now();
    this.watchSilence();
    if (this.getSnapshot().status === 'closed') {
      this.set({ ...this.getSnapshot(), status: 'connecting' });
    }
    if (this.socketFailures < SOCKET_TRIES) {
      this.socketFailures += 1; // taken back as soon as it opens
      this.transport = socketTransport(() => this.host.openSocket(), this.wanted, events);
    } else {
      this.socketFailures = 0; // when the stream fails too it was not the socket's fault
      const { baseUrl, fetchStream } = this.host;
      const later = (run: () => void): void => void this.host.setTimeout(run, 0);
      this.transport = streamTransport({ baseUrl, fetchStream, later }, this.wanted, events);
    }
  }

  private opened(): void {
    const kind = this.transport?.kind ?? null;
    this.socketFailures = kind === 'stream' ? SOCKET_TRIES - 1 : 0; // after a stream the socket gets one try
    this.heardAt = this.host.now();
    const { opens, status } = this.getSnapshot();
    this.set({ status: 'open', offlineSince: null, transport: kind, opens: status === 'open' ? opens : opens + 1 });
  }

  private heard(message: unknown): void {
    this.heardAt = this.host.now();
    this.failures = 0;
    if (typeof message !== 'object' || message === null) {
      return;
    }
    if ('op' in message) {
      this.control(message as ServerMessage);
    } else if ('topic' in message && 'data' in message) {
      const frame = message as WireFrame;
      const topic = this.topics.get(frame.topic);
      if (topic?.accept(frame)) {
        topic.deliver(frame);
      }
    }
  }

  private control(message: ServerMessage): void {
    if (message.op === 'refused') {
      this.topics.get(message.topic)?.refuse(message.code, message.message);
    } else if (message.op === 'cut') {
      const topic = this.topics.get(message.topic);
      if (topic) {
        this.transport?.subscribe({ name: topic.name, after: topic.after }, this.wanted); // WIRE-7
      }
    }
  }

  private lost(): void {
    this.drop();
    if (this.topics.size === 0) {
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LAST_PAUSE_MS);
    this.failures += 1;
    const since = this.getSnapshot().offlineSince ?? this.host.now();
    this.set({ ...this.getSnapshot(), status: 'offline', offlineSince: since, transport: null });
    this.timer = this.host.setTimeout(() => {
      this.timer = null;
      this.open();
    }, pause);
  }

  private drop(): void {
    this.transport?.close();
    this.transport = null;
    if (this.silence !== null) {
      this.host.clearTimeout(this.silence);
      this.silence = null;
    }
  }

  private stopTimer(): void {
    if (this.timer !== null) {
      this.host.clearTimeout(this.timer);
      this.timer = null;
    }
  }

  /** One timer for the whole connection: it looks whether anything was heard since it was set. */
  private watchSilence(): void {
    const left = SILENCE_MS - (this.host.now() - this.heardAt);
    if (left <= 0) {
      this.lost();
      return;
    }
    this.silence = this.host.setTimeout(() => this.watchSilence(), left);
  }
}
