/** Owner of the activity topic (UI-3): runs of the whole crew, pending requests, and the runs read for a conversation. */
import { emptyActivity, reduceActivity } from '../activity';
import { failureOf } from '../api';
import type { ActivityFrame, Approval, ArtifactFrame, Run } from '../contract';
import { openerOf } from '../delegate';
import { ACTIVITY_TOPIC } from '../urls';
import { Batch, type StoreHost } from './host';
import { Store } from './store';
import type { ActivityRegion, ActivityState, Failure } from './types';

const HISTORY = 20; // runs read for one conversation
const APPROVALS_PAUSE_MS = 100; // several frames of one change are read once

export class ActivityStore extends Store<ActivityState> implements ActivityRegion {
  /** Hears every run, whichever conversation it is of. */
  onRun: (run: Run) => void = () => undefined;
  /** Hears every canvas that has changed; null when such frames may have been missed. */
  onArtifact: (frame: ArtifactFrame | null) => void = () => undefined;
  private leave: (() => void) | null = null;
  private readonly batch: Batch;
  private next: ActivityState;
  private approvalsTimer: number | null = null;

  constructor(private readonly host: StoreHost) {
    super({ view: emptyActivity(), approvals: [], history: {} });
    this.next = this.getSnapshot();
    this.batch = new Batch(host, () => this.set(this.next));
  }

  /** Begins to listen; a second call changes nothing. */
  start(): void {
    this.leave ??= this.host.watch(ACTIVITY_TOPIC, { frame: frame => this.hear(frame.data as ActivityFrame) });
  }

  /** Stops listening. */
  stop(): void {
    this.leave?.();
    this.leave = null;
    this.batch.cancel();
  }

  async loadRuns(conversationId: string): Promise<void> {
    try {
      const { runs } = await this.host.api.runs({ conversation_id: conversationId, limit: HISTORY });
      this.next = { ...this.next, history: { ...this.next.history, [conversationId]: runs } };
      this.batch.now();
    } catch {
      // the column stays as it was: what runs now comes by frames
    }
  }

  loadRun(id: string): Promise<Run> {
    return this.host.api.run(id);
  }

  async decide(id: string, decision: 'approve' | 'deny', always: boolean): Promise<Failure | null> {
    try {
      await this.host.api.decide(id, { decision, always });
      this.next = { ...this.next, approvals: this.next.approvals.filter(one => one.id !== id) };
      this.batch.now();
      return null;
    } catch (error) {
      this.readApprovals(); // somebody may have been first (UI-63)
      return failureOf(error);
    }
  }

  private hear(frame: ActivityFrame): void {
    const before = this.next.view;
    const view = reduceActivity(before, frame);
    this.next = { ...this.next, view };
    for (const run of frame.type === 'run' ? [frame.run] : frame.type === 'snapshot' ? frame.runs : []) {
      this.next = { ...this.next, history: withRun(this.next.history, run) };
      this.onRun(run);
    }
    if (frame.type === 'artifact' || frame.type === 'snapshot') {
      this.onArtifact(frame.type === 'artifact' ? frame : null);
    }
    if (frame.type === 'snapshot') {
      // a run that goes on after a restart is news to a page that was open all the time
      this.next = { ...this.next, history: frame.runs.reduce(withRun, this.next.history) };
    }
    if (view.pending !== before.pending || frame.type === 'snapshot') {
      this.readApprovals();
    }
    this.batch.soon();
  }

  /** The set of pending requests has changed (UI-5). */
  private readApprovals(): void {
    this.approvalsTimer ??= this.host.setTimeout(() => {
      this.approvalsTimer = null;
      void this.loadApprovals();
    }, APPROVALS_PAUSE_MS);
  }

  private async loadApprovals(): Promise<void> {
    try {
      const { approvals } = await this.host.api.approvals({ status: 'pending' });
      this.next = { ...this.next, approvals: approvals.filter(isPending) };
      this.batch.now();
    } catch {
      // read again with the next change
    }
  }
}

function isPending(approval: Approval): boolean {
  return approval.status === 'pending';
}

/** Puts a run into the lists it belongs to: its own conversation's, and that of the conversation that opened it (TURN-91). */
function withRun(history: ActivityState['history'], run: Run): ActivityState['history'] {
  const ids = [run.conversation_id, openerOf(run)].filter((id): id is string => typeof id === 'string' && history[id] !== undefined);
  if (ids.length === 0) {
    return history;
  }
  const changed = { ...history };
  for (const id of ids) {
    const runs = changed[id] ?? [];
    const place = runs.findIndex(one => one.id === run.id);
    changed[id] = place < 0 ? [run, ...runs] : runs.with(place, run);
  }
  return changed;
}
