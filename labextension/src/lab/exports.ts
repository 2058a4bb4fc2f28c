/** Files that the crew gives away (UI-20, TURN-109). */
import { Notification } from '@jupyterlab/apputils';
import { path, withQuery } from '../shared/urls';
import type { Face } from './face';
import { download } from './server';

/** Saves a run as JSON or Markdown (TURN-107); a failure is said in a notification. Never rejects. */
export async function exportRun(face: Face, id: string, format: 'json' | 'md'): Promise<void> {
  try {
    await download(face.settings, withQuery(path('activity', 'runs', id, 'export'), { format }));
  } catch (error) {
    Notification.error(face.text('export.run_failed', { message: error instanceof Error ? error.message : String(error) }));
  }
}

/** Saves a conversation as `<title>.md`; a failure is said in a notification. Never rejects. */
export async function exportConversation(face: Face, id: string | null): Promise<void> {
  if (id === null) {
    return;
  }
  try {
    await download(face.settings, path('conversations', id, 'export'));
  } catch (error) {
    Notification.error(face.text('export.failed', { message: error instanceof Error ? error.message : String(error) }));
  }
}
