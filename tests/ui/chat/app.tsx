/** A `ChatApp` made of plain cells: tests put states in and read the calls that come out. */
import { act, cleanup, render, type RenderResult } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import type { ChatApp, ChatSettings, PanelRequest } from '@crew/chat/app';
import { ChatPanel } from '@crew/chat/ChatPanel';
import type { CanvasesRegion, CanvasesState } from '@crew/shared/canvas/types';
import type { BuildState } from '@crew/shared/build';
import type { AttachedFile, Conversation, SearchResult } from '@crew/shared/contract';
import { DeviceBox } from '@crew/shared/device';
import { Layers } from '@crew/shared/layers';
import { Cell } from '@crew/shared/stores/store';
import type { ActivityState, AgentsState, ConnectionState, ConversationState, DraftFiles, Failure, ListState } from '@crew/shared/stores/types';
import { type Language, translate } from '@crew/shared/texts';
import type { ConversationView } from '@crew/shared/view';
import { conversationState, emptyActivity, emptyAgents, emptyList } from './data';

interface Parts {
  conversation: Partial<ConversationState>;
  view: Partial<ConversationView>;
  list: Partial<ListState>;
  activity: Partial<ActivityState>;
  agents: Partial<AgentsState>;
  canvases: Partial<CanvasesState>;
  attached: DraftFiles;
  connection: ConnectionState;
  settings: Partial<ChatSettings>;
  width: number;
  blocked: { code: string; message: string } | null;
  language: Language;
  place: 'panel' | 'main';
}

/** A region: a cell with the methods of the real one as spies. */
function region<S, M extends object>(state: S, methods: M): Cell<S> & M {
  return Object.assign(new Cell(state), methods);
}

/** A `ChatApp` whose methods are spies. */
export function fakeApp(parts: Partial<Parts> = {}) {
  const listeners = new Set<(request: PanelRequest) => void>();
  const state = conversationState(parts.view ?? {}, parts.conversation ?? {});
  const kept = new Map<string, string>();
  const conversation = region(state, {
    open: vi.fn(),
    openChild: vi.fn(),
    goBack: vi.fn(),
    reload: vi.fn(async () => undefined),
    send: vi.fn(async (_text: string, _files?: readonly AttachedFile[]): Promise<'started' | 'queued' | 'known' | 'refused'> => 'started'),
    begin: vi.fn(async () => 'c_1'),
    sendAgain: vi.fn(async () => 'started' as const),
    clearUnsent: vi.fn(),
    stop: vi.fn(async (): Promise<string[]> => []),
    decide: vi.fn(async () => undefined),
    answer: vi.fn(async (_labels: readonly string[], _text: string) => undefined),
    skip: vi.fn(async () => undefined),
    patch: vi.fn(async () => true),
    raiseCap: vi.fn(async () => true),
    fork: vi.fn(async (_key: string): Promise<Conversation> => Promise.reject(new Error('no fork here')))
  });
  const list = region<ListState, object>({ ...emptyList(), ...parts.list }, {});
  const listMethods = {
    load: vi.fn(async () => undefined),
    loadMore: vi.fn(async () => undefined),
    create: vi.fn(),
    rename: vi.fn(async () => undefined),
    remove: vi.fn(async (): Promise<string | null> => null),
    search: vi.fn(async (_text: string, _signal: AbortSignal): Promise<readonly SearchResult[]> => []),
    markSeen: vi.fn()
  };
  const activity = region<ActivityState, object>({ ...emptyActivity(), ...parts.activity }, {});
  const app = {
    place: parts.place ?? 'panel',
    conversation,
    list: Object.assign(list, listMethods),
    activity: Object.assign(activity, { loadRuns: vi.fn(async () => undefined), loadRun: vi.fn(), decide: vi.fn(async (): Promise<Failure | null> => null) }),
    agents: region<AgentsState, { load: () => Promise<void> }>({ ...emptyAgents(), ...parts.agents }, { load: vi.fn(async () => undefined) }),
    canvases: region<CanvasesState, Omit<CanvasesRegion, 'subscribe' | 'getSnapshot'>>({ records: {}, drafts: [], ended: {}, seen: {}, previews: true, current: null, ...parts.canvases }, { need: vi.fn(), setPreviews: vi.fn(), markSeen: vi.fn(), setCurrent: vi.fn(), follow: vi.fn(() => () => undefined) }),
    attached: Object.assign(new Cell<DraftFiles>(parts.attached ?? {}), {
      takes: true,
      add: vi.fn(async (_files: readonly File[]) => undefined),
      remove: vi.fn(),
      take: vi.fn((_id: string | null): readonly AttachedFile[] => []),
      putBack: vi.fn(),
      drop: vi.fn()
    }),
    connection: new Cell<ConnectionState>(parts.connection ?? { status: 'open', offlineSince: null, transport: 'socket', opens: 1 }),
    settings: new Cell<ChatSettings>({
      area: 'right',
      sendKey: 'Enter',
      showStatusBar: true,
      notifyApprovals: true,
      cellContext: 'cell',
      openCanvases: 'main',
      ...parts.settings
    }),
    width: new Cell(parts.width ?? 360),
    blocked: new Cell(parts.blocked ?? null),
    build: new Cell<BuildState>({ stale: false, version: null, development: false }),
    files: {
      read: vi.fn(async (_agent: string, _path: string): Promise<Blob> => new Blob(['x'])),
      size: vi.fn(async (_agent: string, _path: string): Promise<number> => 1)
    },
    device: new DeviceBox(
      {
        storage: () => ({ length: kept.size, key: index => [...kept.keys()][index] ?? null, getItem: key => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value), removeItem: key => void kept.delete(key) }),
        setTimeout: () => 0,
        clearTimeout: () => undefined
      },
      '/'
    ),
    layers: new Layers(),
    language: parts.language ?? 'en',
    t: translate(parts.language ?? 'en'),
    renderMarkdown: vi.fn(async (text: string, host: HTMLElement) => {
      host.innerHTML = `<div class="jp-RenderedHTMLCommon"><p>${text}</p></div>`;
    }),
    openUrl: vi.fn(),
    execute: vi.fn(),
    has: vi.fn(() => true),
    confirm: vi.fn(async () => true),
    askText: vi.fn(async (): Promise<string | null> => null),
    copy: vi.fn(async () => undefined),
    apiUrl: (path: string) => path,
    onRequest: (listener: (request: PanelRequest) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    }
  } satisfies ChatApp;
  return {
    ...app,
    /** Changes the open conversation, as an event would. */
    show(view: Partial<ConversationView>, rest: Partial<ConversationState> = {}): void {
      act(() => {
        const now = conversation.getSnapshot();
        conversation.put({ ...now, ...rest, view: { ...now.view, ...view } });
      });
    },
    request(request: PanelRequest): void {
      act(() => listeners.forEach(listener => listener(request)));
    }
  };
}

export type FakeApp = ReturnType<typeof fakeApp>;

/** Draws the whole panel. */
export function drawPanel(app: FakeApp): RenderResult {
  return render(<ChatPanel app={app} />);
}

/** Lets promises and effects run. */
export async function settle(): Promise<void> {
  await act(async () => {
    await Promise.resolve();
  });
}

afterEach(cleanup);
