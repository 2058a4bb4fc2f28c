/** Files of an agent's workspace, read with the page's token in the header, never in an address (UI-36, FIL-2). */
import { ServerConnection } from '@jupyterlab/services';
import { ApiError } from '../shared/api';
import type { WorkspaceFiles } from '../shared/files';
import { apiUrl, path as pathOf, withQuery } from '../shared/urls';

/** The files of every workspace behind one server. */
export function workspaceFiles(settings: ServerConnection.ISettings): WorkspaceFiles {
  const ask = async (agent: string, path: string, signal?: AbortSignal): Promise<Response> => {
    const url = apiUrl(settings.baseUrl, withQuery(pathOf('agents', agent, 'files'), { path }));
    const response = await ServerConnection.makeRequest(url, { method: 'GET', ...(signal ? { signal } : {}) }, settings);
    if (!response.ok) {
      throw await refused(response);
    }
    return response;
  };
  return {
    read: async (agent, path, signal) => (await ask(agent, path, signal)).blob(),
    size: async (agent, path) => {
      const response = await ask(agent, path);
      await response.body?.cancel(); // the head is enough
      return Number(response.headers.get('Content-Length') ?? 0);
    }
  };
}

async function refused(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { code?: unknown; message?: unknown } | null;
  const message = typeof body?.message === 'string' ? body.message : `HTTP ${response.status}`;
  return new ApiError(typeof body?.code === 'string' ? body.code : `http_${response.status}`, response.status, message);
}
