/** The routes that only the Crew manager asks (JOB-25, TOOL-39, MEMF-17), as typed functions. */
import type { Api } from '../api';
import type * as C from '../contract';
import { path, withQuery } from '../urls';

/** Every method rejects with `ApiError`. */
export class ManageApi {
  constructor(private readonly api: Pick<Api, 'ask'>) {}

  jobs(): Promise<C.JobList> {
    return this.api.ask('GET', 'jobs');
  }

  runJob(id: string): Promise<C.JobStarted> {
    return this.api.ask('POST', job(id, 'run'), {});
  }

  pauseJob(id: string, paused: boolean): Promise<C.JobInfo> {
    return this.api.ask('PATCH', job(id, 'state'), { paused } satisfies C.JobStateChange);
  }

  jobRuns(id: string, query: C.JobRunQuery = {}): Promise<C.JobRuns> {
    return this.api.ask('GET', withQuery(job(id, 'runs'), { ...query }));
  }

  async deleteJob(id: string): Promise<void> {
    await this.api.ask<unknown>('DELETE', job(id));
  }

  usage(query: C.UsagePeriod): Promise<C.UsageParts> {
    return this.api.ask('GET', withQuery('stats/parts', { ...query }));
  }

  person(): Promise<C.PersonLines> {
    return this.api.ask('GET', 'settings/person');
  }

  savePerson(lines: C.PersonLines): Promise<C.PersonLines> {
    return this.api.ask('PUT', 'settings/person', lines);
  }

  tools(): Promise<C.ToolList> {
    return this.api.ask('GET', 'tools');
  }

  proposals(): Promise<C.ProposalList> {
    return this.api.ask('GET', 'memory/proposals');
  }

  decideProposal(id: string, decision: C.ProposalDecision): Promise<C.MemoryProposal> {
    return this.api.ask('POST', path('memory', 'proposals', id), decision);
  }

  userMemory(): Promise<C.UserMemory> {
    return this.api.ask('GET', 'memory/user');
  }

  saveFact(slug: string, change: C.FactChange): Promise<C.UserFact> {
    return this.api.ask('PUT', path('memory', 'user', slug), change);
  }

  forgetFact(slug: string): Promise<C.UserFact> {
    return this.api.ask('DELETE', path('memory', 'user', slug));
  }

  scriptShelves(agent: string): Promise<C.ScriptShelves> {
    return this.api.ask('GET', path('agents', agent, 'script-store'));
  }

  scriptValue(agent: string, query: C.ValueQuery): Promise<C.ScriptValue> {
    return this.api.ask('GET', withQuery(path('agents', agent, 'script-store', 'value'), { ...query }));
  }

  forgetScriptValues(agent: string, query: C.ForgetQuery): Promise<C.ScriptValuesDeleted> {
    return this.api.ask('DELETE', withQuery(path('agents', agent, 'script-store'), { ...query }));
  }

  agentMemory(id: string): Promise<C.AgentMemoryView> {
    return this.api.ask('GET', path('agents', id, 'memory'));
  }
}

/** The id of a job holds a slash, and the routes take the rest of the path (JOB-25). */
function job(id: string, ...rest: string[]): string {
  return path('jobs', ...id.split('/'), ...rest);
}
