/** Owner of the jobs: what runs by the clock, and what a person does to it (JOB-25 to JOB-31, UI-95, UI-96). */
import type { JobInfo, JobList, Run } from '../contract';
import type { Loading } from '../stores/types';
import { Store } from '../stores/store';
import { Acts } from './acts';
import type { ManageApi } from './api';
import { Source, Throttle } from './source';

const REREAD_MS = 1000; // UI-96
const RUNS = 10; // runs of one job shown on demand

export interface JobRunsState {
  loading: Loading;
  runs: readonly Run[];
}

interface Host {
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

type Asks = Pick<ManageApi, 'jobs' | 'runJob' | 'pauseJob' | 'jobRuns' | 'deleteJob'>;

export class JobsStore extends Source<JobList> {
  readonly acts = new Acts();
  /** The run lists that are open, by the id of the job; reading the jobs again never loses one (UI-96). */
  readonly open = new OpenRuns();
  private readonly throttle: Throttle;

  constructor(
    host: Host,
    private readonly api: Asks
  ) {
    super(() => api.jobs());
    this.throttle = new Throttle(host, REREAD_MS, () => void this.reread());
  }

  /** Something has changed: read again, at most once a second (UI-96, JOB-24). */
  hear(): void {
    this.throttle.soon();
  }

  stop(): void {
    this.throttle.cancel();
  }

  async runNow(id: string): Promise<void> {
    await this.acts.run(id, () => this.api.runJob(id));
    this.hear();
  }

  async setPaused(id: string, paused: boolean): Promise<void> {
    const done = await this.acts.run(id, () => this.api.pauseJob(id, paused));
    if (done) {
      this.change(list => ({ ...list, jobs: list.jobs.map(job => (job.id === id ? done.value : job)) }));
    }
  }

  /** Removes a schedule that was made in a conversation; its runs stay (JOB-31). */
  async remove(id: string): Promise<boolean> {
    const done = await this.acts.run(id, () => this.api.deleteJob(id));
    if (done) {
      this.change(list => ({ ...list, jobs: list.jobs.filter(job => job.id !== id) }));
    }
    return done !== null;
  }

  /** Opens or closes the list of a job's runs. */
  async turnRuns(id: string): Promise<void> {
    if (this.open.has(id)) {
      this.open.drop(id);
      return;
    }
    this.open.put(id, { loading: 'loading', runs: [] });
    await this.readRuns(id);
  }

  private async readRuns(id: string): Promise<void> {
    try {
      const { runs } = await this.api.jobRuns(id, { limit: RUNS });
      this.open.answer(id, { loading: 'ready', runs });
    } catch {
      const known = this.open.getSnapshot()[id];
      this.open.answer(id, known && known.runs.length > 0 ? known : { loading: 'failed', runs: [] });
    }
  }

  private async reread(): Promise<void> {
    await Promise.all([this.load(), ...this.open.ids().map(id => this.readRuns(id))]);
  }
}

class OpenRuns extends Store<Readonly<Record<string, JobRunsState>>> {
  constructor() {
    super({});
  }

  has(id: string): boolean {
    return id in this.getSnapshot();
  }

  ids(): string[] {
    return Object.keys(this.getSnapshot());
  }

  put(id: string, state: JobRunsState): void {
    this.set({ ...this.getSnapshot(), [id]: state });
  }

  /** An answer for a list that was closed meanwhile is too late. */
  answer(id: string, state: JobRunsState): void {
    if (this.has(id)) {
      this.put(id, state);
    }
  }

  drop(id: string): void {
    const { [id]: _gone, ...rest } = this.getSnapshot();
    this.set(rest);
  }
}

/** Whether the last run of a job failed: counted, muted or not (JOB-42, JOB-44). */
export function isFailing(job: JobInfo): boolean {
  return job.failing > 0;
}
