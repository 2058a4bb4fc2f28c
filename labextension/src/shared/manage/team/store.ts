/** Owner of the team: what is typed into profiles and not saved yet, and what a person does to agents (UI-85, UI-86). */
import { ApiError, failureOf } from '../../api';
import type { AgentPrompt, AgentView, InstallAnswer, PersonaFiles, RemovedAgent, TemplateList } from '../../contract';
import { Store } from '../../stores/store';
import type { AgentsRegion, Failure } from '../../stores/types';
import { Acts } from '../acts';
import { Source } from '../source';
import type { TeamApi } from './api';
import { type Errors, errorsOf, without } from './errors';
import { fieldOf } from './fields';
import { baseOf, changesOf, differs, type Edits, type Value } from './values';

/** What belongs to one agent while it is edited. */
export interface Draft {
  readonly edits: Edits;
  readonly errors: Errors;
  /** Why the last save failed; null after one that went well, or after a change. */
  readonly failure: Failure | null;
  readonly saving: boolean;
  /** Goes up with every refused save: the view moves to the first field that needs a change. */
  readonly refused: number;
}

export const NO_DRAFT: Draft = { edits: {}, errors: {}, failure: null, saving: false, refused: 0 };

export interface TeamState {
  readonly drafts: Readonly<Record<string, Draft>>;
  /** The agent that was removed last, to say where it lies now. */
  readonly removed: RemovedAgent | null;
  /** What was installed last. */
  readonly installed: InstallAnswer | null;
}

export class TeamStore extends Store<TeamState> {
  readonly acts = new Acts();
  readonly templates: Source<TemplateList>;
  private readonly personas = new Map<string, Source<PersonaFiles>>();
  private readonly prompts = new Map<string, Source<AgentPrompt>>();

  constructor(
    readonly api: TeamApi,
    private readonly agents: Pick<AgentsRegion, 'load'>
  ) {
    super({ drafts: {}, removed: null, installed: null });
    this.templates = new Source(() => api.templates());
  }

  /** The persona files of an agent. */
  persona(id: string): Source<PersonaFiles> {
    return kept(this.personas, id, () => new Source(() => this.api.persona(id)));
  }

  /** The prompt of an agent as it is now. */
  prompt(id: string): Source<AgentPrompt> {
    return kept(this.prompts, id, () => new Source(() => this.api.prompt(id)));
  }

  draft(id: string): Draft {
    return this.getSnapshot().drafts[id] ?? NO_DRAFT;
  }

  /** What a control holds now. */
  formValue(agent: AgentView, key: string): Value {
    return this.draft(agent.id).edits[key] ?? (key in this.draft(agent.id).edits ? null : this.base(agent, key));
  }

  /** What a control holds while nothing was typed. */
  base(agent: AgentView, key: string): Value {
    return fieldOf(key)?.kind === 'file' ? (this.persona(agent.id).getSnapshot().data?.files[key] ?? '') : baseOf(agent, key);
  }

  /** Keeps what was typed; a value that the file says already is no change. */
  edit(agent: AgentView, key: string, value: Value): void {
    const draft = this.draft(agent.id);
    const field = fieldOf(key);
    const { [key]: _old, ...others } = draft.edits;
    const base = this.base(agent, key);
    const same = field && !differs(field, base, value) && JSON.stringify(base) === JSON.stringify(value);
    this.keep(agent.id, { ...draft, edits: same ? others : { ...others, [key]: value }, errors: without(draft.errors, key), failure: null });
  }

  /** The agents with something that a save would write. */
  unsaved(agents: readonly AgentView[]): string[] {
    return agents.filter(agent => this.dirty(agent)).map(agent => agent.id);
  }

  dirty(agent: AgentView): boolean {
    return Object.keys(changesOf(agent, this.draft(agent.id).edits)).length > 0 || Object.keys(this.files(agent)).length > 0;
  }

  discard(id: string): void {
    const { [id]: _gone, ...drafts } = this.getSnapshot().drafts;
    this.set({ ...this.getSnapshot(), drafts });
  }

  /** Saves what differs; what was refused stays typed (UI-86). Resolves with whether all of it was saved. */
  async save(agent: AgentView): Promise<boolean> {
    if (this.draft(agent.id).saving) {
      return false;
    }
    const sent = this.draft(agent.id).edits;
    this.keep(agent.id, { ...this.draft(agent.id), saving: true, errors: {}, failure: null });
    try {
      const changes = changesOf(agent, sent);
      if (Object.keys(changes).length > 0) {
        await this.api.save(agent.id, changes);
      }
      const files = this.files(agent);
      if (Object.keys(files).length > 0) {
        const saved = await this.api.savePersona(agent.id, files);
        this.persona(agent.id).change(() => saved);
      }
      await this.agents.load();
      this.settle(agent.id, sent);
      return true;
    } catch (error) {
      const failure = error instanceof ApiError ? error.failure : failureOf(error);
      await this.agents.load(); // a part may have been saved
      const draft = this.draft(agent.id);
      this.keep(agent.id, { ...draft, saving: false, failure, errors: errorsOf(failure), refused: draft.refused + 1 });
      return false;
    }
  }

  /** Makes an agent; resolves with its id, or null. */
  async create(id: string, keys: Record<string, unknown>): Promise<string | null> {
    const done = await this.acts.run('create', () => this.api.create({ id, ...keys }));
    if (done) {
      await this.agents.load();
    }
    return done ? done.value.id : null;
  }

  async install(template: string): Promise<void> {
    const done = await this.acts.run(`install ${template}`, () => this.api.install(template));
    if (done) {
      this.set({ ...this.getSnapshot(), installed: done.value });
      await Promise.all([this.agents.load(), this.templates.load()]);
    }
  }

  /** Takes an agent out of the crew; resolves with whether it is gone (AGT-37). */
  async remove(id: string): Promise<boolean> {
    const done = await this.acts.run(`remove ${id}`, () => this.api.remove(id));
    if (done) {
      this.discard(id);
      this.personas.delete(id);
      this.prompts.delete(id);
      this.set({ ...this.getSnapshot(), removed: done.value });
      await Promise.all([this.agents.load(), this.templates.load()]);
    }
    return done !== null;
  }

  /** The persona files whose text was changed. */
  private files(agent: AgentView): Record<string, string> {
    const edits = Object.entries(this.draft(agent.id).edits);
    const changed = edits.filter(([key, value]) => fieldOf(key)?.kind === 'file' && value !== this.base(agent, key));
    return Object.fromEntries(changed.map(([key, value]) => [key, String(value)]));
  }

  /** After a save: what was typed meanwhile stays. */
  private settle(id: string, sent: Edits): void {
    const rest = Object.entries(this.draft(id).edits).filter(([key, value]) => value !== sent[key]);
    this.keep(id, { ...NO_DRAFT, edits: Object.fromEntries(rest) });
  }

  private keep(id: string, draft: Draft): void {
    this.set({ ...this.getSnapshot(), drafts: { ...this.getSnapshot().drafts, [id]: draft } });
  }
}

function kept<T>(map: Map<string, T>, id: string, make: () => T): T {
  const found = map.get(id) ?? make();
  map.set(id, found);
  return found;
}
