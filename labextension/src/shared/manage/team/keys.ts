/** Owner of the keys and routes as a person changes them: a value lives only in its field, and only until it was sent (UI-99, UI-101). */
import type { KeyCheck, RouteLists } from '../../contract';
import { Store } from '../../stores/store';
import type { AgentsRegion } from '../../stores/types';
import { Acts } from '../acts';
import type { TeamApi } from './api';

type Asks = Pick<TeamApi, 'saveKey' | 'removeKey' | 'checkKey' | 'saveRoutes'>;

export class KeysStore extends Store<Readonly<Record<string, KeyCheck>>> {
  readonly acts = new Acts();

  constructor(
    private readonly api: Asks,
    private readonly agents: Pick<AgentsRegion, 'load'>
  ) {
    super({});
  }

  /** Saves a value; it is kept nowhere. Resolves with whether it was saved. */
  async save(name: string, value: string): Promise<boolean> {
    this.forget(name);
    const done = await this.acts.run(name, () => this.api.saveKey(name, value));
    if (done) {
      await this.agents.load(); // routes may answer now
    }
    return done !== null;
  }

  async remove(name: string): Promise<boolean> {
    this.forget(name);
    const done = await this.acts.run(name, () => this.api.removeKey(name));
    if (done) {
      await this.agents.load();
    }
    return done !== null;
  }

  /** Asks the service itself; the answer stands beside the key until it is changed. */
  async check(name: string): Promise<void> {
    const done = await this.acts.run(name, () => this.api.checkKey(name));
    if (done) {
      this.set({ ...this.getSnapshot(), [name]: done.value });
    }
  }

  /** Sets lists of routes; resolves with whether they were saved. */
  async saveRoutes(lists: RouteLists): Promise<boolean> {
    const done = await this.acts.run('routes', () => this.api.saveRoutes(lists));
    if (done) {
      await this.agents.load();
    }
    return done !== null;
  }

  private forget(name: string): void {
    const { [name]: _old, ...rest } = this.getSnapshot();
    this.set(rest);
  }
}
