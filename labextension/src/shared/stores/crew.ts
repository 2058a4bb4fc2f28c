/** Puts the stores of a window together: who hears whom, and what is read again when (UI-3 to UI-5, UI-112). */
import { Api, type Send } from '../api';
import { Canvases } from '../canvas/canvases';
import type { DeviceBox } from '../device';
import { ActivityStore } from './activityStore';
import { AgentsStore } from './agentsStore';
import { AttachedStore } from './attachedStore';
import { ConversationStore } from './conversationStore';
import type { StoreHost } from './host';
import { ListStore } from './listStore';
import { Cell, type Readable } from './store';
import type { ConnectionState } from './types';

/** A server that is there but whose engine is not (UI-8). */
export interface Blocked {
  code: string;
  message: string;
}

const BLOCKING = new Set(['home_locked', 'config_invalid']); // DB-12, AGT-4

export interface CrewHost extends Omit<StoreHost, 'api'> {
  readonly send: Send;
  readonly connection: Readable<ConnectionState>;
  readonly device: DeviceBox;
  /** Whether a widget that shows the open conversation is visible. */
  visible(): boolean;
}

export interface Crew {
  readonly api: Api;
  readonly conversation: ConversationStore;
  readonly list: ListStore;
  readonly activity: ActivityStore;
  readonly agents: AgentsStore;
  readonly canvases: Canvases;
  readonly attached: AttachedStore;
  readonly blocked: Readable<Blocked | null>;
  /** Begins to listen and reads what is visible; a second call changes nothing. */
  start(): void;
  stop(): void;
}

export function createCrew(host: CrewHost): Crew {
  const blocked = new Cell<Blocked | null>(null);
  const api = new Api(guarded(host.send, blocked));
  const storeHost: StoreHost = { ...host, api, watch: (topic, listener) => host.watch(topic, listener) };
  const activity = new ActivityStore(storeHost);
  const agents = new AgentsStore({ api });
  const conversation = new ConversationStore(storeHost);
  const attached = new AttachedStore({ api, begin: () => conversation.begin() });
  const canvases = new Canvases({ ...host, api: api.canvases });
  const looking = (): string | null => (host.visible() ? conversation.id : null);
  const list = new ListStore({ api, device: host.device, looking, master: () => agents.master });
  const readRuns = async (id: string): Promise<void> => {
    await activity.loadRuns(id);
    const newest = activity.getSnapshot().history[id]?.find(run => run.conversation_id === id);
    if (newest) {
      conversation.hearRun(newest);
    }
  };
  const readAll = (): void => {
    void agents.load().then(() => list.load());
    void conversation.reload();
    if (conversation.id !== null) {
      void readRuns(conversation.id);
    }
  };
  conversation.onOpen = id => {
    if (id !== null) {
      list.markSeen(id);
      void readRuns(id);
    }
  };
  activity.onRun = run => conversation.hearRun(run);
  activity.onArtifact = frame => (frame ? canvases.hearFrame(frame) : canvases.hearGap());
  conversation.onReturned = (id, files) => attached.putBack(id, files);
  conversation.onEvent = event => canvases.hearEvent(event);
  let leave: (() => void)[] = [];
  return {
    api,
    conversation,
    list,
    activity,
    agents,
    canvases,
    attached,
    blocked,
    start: () => {
      if (leave.length === 0) {
        leave = [
          onChange(activity, state => state.view.conversations, followConversations(list, conversation)),
          onChange(
            activity,
            state => state.view.revisions.tools,
            () => void agents.load()
          ),
          onChange(
            host.connection,
            state => state.opens,
            opens => opens > 1 && readAll()
          )
        ];
        activity.start();
        readAll();
      }
    },
    stop: () => {
      leave.forEach(one => one());
      leave = [];
      activity.stop();
      conversation.close();
    }
  };
}

/** Tells the list and the open conversation which records have changed. */
function followConversations(list: ListStore, conversation: ConversationStore) {
  let known: ReturnType<ActivityStore['getSnapshot']>['view']['conversations'] = {};
  return (records: typeof known): void => {
    for (const [id, record] of Object.entries(records)) {
      if (record === null && known[id] !== null) {
        list.forget(id);
        conversation.hearDeleted(id);
      } else if (record !== null && record !== known[id]) {
        list.hear(record);
      }
    }
    known = records;
  };
}

/** Calls `run` when what `pick` finds has become another. */
function onChange<T, V>(store: Readable<T>, pick: (state: T) => V, run: (value: V) => unknown): () => void {
  let last = pick(store.getSnapshot());
  return store.subscribe(() => {
    const value = pick(store.getSnapshot());
    if (value !== last) {
      last = value;
      run(value);
    }
  });
}

/** Notes when the engine is not there, and when it is back; the version is told without an engine, too. */
function guarded(send: Send, blocked: Cell<Blocked | null>): Send {
  return async (where, init) => {
    const answer = await send(where, init);
    const body = typeof answer.body === 'object' && answer.body !== null ? (answer.body as Partial<Blocked>) : {};
    if (answer.status === 503 && BLOCKING.has(body.code ?? '')) {
      blocked.put({ code: body.code ?? '', message: body.message ?? '' });
    } else if (answer.status < 400 && where !== 'version' && blocked.getSnapshot() !== null) {
      blocked.put(null);
    }
    return answer;
  };
}
