/** The state of a run's timeline as its kernel side makes it (`crewlab/widgets/state.py`). Pure. */
import type { Run, Step } from '../../shared/contract';
import type { Base } from '../live/wire';

/** A run's timeline as it stands in the widget's model: fields of a step that are null are left out. */
export interface Shown extends Base {
  run: RunHead | null;
  steps: (Partial<Step> & Pick<Step, 'index' | 'kind' | 'status' | 'started_at'>)[];
  dropped: number;
}

export interface TimelineState extends Shown {
  run: RunHead;
}

type RunHead = Omit<Run, 'steps' | 'relayed_from' | 'after_seq' | 'resumed' | 'timezone'>;

const EMPTY_STEP: Omit<Step, 'index' | 'kind' | 'status' | 'started_at'> = {
  ms: null,
  route: null,
  cost_usd: null,
  cost_estimated: null,
  prompt_tokens: null,
  completion_tokens: null,
  cached_tokens: null,
  reasoning_tokens: null,
  tool_call_id: null,
  name: null,
  arguments: null,
  output: null,
  shortened: null,
  original_chars: null,
  calls: null,
  child_id: null,
  received_chars: null,
  printed_chars: null,
  error: null,
  reason: null,
  text: null,
  approval_id: null,
  tool: null,
  outcome: null
};

/** Whether there is a run in it. */
export function hasRun(state: Shown): state is TimelineState {
  return state.run !== null;
}

/** Whether nothing more comes of it. */
export function isOver(state: Shown | null): boolean {
  const status = state?.run?.status;
  return status !== 'running' && status !== 'waiting';
}

/** The run as the shared words read it. */
export function runOf(state: TimelineState): Run {
  const steps = state.steps.map(step => ({ ...EMPTY_STEP, ...step }));
  return { relayed_from: null, after_seq: null, resumed: false, timezone: null, ...state.run, steps };
}
