/** Sends a message so that it arrives once (UI-49, TURN-43): one id per send, repeated when the answer is lost. */
import { ApiError } from './api';
import type { SentMessage } from './contract';

const PAUSES_MS = [1000, 2000, 4000]; // UI-49
const ID_BYTES = 16; // UI-49: 32 hex characters

/** A name for one send. */
export function newRequestId(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = bytes => crypto.getRandomValues(bytes)): string {
  return Array.from(random(new Uint8Array(ID_BYTES)), byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Posts until an answer comes: at once, then after 1, 2 and 4 seconds. Rejects with `ApiError`; it is `lost` when no
 * answer came at all, and the same id may be sent again later.
 */
export async function sendOnce(post: () => Promise<SentMessage>, wait: (ms: number) => Promise<void>): Promise<SentMessage> {
  for (const pause of PAUSES_MS) {
    try {
      return await post();
    } catch (error) {
      if (!unanswered(error)) {
        throw error;
      }
    }
    await wait(pause);
  }
  return post();
}

/** No answer of the server itself: the line broke, or a proxy in between answered for it. */
function unanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.lost || error.status === 502 || error.status === 504);
}
