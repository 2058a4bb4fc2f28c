/** The recorded event files of both sides (TURN-6). */
import { readdirSync, readFileSync } from 'node:fs';
import type { ActivityFrame, ConversationEvent } from '@crew/shared/contract';
import { emptyActivity, reduceActivity } from '@crew/shared/activity';
import { emptyConversation, reduceConversation } from '@crew/shared/conversation';
import type { ActivityView, ConversationView } from '@crew/shared/view';

const PLACE = `${process.cwd()}/../tests/events/`; // the runner works in labextension/

export const names = readdirSync(PLACE)
  .filter(name => name.endsWith('.jsonl'))
  .map(name => name.replace('.jsonl', ''));

function read<T>(name: string): T[] {
  const lines = readFileSync(`${PLACE}${name}.jsonl`, 'utf8').trim().split('\n');
  return lines.map(line => (JSON.parse(line) as { data: T }).data);
}

export function golden(name: string): unknown {
  return JSON.parse(readFileSync(`${PLACE}${name}.view.json`, 'utf8'));
}

export function talk(name: string): ConversationEvent[] {
  return read<ConversationEvent>(name);
}

export function frames(name: string): ActivityFrame[] {
  return read<ActivityFrame>(name);
}

export function talkView(events: readonly ConversationEvent[], from = emptyConversation()): ConversationView {
  return events.reduce(reduceConversation, from);
}

export function crewView(list: readonly ActivityFrame[]): ActivityView {
  return list.reduce(reduceActivity, emptyActivity());
}

export const talks = names.filter(name => !name.startsWith('activity'));
export const crews = names.filter(name => name.startsWith('activity'));
export const everyEvent = talks.flatMap(talk);
