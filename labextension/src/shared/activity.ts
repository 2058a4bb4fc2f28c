/**
 * From the frames of the activity topic to the view of the whole crew (UI-2, TURN-93). Pure;
 * `crewlab/notebook/reducers/activity.py` gives the same JSON.
 */
import type * as C from './contract';
import type { ActivityView } from './view';

const KEPT_ENDED = 50; // view.ts: runs that ended while this window watched

type Handlers = {
  [T in C.ActivityFrame['type']]?: (view: ActivityView, frame: Extract<C.ActivityFrame, { type: T }>) => ActivityView;
};

/** The view before anything is known. */
export function emptyActivity(): ActivityView {
  return { runs: [], ended: [], pending: 0, conversations: {}, snapshots: 0, revisions: { jobs: 0, tools: 0, artifacts: 0, workers: 0 } };
}

/** The view after one more frame; a frame that is not known changes nothing (UI-111). */
export function reduceActivity(view: ActivityView, frame: C.ActivityFrame): ActivityView {
  if (!Object.hasOwn(HANDLERS, frame.type)) {
    return view;
  }
  return (HANDLERS[frame.type] as (view: ActivityView, frame: C.ActivityFrame) => ActivityView)(view, frame);
}

/** Whether a run still goes on (TURN-88). */
export function isLive(run: C.Run): boolean {
  return run.status === 'running' || run.status === 'waiting';
}

const HANDLERS: Handlers = {
  snapshot: (view, frame) => ({ ...view, runs: newestFirst(frame.runs), pending: frame.pending, snapshots: view.snapshots + 1 }),
  run: (view, { run }) => {
    const others = view.runs.filter(one => one.id !== run.id);
    const ended = view.ended.filter(one => one.id !== run.id);
    return isLive(run)
      ? { ...view, runs: newestFirst([run, ...others]), ended }
      : { ...view, runs: others, ended: newestFirst([run, ...ended]).slice(0, KEPT_ENDED) };
  },
  event: (view, frame) => {
    const step = frame.name === 'approval_required' ? 1 : frame.name === 'approval_decided' ? -1 : 0;
    return step === 0 ? view : { ...view, pending: Math.max(0, view.pending + step) };
  },
  conversation: (view, frame) => {
    if (frame.deleted) {
      return forget(view, frame.id ?? '');
    }
    const { conversation } = frame;
    return conversation ? { ...view, conversations: { ...view.conversations, [conversation.id]: conversation } } : view;
  },
  artifact: view => raise(view, 'artifacts'),
  jobs: view => raise(view, 'jobs'),
  workers: view => raise(view, 'workers'),
  tools: view => raise(view, 'tools')
};

/** A deleted conversation takes its waiting request with it (TURN-20). */
function forget(view: ActivityView, id: string): ActivityView {
  const waited = view.conversations[id]?.pending ? 1 : 0;
  return { ...view, pending: Math.max(0, view.pending - waited), conversations: { ...view.conversations, [id]: null } };
}

function raise(view: ActivityView, name: keyof ActivityView['revisions']): ActivityView {
  return { ...view, revisions: { ...view.revisions, [name]: view.revisions[name] + 1 } };
}

function newestFirst(runs: readonly C.Run[]): C.Run[] {
  return [...runs].sort((one, other) => compare(other.started_at, one.started_at) || compare(other.id, one.id));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
