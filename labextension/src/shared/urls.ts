/** Every address of the API, built from what the server says about itself (FX-1: a base such as `/user/a%40b/` stays as it is). */

const API = 'crewlab/api';

/** A path of the API: each part is encoded, so that an id never changes the path. */
export function path(...parts: (string | number)[]): string {
  return parts.map(part => encodeURIComponent(String(part))).join('/');
}

/** The same with a query; values that are null or undefined are left out. */
export function withQuery(where: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');
  return text === '' ? where : `${where}?${text}`;
}

/** The name that an answer is to be saved under, from its `Content-Disposition` (TURN-108). */
export function savedName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  try {
    return encoded ? decodeURIComponent(encoded) : (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? '');
  } catch {
    return '';
  }
}

/** Full address of an API path below the server's base URL. */
export function apiUrl(baseUrl: string, where: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${API}/${where}`;
}

/** Address of the window's WebSocket (WIRE-5); a token only where the page has no cookie. */
export function socketUrl(wsUrl: string, token: string | null): string {
  return withQuery(apiUrl(wsUrl, 'ws'), { token: token || null });
}

/** Address of the multiplexed stream (WIRE-9): each topic with the last id seen on it. */
export function streamUrl(baseUrl: string, topics: readonly { name: string; after: string | null }[]): string {
  const names = topics.map(({ name, after }) => `topic=${encodeURIComponent(after === null ? name : `${name}@${after}`)}`);
  return `${apiUrl(baseUrl, 'stream')}?${names.join('&')}`;
}

/** The topic of a conversation (WIRE-1). */
export function conversationTopic(id: string): string {
  return `conversation:${id}`;
}

/** The topic of the whole crew (WIRE-1). */
export const ACTIVITY_TOPIC = 'activity';
