/** The two ways a window hears the server: a WebSocket (WIRE-5), or one stream of events over fetch (WIRE-9). */
import { EventCutter } from './sse';
import { streamUrl } from './urls';

/** What is left of a browser's WebSocket here. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** A topic to ask for. */
export interface Wanted {
  name: string;
  after: string | null;
}

/** What a transport tells its owner. After `closed` nothing follows. */
export interface TransportEvents {
  opened(): void;
  /** Something was heard; `message` is undefined when it was only a sign of life. */
  heard(message: unknown): void;
  closed(): void;
}

/** A live way to the server. */
export interface Transport {
  readonly kind: 'socket' | 'stream';
  /** `all` are the topics wanted now, `topic` the one that is new. */
  subscribe(topic: Wanted, all: () => Wanted[]): void;
  unsubscribe(name: string, all: () => Wanted[]): void;
  /** Closes for good; nothing is told any more. */
  close(): void;
}

/** Opens a WebSocket and asks for `topics` as soon as it is open. */
export function socketTransport(open: () => SocketLike, topics: () => Wanted[], events: TransportEvents): Transport {
  const socket = tryOpen(open);
  let live = false;
  const say = (message: object): void => (live ? socket.send(JSON.stringify(message)) : undefined);
  const subscribe = ({ name, after }: Wanted): void => say({ op: 'subscribe', topic: name, ...(after === null ? {} : { after }) });
  socket.onopen = () => {
    live = true;
    topics().forEach(subscribe);
    events.opened();
  };
  socket.onmessage = event => {
    const message = parse(event.data);
    if (isPing(message)) {
      say({ op: 'pong' });
    }
    events.heard(message);
  };
  socket.onclose = () => {
    live = false;
    events.closed();
  };
  return {
    kind: 'socket',
    subscribe,
    unsubscribe: name => say({ op: 'unsubscribe', topic: name }),
    close: () => {
      live = false;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  };
}

/** A socket that cannot even be made closes like one that was refused, after its owner has heard that it exists. */
function tryOpen(open: () => SocketLike): SocketLike {
  try {
    return open();
  } catch {
    const none: SocketLike = { onopen: null, onmessage: null, onclose: null, send: () => undefined, close: () => undefined };
    queueMicrotask(() => none.onclose?.());
    return none;
  }
}

/** Opens a body of server-sent events; rejects when there is none. */
export type FetchStream = (url: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/** Reads one multiplexed stream; a change of topics opens it anew (WIRE-9). */
export function streamTransport(
  host: { baseUrl: string; fetchStream: FetchStream; later(run: () => void): void },
  topics: () => Wanted[],
  events: TransportEvents
): Transport {
  let abort = new AbortController();
  let closed = false;
  let planned = false;
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const body = await host.fetchStream(streamUrl(host.baseUrl, topics()), signal);
      if (!signal.aborted) {
        events.opened();
        await readAll(body, signal, events);
      }
    } catch {
      // not reached or broken off: both are told below
    }
    if (!signal.aborted && !closed) {
      events.closed();
    }
  };
  const anew = (): void => {
    if (planned || closed) {
      return;
    }
    planned = true;
    host.later(() => {
      planned = false;
      abort.abort();
      if (!closed) {
        abort = new AbortController();
        void run(abort.signal);
      }
    });
  };
  void run(abort.signal);
  return {
    kind: 'stream',
    subscribe: anew,
    unsubscribe: anew,
    close: () => {
      closed = true;
      abort.abort();
    }
  };
}

async function readAll(body: ReadableStream<Uint8Array>, signal: AbortSignal, events: TransportEvents): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const cutter = new EventCutter();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) {
      return;
    }
    for (const event of cutter.push(decoder.decode(value, { stream: true }))) {
      events.heard(event.data === '' ? undefined : parse(event.data));
    }
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // a sign of life, nothing more
  }
}

function isPing(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'op' in message && message.op === 'ping';
}
