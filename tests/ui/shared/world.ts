/** A server and a device in memory, for tests of the stores. */
import { vi } from 'vitest';
import type { Answer } from '@crew/shared/api';
import type { ActivityFrame, Conversation, ConversationEvent, ConversationSummary, Run, Watching, WireFrame } from '@crew/shared/contract';
import { DeviceBox, type KeyValue } from '@crew/shared/device';
import { createCrew, type Crew } from '@crew/shared/stores/crew';
import { Cell } from '@crew/shared/stores/store';
import type { ConnectionState } from '@crew/shared/stores/types';
import type { TopicListener } from '@crew/shared/topic';
import { frames, talk } from './recorded';

export const start = talk('plain')[0] as Watching;
export const detail: Conversation = { ...start.conversation, running: false };
export const summary: ConversationSummary = (({ messages: _m, queued: _q, tasks: _t, ...rest }) => rest)(detail);
const snapshot = frames('activity-snapshot')[0] as { runs: Run[] };
export const run = snapshot.runs.find(one => one.id === 'run-1') as Run;

export class MemoryStorage implements KeyValue {
  readonly map = new Map<string, string>();
  full = false;
  get length(): number {
    return this.map.size;
  }
  key = (index: number): string | null => [...this.map.keys()][index] ?? null;
  getItem = (key: string): string | null => this.map.get(key) ?? null;
  setItem = (key: string, value: string): void => {
    if (this.full) {
      throw new Error('QuotaExceededError');
    }
    this.map.set(key, value);
  };
  removeItem = (key: string): void => void this.map.delete(key);
}

type Reply = Answer | Error | Promise<Answer>;

export class World {
  readonly topics = new Map<string, Set<TopicListener>>();
  readonly asked: {
    method: string;
    where: string;
    body: Record<string, unknown>;
  }[] = [];
  readonly replies = new Map<string, Reply[]>();
  readonly storage = new MemoryStorage();
  readonly device: DeviceBox;
  readonly connection = new Cell<ConnectionState>({
    status: 'open',
    offlineSince: null,
    transport: 'socket',
    opens: 1
  });
  readonly crew: Crew;
  visible = true;
  private ids = 0;
  private frame = 0;

  constructor() {
    const timers = {
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms) as unknown as number,
      clearTimeout: (timer: number) => clearTimeout(timer)
    };
    this.device = new DeviceBox({ storage: () => this.storage, ...timers }, '/user/a%40b/');
    this.crew = createCrew({
      ...timers,
      send: (where, init) => this.answer(where, init),
      watch: (topic, listener) => this.join(topic, listener),
      now: () => Date.now(),
      newRequestId: () => String((this.ids += 1)).padStart(32, '0'),
      timezone: 'Europe/Berlin',
      connection: this.connection,
      device: this.device,
      visible: () => this.visible
    });
    this.reply('GET agents', {
      status: 200,
      body: { agents: [{ id: 'master', master: true }] }
    });
    this.reply('GET connections', {
      status: 200,
      body: { answering: { route: 'fake:echo', small: false, mend: '' } }
    });
    this.reply('GET conversations', {
      status: 200,
      body: { conversations: [summary], more: false }
    });
    this.reply('GET conversations/cv-1', { status: 200, body: detail });
    this.reply('GET approvals?status=pending', {
      status: 200,
      body: { approvals: [] }
    });
    this.reply('GET activity/runs?conversation_id=cv-1&limit=20', {
      status: 200,
      body: { runs: [], more: false }
    });
  }

  /** What the server answers, in this order; the last one stays. */
  reply(what: string, ...answers: Reply[]): void {
    this.replies.set(what, answers);
  }

  say(data: ConversationEvent, topic = 'conversation:cv-1'): void {
    this.tell(topic, data);
  }

  tellCrew(data: ActivityFrame): void {
    this.tell('activity', data);
  }

  refuse(topic: string, code: string): void {
    this.topics.get(topic)?.forEach(listener => listener.refused?.(code, 'gone'));
  }

  bodies(what: string): Record<string, unknown>[] {
    return this.asked.filter(one => `${one.method} ${one.where}` === what).map(one => one.body);
  }

  async open(id = 'cv-1'): Promise<void> {
    this.crew.conversation.open(id);
    await settle();
  }

  private tell(topic: string, data: ConversationEvent | ActivityFrame): void {
    const frame: WireFrame = {
      topic,
      id: `e-${(this.frame += 1)}`,
      event: data.type,
      data
    };
    this.topics.get(topic)?.forEach(listener => listener.frame(frame));
  }

  private join(topic: string, listener: TopicListener): () => void {
    const listeners = this.topics.get(topic) ?? new Set();
    this.topics.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  private async answer(where: string, init: { method: string; body?: string | FormData }): Promise<Answer> {
    this.asked.push({
      method: init.method,
      where,
      body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>
    });
    const answers = this.replies.get(`${init.method} ${where}`) ?? [];
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) {
      throw next;
    }
    return (
      (await next) ?? {
        status: 404,
        body: { code: 'not_found', message: `no ${where}` }
      }
    );
  }
}

/** Lets everything that was promised happen. */
export async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
