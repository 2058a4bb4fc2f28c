/** The result of a job as it is stored, in its parts (DLG-36 to DLG-46); mirrors `crewlab/engine/delegate/result.py`. Pure. */
import { type CanvasTag, readTag } from './canvas/tag';

export type Outcome = 'done' | 'done_with_concerns' | 'blocked' | 'needs_context' | 'failed';

export interface JobResult {
  conversation_id: string;
  status: string;
  spent_usd: number;
  steps: number;
  unknown_calls: number;
  outcome: string;
  /** A code or words of the child; empty for `done`. */
  reason: string;
  canvases: CanvasTag[];
  /** Canvases beyond those that are named. */
  more: number;
  body: string;
}

const FIRST = /^conversation=(\S+) status=(\w+) spent=\$(\d+\.\d+) steps=(\d+)(?: unknown_calls=(\d+))?$/;
const SECOND = /^outcome=(\w+)(?: reason=(.*))?$/;
const MORE = /^\(\+(\d+) more canvases, see artifact_list\)\n?/;
const FENCE = /<<<RESULT ([0-9a-f]{16})\n([\s\S]*)\nRESULT \1>>>/;

/** A stored result in its parts; null for a text that is none (a refusal). Only tags above the empty line are canvases (DLG-60). */
export function readJob(text: string): JobResult | null {
  const lines = text.split('\n');
  const first = FIRST.exec(lines[0] ?? '');
  const second = SECOND.exec(lines[1] ?? '');
  if (!first || !second) {
    return null;
  }
  const block = blockOf(lines.slice(2));
  const more = MORE.exec(block.body);
  return {
    ...figuresOf(first),
    outcome: second[1] ?? '',
    reason: second[2] ?? '',
    canvases: block.canvases,
    more: Number(more?.[1] ?? 0),
    body: more ? block.body.slice(more[0].length) : block.body
  };
}

function figuresOf(first: RegExpExecArray): Pick<JobResult, 'conversation_id' | 'status' | 'spent_usd' | 'steps' | 'unknown_calls'> {
  return { conversation_id: first[1] ?? '', status: first[2] ?? '', spent_usd: Number(first[3]), steps: Number(first[4]), unknown_calls: Number(first[5] ?? 0) };
}

function blockOf(lines: readonly string[]): { canvases: CanvasTag[]; body: string } {
  const canvases: CanvasTag[] = [];
  for (const [place, line] of lines.entries()) {
    const tag = readTag(line);
    if (!tag) {
      return line === '' ? { canvases, body: lines.slice(place + 1).join('\n') } : { canvases: [], body: lines.join('\n') };
    }
    canvases.push(tag);
  }
  return { canvases: [], body: lines.join('\n') };
}

/** The child's own words: what stands in the fence, or the whole body where there is none. */
export function wordsOf(body: string): string {
  return FENCE.exec(body)?.[2] ?? body;
}

/** The conversation a run gave a job to, by the id of the call; null while it is not known. */
export function childOf(runs: readonly { steps: readonly { tool_call_id: string | null; child_id: string | null }[] }[], callId: string): string | null {
  for (const run of runs) {
    const step = run.steps.find(one => one.tool_call_id === callId && one.child_id !== null);
    if (step) {
      return step.child_id;
    }
  }
  return null;
}

/** The conversation whose turn gave this run its job; null for every other run (DLG-12, VIBE-6). */
export function openerOf(run: { source: string }): string | null {
  return /^(?:delegate|vibe):(.+)$/.exec(run.source)?.[1] ?? null;
}
