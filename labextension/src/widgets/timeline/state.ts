/** What the kernel side sends and what the page makes of it (UI-158); mirrors `crewlab/widgets/state.py`. Pure. */
import type { Run, Step } from '../../shared/contract';

/** A run's timeline as it stands in the widget's model: fields of a step that are null are left out. */
export interface TimelineState extends Empty {
  run: RunHead;
  steps: (Partial<Step> & Pick<Step, 'index' | 'kind' | 'status' | 'started_at'>)[];
}

type RunHead = Omit<Run, 'steps' | 'relayed_from' | 'after_seq' | 'resumed' | 'timezone'>;

/** The state before the first run. */
export interface Empty {
  at: string;
  language: string;
  dropped: number;
  offline?: string | null;
  run: RunHead | null;
}

export interface Change {
  type: 'change';
  at: string;
  run: Partial<RunHead>;
  steps: TimelineState['steps'];
  first: number | null;
  count: number;
  dropped?: number;
  language?: string;
  offline?: string | null;
}

export type FromKernel = Change | { type: 'state'; state: Empty } | { type: 'answer'; action: string; error: string | null };

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

/** Whether a model holds a state; before the kernel has said anything it is an empty object. */
export function isState(value: unknown): value is Empty {
  return typeof value === 'object' && value !== null && 'run' in value && 'steps' in value;
}

/** Whether there is a run in it. */
export function hasRun(state: Empty): state is TimelineState {
  return state.run !== null;
}

/** The state after a change. */
export function applyChange(old: TimelineState, change: Change): TimelineState {
  const { type: _type, at, run, steps, first, count, ...rest } = change;
  const byIndex = new Map([...old.steps, ...steps].map(step => [step.index, step]));
  const kept = [...byIndex.values()]
    .sort((a, b) => a.index - b.index)
    .filter(step => first !== null && step.index >= first)
    .slice(0, count);
  return { ...old, ...rest, at, run: { ...old.run, ...run }, steps: kept };
}

/** The run as the shared words read it. */
export function runOf(state: TimelineState): Run {
  const steps = state.steps.map(step => ({ ...EMPTY_STEP, ...step }));
  return { relayed_from: null, after_seq: null, resumed: false, timezone: null, ...state.run, steps };
}
