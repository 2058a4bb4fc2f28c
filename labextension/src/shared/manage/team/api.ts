/** The routes of the agent editor and of the keys, as typed functions (AGT-32, CHN-45). */
import type { Api } from '../../api';
import type * as C from '../../contract';
import { path, withQuery } from '../../urls';

/** Every method rejects with `ApiError`. */
export class TeamApi {
  constructor(private readonly api: Pick<Api, 'ask'>) {}

  save(id: string, changes: Record<string, unknown>): Promise<C.SavedAgent> {
    return this.api.ask('PATCH', path('agents', id), changes);
  }

  create(body: C.NewAgent): Promise<C.AgentView> {
    return this.api.ask('POST', 'agents', body);
  }

  remove(id: string): Promise<C.RemovedAgent> {
    return this.api.ask('DELETE', path('agents', id));
  }

  templates(): Promise<C.TemplateList> {
    return this.api.ask('GET', 'agents/templates');
  }

  install(template: string): Promise<C.InstallAnswer> {
    return this.api.ask('POST', 'agents/install', { template } satisfies C.InstallRequest);
  }

  prompt(id: string): Promise<C.AgentPrompt> {
    return this.api.ask('GET', path('agents', id, 'prompt'));
  }

  persona(id: string): Promise<C.PersonaFiles> {
    return this.api.ask('GET', path('agents', id, 'persona'));
  }

  savePersona(id: string, files: Record<string, string>): Promise<C.PersonaFiles> {
    return this.api.ask('PUT', path('agents', id, 'persona'), { files } satisfies C.PersonaFiles);
  }

  preview(query: C.PreviewQuery): Promise<C.SchedulePreview> {
    return this.api.ask('GET', withQuery('jobs/preview', { ...query }));
  }

  saveKey(name: string, value: string): Promise<C.Connections> {
    return this.api.ask('PUT', path('connections', 'keys', name), { value } satisfies C.KeyValue);
  }

  removeKey(name: string): Promise<C.Connections> {
    return this.api.ask('DELETE', path('connections', 'keys', name));
  }

  checkKey(name: string): Promise<C.KeyCheck> {
    return this.api.ask('POST', path('connections', 'keys', name, 'check'), {});
  }

  saveRoutes(lists: C.RouteLists): Promise<C.Connections> {
    return this.api.ask('PUT', 'connections/routes', lists);
  }
}
