/** How this page speaks to the server: JupyterLab's own settings, token and XSRF header (UI-7, FX-1). */
import { ServerConnection } from '@jupyterlab/services';
import type { Send } from '../shared/api';
import type { ConnectionHost } from '../shared/connection';
import type { SocketLike } from '../shared/transports';
import { apiUrl, savedName, socketUrl } from '../shared/urls';

type Settings = ServerConnection.ISettings;

const KEEP_MS = 60_000; // the browser has read the file long before

/** Requests below `crewlab/api/`. */
export function requests(settings: Settings): Send {
  return async (where, init) => {
    const response = await ServerConnection.makeRequest(apiUrl(settings.baseUrl, where), init, settings);
    return { status: response.status, body: await bodyOf(response) };
  };
}

/** What the window's connection needs. */
export function connectionHost(settings: Settings): ConnectionHost {
  return {
    baseUrl: settings.baseUrl,
    openSocket: () => openSocket(settings),
    fetchStream: async (url, signal) => {
      const init = { method: 'GET', headers: { Accept: 'text/event-stream' }, signal };
      const response = await ServerConnection.makeRequest(url, init, settings);
      if (!response.ok || !response.body) {
        throw new Error(`HTTP ${response.status}`);
      }
      return response.body;
    },
    now: () => Date.now(),
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: timer => window.clearTimeout(timer)
  };
}

function openSocket(settings: Settings): SocketLike {
  const socket = new settings.WebSocket(socketUrl(settings.wsUrl, settings.appendToken ? settings.token : null));
  const like: SocketLike = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: text => socket.send(text),
    close: () => socket.close()
  };
  socket.onopen = () => like.onopen?.();
  socket.onmessage = (event: MessageEvent<unknown>) => like.onmessage?.(event);
  socket.onclose = () => like.onclose?.();
  return like;
}

/** Reads a file of the API and has the browser save it. Rejects with what the server says. */
export async function download(settings: Settings, where: string): Promise<void> {
  const response = await file(settings, where, { method: 'GET' });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = savedName(response.headers.get('Content-Disposition') ?? '');
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}

/** The bytes of a file of the API. Rejects with what the server says. */
export async function bytes(settings: Settings, where: string, signal: AbortSignal): Promise<Blob> {
  return (await file(settings, where, { method: 'GET', signal })).blob();
}

async function file(settings: Settings, where: string, init: RequestInit): Promise<Response> {
  const response = await ServerConnection.makeRequest(apiUrl(settings.baseUrl, where), init, settings);
  if (!response.ok) {
    const body = await bodyOf(response);
    throw new Error(body !== null && typeof body === 'object' && 'message' in body ? String(body.message) : `HTTP ${response.status}`);
  }
  return response;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null; // a page of a proxy: the status says enough
  }
}
