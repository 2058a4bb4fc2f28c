/** Where an inserted text came from (UI-139, UI-140). Pure. */
import type { Message, Run } from '../contract';
import type { Translate } from '../texts';
import { TICK } from './quote';

/** What the metadata of a cell keep. */
export interface CellOrigin {
  run_id: string | null;
  message_id: number | null;
}

/** The stored message of an answer that this page has seen being written: the newest with the same words (compare UI-57). */
export function storedAnswer(messages: readonly Message[], text: string): Message | null {
  return messages.findLast(message => message.role === 'assistant' && message.content === text) ?? null;
}

/** The run in which something was said; null when none of these runs was going on then. */
export function runAt(runs: readonly Run[], conversationId: string, at: string): string | null {
  const time = Date.parse(at);
  const fits = (run: Run): boolean =>
    run.conversation_id === conversationId &&
    Date.parse(run.started_at) <= time &&
    (run.ended_at === null || time <= Date.parse(run.ended_at));
  return runs.find(fits)?.id ?? null;
}

/** An answer as a Markdown cell: a line that says who, when and in which run, then the words as they are. */
export function answerCell(text: string, agent: string, at: string, runId: string | null, t: Translate): string {
  const name = agent.replace(/[\\\x60*_{}[\]<>()#+.!|~-]/g, '\\$&').replace(/\s+/g, ' ');
  const time = localTime(at);
  const line =
    runId === null ? t('cells.origin', { agent: name, time }) : t('cells.origin_run', { agent: name, time, run: TICK + runId + TICK });
  return `*${line}*\n\n${text}`;
}

/** `2026-11-30 14:02` by the viewer's clock. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
