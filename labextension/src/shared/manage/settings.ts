/** Owner of what Settings show of the server: the lines about the person and its version (PTL-152, UI-129). */
import type { PersonLines, VersionInfo } from '../contract';
import { Acts } from './acts';
import type { ManageApi } from './api';
import { Source } from './source';

/** The act of saving the lines about the person. */
export const SAVE_PERSON = 'person';

export class SettingsStore {
  readonly person: Source<PersonLines>;
  readonly version: Source<VersionInfo>;
  readonly acts = new Acts();

  constructor(
    private readonly api: Pick<ManageApi, 'person' | 'savePerson'>,
    version: () => Promise<VersionInfo>
  ) {
    this.person = new Source(() => api.person());
    this.version = new Source(version);
  }

  async load(): Promise<void> {
    await Promise.all([this.person.load(), this.version.load()]);
  }

  /** Saves the three lines; what is refused stays in `acts`. */
  async save(lines: PersonLines): Promise<boolean> {
    const done = await this.acts.run(SAVE_PERSON, () => this.api.savePerson(lines));
    if (done) {
      this.person.change(() => done.value);
    }
    return done !== null;
  }
}
