/** Puts the stores of the Crew manager together: who hears whom, and what its entries count (UI-74 to UI-76). */
import type { Crew } from '../stores/crew';
import type { DeviceBox } from '../device';
import { CostsStore } from '../costs/store';
import { Cell, type Readable } from '../stores/store';
import type { ConnectionState } from '../stores/types';
import type { ToolList, VersionInfo } from '../contract';
import { ManageApi } from './api';
import { ApprovalsStore } from './approvals';
import { isFailing, JobsStore } from './jobs';
import { MemoryStore, waiting } from './memory';
import { type ManagerPlace, placeOf, type Section } from './place';
import { needsYou, running, RunsStore } from './runs';
import { ScriptsStore } from './scripts';
import { SettingsStore } from './settings';
import { Source } from './source';
import { TeamApi } from './team/api';
import { KeysStore } from './team/keys';
import { TeamStore } from './team/store';

export interface ManagerHost {
  readonly crew: Crew;
  readonly device: DeviceBox;
  /** Hears what a look at the server has found (UI-129). */
  onLook?(found: VersionInfo): void;
  readonly connection: Readable<ConnectionState>;
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** What an entry of the navigation counts; `warn`: a person must act. */
export interface Count {
  n: number;
  warn: boolean;
}

export interface Manager {
  readonly approvals: ApprovalsStore;
  readonly jobs: JobsStore;
  readonly tools: Source<ToolList>;
  readonly memory: MemoryStore;
  readonly scripts: ScriptsStore;
  readonly runs: RunsStore;
  readonly team: TeamStore;
  readonly keys: KeysStore;
  readonly costs: CostsStore;
  readonly settings: SettingsStore;
  readonly place: Cell<ManagerPlace>;
  readonly counts: Readable<Readonly<Partial<Record<Section, Count>>>>;
  /** Goes to a section and reads what it shows. */
  go(section: Section, rest?: string | null): void;
  /** Begins to listen and reads what the navigation counts; a second call changes nothing. */
  start(): void;
  stop(): void;
}

export function createManager(host: ManagerHost): Manager {
  const { crew } = host;
  const api = new ManageApi(crew.api);
  const approvals = new ApprovalsStore(crew.api);
  const jobs = new JobsStore(host, api);
  const tools = new Source(() => api.tools());
  const memory = new MemoryStore(api);
  const scripts = new ScriptsStore(api);
  const runs = new RunsStore({ api: crew.api, device: host.device, now: () => host.now() });
  const teamApi = new TeamApi(crew.api);
  const team = new TeamStore(teamApi, crew.agents);
  const keys = new KeysStore(teamApi, crew.agents);
  const costs = new CostsStore(host, api);
  const settings = new SettingsStore(api, async () => {
    const found = await crew.api.version();
    host.onLook?.(found);
    return found;
  });
  const place = new Cell<ManagerPlace>(placeOf('activity', null));
  const counts = new Cell<Partial<Record<Section, Count>>>({});
  const count = (): void => {
    const failed = needsYou(runs.getSnapshot()).length;
    const next = {
      activity: { n: running(runs.getSnapshot()).length + failed, warn: failed > 0 },
      approvals: { n: crew.activity.getSnapshot().view.pending, warn: true },
      jobs: { n: jobs.getSnapshot().data?.jobs.filter(isFailing).length ?? 0, warn: true },
      memory: { n: waiting(memory.proposals.getSnapshot().data).length, warn: false }
    };
    if (JSON.stringify(next) !== JSON.stringify(counts.getSnapshot())) {
      counts.put(next);
    }
  };
  const read: Record<Section, () => void> = {
    activity: () => void runs.load(),
    approvals: () => void approvals.load(),
    team: () => void Promise.all([crew.agents.load(), team.templates.load(), tools.load(), jobs.load()]),
    costs: () => void Promise.all([costs.load(), crew.agents.load()]),
    tools: () => void Promise.all([tools.load(), crew.agents.load()]),
    jobs: () => void jobs.load(),
    memory: () => void Promise.all([memory.proposals.load(), memory.user.load()]),
    connections: () => void crew.agents.load(),
    settings: () => void Promise.all([settings.load(), costs.of('week').load(), tools.load(), memory.user.load(), crew.agents.load()])
  };
  const follow = follower({ crew, jobs, runs, approvals, tools, memory, scripts, costs }, () => place.getSnapshot().section);
  let leave: (() => void)[] = [];
  return {
    ...{ approvals, jobs, tools, memory, scripts, runs, costs, settings, team, keys, place, counts },
    go: (section, rest = null) => {
      place.put({ section, rest });
      read[section]();
    },
    start: () => {
      if (leave.length > 0) {
        return;
      }
      let opens = host.connection.getSnapshot().opens;
      const reopened = (): void => {
        const now = host.connection.getSnapshot().opens;
        if (now > opens && opens > 0) {
          runs.readAgain();
          jobs.hear();
          void memory.proposals.load();
          read[place.getSnapshot().section](); // UI-112: everything visible is read again
        }
        opens = now;
      };
      const counted = [crew.activity, runs, jobs, memory.proposals].map(one => one.subscribe(count));
      leave = [...counted, crew.activity.subscribe(follow), host.connection.subscribe(reopened), () => jobs.stop(), () => costs.stop()];
      void runs.load();
      void jobs.load();
      void memory.proposals.load();
      read[place.getSnapshot().section]();
    },
    stop: () => {
      leave.forEach(one => one());
      leave = [];
    }
  };
}

type Parts = Pick<Manager, 'jobs' | 'runs' | 'approvals' | 'tools' | 'memory' | 'scripts' | 'costs'> & { crew: Crew };

/** Hears the activity topic: which of the regions have changed (JOB-44, TOOL-47, UI-5). */
function follower({ crew, jobs, runs, approvals, tools, memory, scripts, costs }: Parts, section: () => Section): () => void {
  let last = crew.activity.getSnapshot();
  const known = new Map<string, unknown>();
  const reread: Partial<Record<Section, () => void>> = { tools: () => void tools.load(), team: () => void crew.agents.load() };
  const ended = (): void => {
    void memory.proposals.load(); // an agent may have proposed something
    if (section() === 'costs') {
      costs.hear(); // UI-3: a run that ends is the signal for the other regions
    }
  };
  return () => {
    const now = crew.activity.getSnapshot();
    const before = last;
    last = now;
    if (now.view.revisions.jobs !== before.view.revisions.jobs) {
      jobs.hear();
    }
    if (now.view.revisions.tools !== before.view.revisions.tools) {
      reread[section()]?.();
    }
    if (now.view.pending !== before.view.pending || now.approvals !== before.approvals) {
      void approvals.load(); // UI-5
    }
    if (now.view.runs === before.view.runs && now.view.ended === before.view.ended) {
      return;
    }
    for (const run of [...now.view.runs, ...now.view.ended]) {
      if (known.get(run.id) !== run) {
        known.set(run.id, run);
        runs.hear(run);
        if (run.ended_at !== null) {
          ended();
          scripts.hear(run.agent_id); // a script may have kept something
        }
        if (run.source.startsWith('job:')) {
          jobs.hear();
        }
      }
    }
  };
}
