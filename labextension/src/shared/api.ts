/** The routes of the API as typed functions over one injected request (UI-7, TURN-8, TURN-14). */
import type * as C from './contract';
import type { Failure } from './stores/types';
import { CanvasApi } from './canvas/api';
import { path, withQuery } from './urls';

/** One answer of the server, as far as it matters here. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Sends a request below `crewlab/api/`; rejects only when no answer came. */
export type Send = (where: string, init: { method: string; body?: string | FormData; signal?: AbortSignal }) => Promise<Answer>;

/** An answer that says no, or none at all (`status` 0, `code` `unreachable`). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    readonly fields: Readonly<Record<string, unknown>> = {}
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Whether no answer came: the request may have been carried out. */
  get lost(): boolean {
    return this.status === 0;
  }

  /** As it is shown beside its place (UI-8). */
  get failure(): Failure {
    return { code: this.code, status: this.status, message: this.message, fields: { ...this.fields } };
  }
}

/** Any error as a failure to show. */
export function failureOf(error: unknown): Failure {
  return error instanceof ApiError
    ? error.failure
    : { code: 'internal', status: 0, message: error instanceof Error ? error.message : String(error), fields: {} };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends one typed request; rejects with `ApiError`. */
export type Ask = <T>(method: Method, where: string, body?: object, signal?: AbortSignal) => Promise<T>;

/** The API of one server. Every method rejects with `ApiError`. */
export class Api {
  readonly canvases: CanvasApi;

  constructor(private readonly send: Send) {
    this.canvases = new CanvasApi((method, where, body, signal) => this.ask(method, where, body, signal));
  }

  version(): Promise<C.VersionInfo> {
    return this.ask('GET', 'version');
  }

  conversations(query: C.ConversationQuery = {}): Promise<C.ConversationList> {
    return this.ask('GET', withQuery('conversations', { ...query }));
  }

  conversation(id: string): Promise<C.Conversation> {
    return this.ask('GET', path('conversations', id));
  }

  createConversation(body: C.NewConversation): Promise<C.ConversationSummary> {
    return this.ask('POST', 'conversations', body);
  }

  patchConversation(id: string, changes: C.ConversationPatch): Promise<C.Conversation> {
    return this.ask('PATCH', path('conversations', id), changes);
  }

  async deleteConversation(id: string): Promise<void> {
    await this.ask<unknown>('DELETE', path('conversations', id));
  }

  sendMessage(id: string, body: C.SendMessage): Promise<C.SentMessage> {
    return this.ask('POST', path('conversations', id, 'messages'), body);
  }

  attach(id: string, file: File): Promise<C.NewAttachment> {
    const form = new FormData();
    form.append('file', file, file.name);
    return this.answered(path('conversations', id, 'attachments'), { method: 'POST', body: form });
  }

  async detach(id: string, file: string): Promise<void> {
    await this.ask<unknown>('DELETE', path('conversations', id, 'attachments', file));
  }

  stop(id: string, signal?: AbortSignal): Promise<C.StopAnswer> {
    return this.ask('POST', path('conversations', id, 'stop'), {}, signal);
  }

  fork(id: string, before: number): Promise<C.Conversation> {
    return this.ask('POST', path('conversations', id, 'fork'), { before_message_id: before } satisfies C.ForkRequest);
  }

  searchMessages(query: C.SearchQuery, signal?: AbortSignal): Promise<C.SearchResults> {
    return this.ask('GET', withQuery('messages/search', { ...query }), undefined, signal);
  }

  approvals(query: C.ApprovalQuery = {}): Promise<C.ApprovalList> {
    return this.ask('GET', withQuery('approvals', { ...query }));
  }

  decide(id: string, decision: C.Decision): Promise<C.Approval> {
    return this.ask('POST', path('approvals', id), decision);
  }

  runs(query: C.RunQuery = {}): Promise<C.RunList> {
    return this.ask('GET', withQuery('activity/runs', { ...query }));
  }

  run(id: string): Promise<C.Run> {
    return this.ask('GET', path('activity', 'runs', id));
  }

  agents(): Promise<C.AgentList> {
    return this.ask('GET', 'agents');
  }

  connections(): Promise<C.Connections> {
    return this.ask('GET', 'connections');
  }

  /** Sends one request; what answers with an error rejects with `ApiError`. */
  async ask<T>(method: Method, where: string, body?: object, signal?: AbortSignal): Promise<T> {
    return this.answered(where, { method, ...(body ? { body: JSON.stringify(body) } : {}), ...(signal ? { signal } : {}) });
  }

  private async answered<T>(where: string, init: Parameters<Send>[1]): Promise<T> {
    let answer: Answer;
    try {
      answer = await this.send(where, init);
    } catch (error) {
      throw new ApiError('unreachable', 0, error instanceof Error ? error.message : String(error));
    }
    if (answer.status >= 400) {
      throw errorOf(answer);
    }
    return answer.body as T;
  }
}

/** The error of an answer; what is no JSON of TURN-8 (a proxy's page) keeps its status. */
function errorOf({ status, body }: Answer): ApiError {
  const found: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { message, code, ...fields } = found;
  return new ApiError(
    typeof code === 'string' ? code : `http_${status}`,
    status,
    typeof message === 'string' ? message : `HTTP ${status}`,
    fields
  );
}
