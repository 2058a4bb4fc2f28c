/** The `ChatApp` of a component: what the shared views read and call, made from the kernel's state (UI-156). */
import { NO_FILES } from '../../shared/stores/attachedStore';
import type { ChatApp, ChatSettings } from '../../chat/app';
import { ApiError } from '../../shared/api';
import type { CanvasesState } from '../../shared/canvas/types';
import type { AgentView } from '../../shared/contract';
import { emptyActivity } from '../../shared/activity';
import { DeviceBox } from '../../shared/device';
import { Layers } from '../../shared/layers';
import { CLOSED } from '../../shared/stores/state';
import type { Readable } from '../../shared/stores/store';
import type { AgentsState, ConversationRegion } from '../../shared/stores/types';
import { type Language, translate } from '../../shared/texts';
import { hasCommand, runCommand } from './lab';
import { fixed, mapped } from './mapped';
import { renderMarkdown } from './markdown';
import type { LiveModel } from './model';
import type { Base } from './wire';

/** An agent as far as it is named. */
export interface Named {
  id: string;
  name: string;
  master: boolean;
}

interface WithAgents extends Base {
  agents: Named[];
}

const SETTINGS: ChatSettings = {
  area: 'right',
  sendKey: 'Enter',
  showStatusBar: false,
  notifyApprovals: false,
  cellContext: 'cell',
  openCanvases: 'main'
};
const CANVASES: CanvasesState = {
  records: {},
  drafts: [] as unknown as CanvasesState['drafts'],
  ended: {},
  seen: {},
  previews: false,
  current: null
};
const nothing = (): void => undefined;
const refuse = (): Promise<never> => Promise.reject(new ApiError('not_here', 0, ''));

/** The language of the crew, once it is known. */
export function languageOf(state: Base | null): Language {
  return state?.language === 'vi' ? 'vi' : 'en';
}

/** Drafts of a widget live as long as its page: the panel keeps its own (UI-105). */
function memory(): DeviceBox {
  return new DeviceBox(
    {
      storage: () => {
        throw new Error('kept in memory');
      },
      setTimeout: (run, ms) => window.setTimeout(run, ms),
      clearTimeout: timer => window.clearTimeout(timer)
    },
    ''
  );
}

/** What of the app stays when the language becomes known. */
export interface Lasting {
  agents: Readable<AgentsState>;
  device: DeviceBox;
  layers: Layers;
  width: Readable<number>;
}

/** The parts of the app that live as long as the view. */
export function lasting<S extends WithAgents>(model: LiveModel<S>, width: Readable<number> = fixed(0)): Lasting {
  const agents = mapped(model, ({ state }): AgentsState => {
    const named = (state?.agents ?? []) as unknown as AgentView[]; // the views read id, name and master of them
    return { loading: 'ready', failure: null, agents: named, connections: null, answering: null };
  });
  return { agents: { ...agents }, device: memory(), layers: new Layers(), width };
}

/** The app in one language. `conversation` is what the views send, stop and decide with; none for components without a thread. */
export function appOf(parts: Lasting, language: Language, conversation?: ConversationRegion): ChatApp {
  return {
    ...parts,
    place: 'main',
    conversation: conversation ?? closed(),
    agents: { ...parts.agents, load: () => Promise.resolve() },
    list: {
      ...fixed({ loading: 'ready' as const, failure: null, conversations: [], more: false, unread: new Set<string>() }),
      ...{ load: () => Promise.resolve(), loadMore: () => Promise.resolve(), search: () => Promise.resolve([]), markSeen: nothing },
      ...{ create: refuse, rename: refuse, remove: refuse }
    },
    activity: {
      ...fixed({ view: emptyActivity(), approvals: [], history: {} }),
      ...{ loadRuns: () => Promise.resolve(), loadRun: refuse, decide: () => Promise.resolve(null) }
    },
    canvases: { ...fixed(CANVASES), need: nothing, setPreviews: nothing, markSeen: nothing, setCurrent: nothing, follow: () => nothing },
    attached: NO_FILES,
    connection: fixed({ status: 'open' as const, offlineSince: null, transport: null, opens: 1 }),
    settings: fixed(SETTINGS),
    blocked: fixed(null),
    build: fixed({ stale: false }) as ChatApp['build'],
    files: { read: refuse, size: refuse },
    language,
    t: translate(language),
    renderMarkdown,
    openUrl: url => void window.open(url, '_blank', 'noopener,noreferrer'),
    execute: (command, args) => runCommand(command, args),
    has: hasCommand,
    confirm: () => Promise.resolve(false),
    askText: () => Promise.resolve(null),
    copy: text => navigator.clipboard.writeText(text).catch((error: unknown) => console.warn(error)),
    apiUrl: where => where,
    onRequest: () => nothing
  };
}

/** The conversation of a component that has none: cards decide by a decider of their own. */
function closed(): ConversationRegion {
  const never = (): Promise<void> => Promise.resolve();
  return {
    ...fixed(CLOSED),
    ...{ open: nothing, goBack: nothing, clearUnsent: nothing, openChild: (id: string) => runCommand('crewlab:open-conversation', { id }) },
    ...{ reload: never, decide: never, answer: never, skip: never },
    send: () => Promise.resolve('refused' as const),
    sendAgain: () => Promise.resolve('refused' as const),
    stop: () => Promise.resolve([]),
    patch: () => Promise.resolve(false),
    raiseCap: () => Promise.resolve(false),
    begin: refuse,
    fork: refuse
  };
}
