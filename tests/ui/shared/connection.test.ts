import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '@crew/shared/connection';
import type { ConversationEvent, WireFrame } from '@crew/shared/contract';
import { emptyConversation, reduceConversation } from '@crew/shared/conversation';
import type { SocketLike } from '@crew/shared/transports';
import { talk } from './recorded';

const TOPIC = 'conversation:cv-1';

/** A server that keeps the frames of a topic as WIRE-2 says, with sockets and streams that a test can cut. */
class Server {
  frames: WireFrame[] = [];
  sockets: FakeSocket[] = [];
  streams: { url: string; send: (text: string) => void; end: () => void }[] = [];
  said: { op: string; topic?: string; after?: string }[] = [];
  up = true;
  socketsAllowed = true;
  epoch = 'e1';
  fresh: WireFrame[] = [];

  publish(data: ConversationEvent): void {
    const frame = {
      topic: TOPIC,
      id: `${this.epoch}-${this.frames.length + 1}`,
      event: data.type,
      data
    };
    this.frames.push(frame);
    this.sockets.filter(socket => socket.topics.has(TOPIC)).forEach(socket => socket.say(frame));
    this.streams.forEach(stream => stream.send(`id: ${frame.id}\nevent: frame\ndata: ${JSON.stringify(frame)}\n\n`));
  }

  after(id: string | undefined): WireFrame[] {
    const [epoch, number] = (id ?? '').split('-');
    return epoch === this.epoch ? this.frames.slice(Number(number)) : this.fresh;
  }
}

class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  topics = new Set<string>();
  closed = false;

  constructor(private readonly server: Server) {
    server.sockets.push(this);
    queueMicrotask(() => (server.up && server.socketsAllowed ? this.onopen?.() : this.cut()));
  }

  send(text: string): void {
    const message = JSON.parse(text) as {
      op: string;
      topic: string;
      after?: string;
    };
    this.server.said.push(message);
    if (message.op === 'subscribe') {
      this.topics.add(message.topic);
      this.say({ op: 'subscribed', topic: message.topic });
      this.server.after(message.after).forEach(frame => this.say(frame));
    } else if (message.op === 'unsubscribe') {
      this.topics.delete(message.topic);
    }
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  close(): void {
    this.closed = true;
  }

  cut(): void {
    this.topics.clear();
    this.onclose?.();
  }
}

function make(server: Server): Connection {
  return new Connection({
    baseUrl: 'http://h/user/a%40b/',
    openSocket: () => new FakeSocket(server),
    fetchStream: (url, signal) => {
      if (!server.up) {
        return Promise.reject(new Error('not reached'));
      }
      let send: (text: string) => void = () => undefined;
      let end: () => void = () => undefined;
      const body = new ReadableStream<Uint8Array>({
        start: controller => {
          send = text => controller.enqueue(new TextEncoder().encode(text));
          end = () => controller.close();
        }
      });
      const stream = { url, send, end };
      server.streams.push(stream);
      signal.addEventListener('abort', () => (server.streams = server.streams.filter(one => one !== stream)));
      return Promise.resolve(body);
    },
    now: () => Date.now(),
    setTimeout: (run, ms) => setTimeout(run, ms) as unknown as number,
    clearTimeout: timer => clearTimeout(timer)
  });
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const last = <T>(list: readonly T[]): T => list[list.length - 1] as T;

describe('the connection of a window', () => {
  let server: Server;
  let connection: Connection;
  let heard: WireFrame[];
  const listener = {
    frame: (frame: WireFrame): void => void heard.push(frame)
  };

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    server = new Server();
    connection = make(server);
    heard = [];
  });

  afterEach(() => {
    connection.close();
    vi.useRealTimers();
  });

  // spec: UI-4, WIRE-5
  it('opens one socket for all topics, with the first that is wanted', async () => {
    expect(connection.getSnapshot().status).toBe('closed');
    connection.watch(TOPIC, listener);
    connection.watch('activity', listener);
    await pass(0);
    expect(server.sockets).toHaveLength(1);
    expect(server.said.map(({ op, topic }) => [op, topic])).toEqual([
      ['subscribe', TOPIC],
      ['subscribe', 'activity']
    ]);
    expect(connection.getSnapshot()).toMatchObject({
      status: 'open',
      transport: 'socket',
      offlineSince: null
    });
    last(server.sockets).say({ op: 'ping' });
    expect(last(server.said)).toEqual({ op: 'pong' });
  });

  // spec: UI-4
  it('leaves a topic with its last listener and closes with the last topic', async () => {
    const other = { frame: vi.fn() };
    const leave = connection.watch(TOPIC, listener);
    const leaveOther = connection.watch(TOPIC, other);
    const leaveCrew = connection.watch('activity', listener);
    await pass(0);
    leave();
    leave();
    expect(server.said.filter(one => one.op === 'unsubscribe')).toEqual([]);
    server.publish({ type: 'thinking' });
    expect(other.frame).toHaveBeenCalledTimes(1);
    leaveOther();
    expect(last(server.said)).toEqual({ op: 'unsubscribe', topic: TOPIC });
    leaveCrew();
    expect(last(server.sockets).closed).toBe(true);
    expect(connection.getSnapshot().status).toBe('closed');
    await pass(60_000);
    expect(server.sockets).toHaveLength(1);
  });

  it('gives a second listener of a topic a fresh start', async () => {
    connection.watch(TOPIC, listener);
    await pass(0);
    connection.watch(TOPIC, { frame: vi.fn() });
    expect(server.said.map(one => one.op)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
  });

  // spec: WIRE-10, UI-4
  it('tries again after 1, 2, 4 … 30 seconds and says since when it is offline', async () => {
    connection.watch(TOPIC, listener);
    await pass(0);
    server.up = false;
    const cutAt = Date.now();
    last(server.sockets).cut();
    const tried: number[] = [];
    let before = server.sockets.length;
    for (let second = 1; second <= 130; second += 1) {
      await pass(1000);
      if (server.sockets.length > before) {
        tried.push(second);
      }
      before = server.sockets.length;
    }
    expect(tried.filter(second => second <= 3)).toEqual([1, 3]);
    expect(connection.getSnapshot()).toMatchObject({
      status: 'offline',
      offlineSince: cutAt
    });
    server.up = true;
    await pass(30_000);
    expect(connection.getSnapshot()).toMatchObject({
      status: 'open',
      offlineSince: null,
      opens: 2
    });
  });

  // spec: WIRE-10
  it('waits 1, 2, 4, 8, 16, 30 and 30 seconds between tries', async () => {
    const pauses: number[] = [];
    const spy = vi.spyOn(globalThis, 'setTimeout');
    server.up = false;
    connection.watch(TOPIC, listener);
    await pass(100_000);
    for (const [, ms] of spy.mock.calls) {
      if (ms !== undefined && ms > 0 && ms < 45_000) {
        pauses.push(ms);
      }
    }
    expect(pauses.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('tries at once when told that the network is back', async () => {
    server.up = false;
    connection.watch(TOPIC, listener);
    await pass(10_000);
    server.up = true;
    connection.retry();
    await pass(0);
    expect(connection.getSnapshot().status).toBe('open');
  });

  // spec: WIRE-5
  it('takes 45 seconds of silence for a broken connection', async () => {
    connection.watch(TOPIC, listener);
    await pass(40_000);
    last(server.sockets).say({ op: 'ping' });
    await pass(44_000);
    expect(server.sockets).toHaveLength(1);
    await pass(2500);
    expect(server.sockets).toHaveLength(2);
    expect(server.sockets[0]?.closed).toBe(true);
  });

  // spec: FS-2, WIRE-10
  it('shows every frame once through twenty cuts in one turn', async () => {
    const [start] = talk('plain');
    connection.watch(TOPIC, listener);
    await pass(0);
    server.publish(start as ConversationEvent);
    const words: string[] = [];
    for (let cut = 0; cut < 20; cut += 1) {
      words.push(`a${cut} `, `b${cut} `, `c${cut} `);
      server.publish({ type: 'text_delta', text: `a${cut} ` });
      last(server.sockets).cut();
      server.publish({ type: 'text_delta', text: `b${cut} ` });
      await pass(1000);
      server.publish({ type: 'text_delta', text: `c${cut} ` });
    }
    expect(connection.getSnapshot().opens).toBe(21);
    const view = heard.reduce((seen, frame) => reduceConversation(seen, frame.data as ConversationEvent), emptyConversation());
    expect(view.items.at(-1)).toMatchObject({
      kind: 'answer',
      text: words.join(''),
      streaming: true
    });
    expect(new Set(heard.map(frame => frame.id)).size).toBe(heard.length);
  });

  // spec: WIRE-10
  it('drops a repeated frame but not the text that follows a fresh start under the same number', async () => {
    const [start] = talk('plain');
    const fresh = { topic: TOPIC, id: 'e1-9', event: 'watching', data: start };
    const sofar = {
      topic: TOPIC,
      id: 'e1-9',
      event: 'text_delta',
      data: { type: 'text_delta', text: 'so far' }
    };
    connection.watch(TOPIC, listener);
    await pass(0);
    const socket = last(server.sockets);
    [fresh, sofar, sofar, { ...sofar, id: 'e1-8' }, { ...sofar, id: 'e1-10' }, { ...sofar, id: 'e1-10' }].forEach(frame =>
      socket.say(frame)
    );
    expect(heard.map(frame => [frame.event, frame.id])).toEqual([
      ['watching', 'e1-9'],
      ['text_delta', 'e1-9'],
      ['text_delta', 'e1-10']
    ]);
    socket.say({ ...sofar, id: 'e2-1' });
    expect(heard).toHaveLength(4);
  });

  it('begins anew when it was cut between the fresh start and the text so far', async () => {
    connection.watch(TOPIC, listener);
    await pass(0);
    server.publish(talk('plain')[0] as ConversationEvent);
    last(server.sockets).cut();
    await pass(1000);
    expect(last(server.said)).toEqual({ op: 'subscribe', topic: TOPIC });
  });

  // spec: WIRE-7
  it('subscribes again to a topic that was cut', async () => {
    connection.watch('activity', listener);
    await pass(0);
    last(server.sockets).say({ op: 'cut', topic: 'activity' });
    expect(server.said.map(one => one.op)).toEqual(['subscribe', 'subscribe']);
  });

  // spec: WIRE-8
  it('tells that a topic is refused and does not ask for it again', async () => {
    const refused = vi.fn();
    connection.watch(TOPIC, { frame: vi.fn(), refused });
    connection.watch('activity', listener);
    await pass(0);
    last(server.sockets).say({
      op: 'refused',
      topic: TOPIC,
      code: 'not_found',
      message: 'gone'
    });
    expect(refused).toHaveBeenCalledWith('not_found', 'gone');
    server.said = [];
    last(server.sockets).cut();
    await pass(1000);
    expect(server.said.map(one => one.topic)).toEqual(['activity']);
  });

  it('goes on when a listener throws or the server says nonsense', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    connection.watch(TOPIC, {
      frame: () => {
        throw new Error('a listener');
      }
    });
    connection.watch(TOPIC, listener);
    await pass(0);
    last(server.sockets).onmessage?.({ data: '{"broken' });
    last(server.sockets).say([1, null]);
    server.publish({ type: 'thinking' });
    expect(heard).toHaveLength(1);
    expect(silent).toHaveBeenCalledTimes(1);
  });

  describe('where no socket can be had', () => {
    beforeEach(async () => {
      server.socketsAllowed = false;
      connection.watch(TOPIC, listener);
      connection.watch('activity', listener);
      await pass(3000);
    });

    // spec: UI-4, WIRE-9
    it('reads one stream with all topics after two sockets that did not open', async () => {
      expect(server.sockets).toHaveLength(2);
      expect(server.streams.map(stream => stream.url)).toEqual([
        'http://h/user/a%40b/crewlab/api/stream?topic=conversation%3Acv-1&topic=activity'
      ]);
      expect(connection.getSnapshot()).toMatchObject({
        status: 'open',
        transport: 'stream'
      });
      server.publish(talk('plain')[0] as ConversationEvent);
      server.publish({ type: 'text_delta', text: 'đã đọc' });
      await pass(0);
      expect(heard.map(frame => frame.event)).toEqual(['watching', 'text_delta']);
    });

    // spec: WIRE-9
    it('opens the stream anew for another topic, with what it has seen', async () => {
      server.publish({ type: 'thinking' });
      await pass(0);
      connection.watch('conversation:cv-2', listener);
      await pass(1);
      expect(server.streams).toHaveLength(1);
      expect(last(server.streams).url).toContain('topic=conversation%3Acv-1%40e1-1&topic=activity&topic=conversation%3Acv-2');
      expect(connection.getSnapshot()).toMatchObject({
        status: 'open',
        opens: 1
      });
    });

    it('takes pings for a sign of life', async () => {
      for (let count = 0; count < 8; count += 1) {
        await pass(15_000);
        last(server.streams).send(': ping\n\n');
      }
      expect(connection.getSnapshot().opens).toBe(1);
      await pass(46_000);
      expect(connection.getSnapshot().status).not.toBe('open');
    });

    it('gives the socket a try when the stream ends', async () => {
      server.socketsAllowed = true;
      last(server.streams).end();
      await pass(4000);
      expect(connection.getSnapshot()).toMatchObject({
        status: 'open',
        transport: 'socket',
        opens: 2
      });
    });
  });
});
