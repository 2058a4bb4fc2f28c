/** What is said of the whole crew outside of the panel (UI-77, UI-135). Pure. */
import type { FrameKey } from './texts/frame';
import type { ActivityView } from './view';

/** The title with the number in front, whatever number stood there. */
export function countedTitle(title: string, waiting: number): string {
  const plain = title.replace(/^\(\d+\) /, '');
  return waiting > 0 ? `(${waiting}) ${plain}` : plain;
}

/** What the status bar says: working agents and pending requests. */
export function statusText(view: ActivityView): { key: FrameKey; working: number; waiting: number } {
  const working = new Set(view.runs.filter(run => run.status === 'running').map(run => run.agent_id)).size;
  const waiting = view.pending;
  const key = working > 0 ? (waiting > 0 ? 'status.both' : 'status.working') : waiting > 0 ? 'status.waiting' : 'status.idle';
  return { key, working, waiting };
}
