/** Between what a file says and what a form holds; only what has really changed is saved (AGT-35, AGT-36). Pure. */
import type { AgentView } from '../../contract';
import { type Field, fieldOf } from './fields';
import { type ScheduleForm, scheduleForm, scheduleWire } from './schedules';

export interface TelegramForm {
  token_env: string;
  chat_id: string;
  approval_ttl_seconds: string;
}

/** What a control holds: null is "not in the file", a list of lines is one text. */
export type Value = null | string | readonly string[] | readonly ScheduleForm[] | TelegramForm;
export type Edits = Readonly<Record<string, Value>>;

/** The value of a control for what the file says. */
export function toForm(field: Field, said: unknown): Value {
  switch (field.kind) {
    case 'lines':
    case 'patterns':
      return Array.isArray(said) ? said.map(String).join('\n') : null;
    case 'routes':
    case 'tools':
    case 'ticks':
      return Array.isArray(said) ? said.map(String) : null;
    case 'schedules':
      return Array.isArray(said) ? said.map((entry, place) => scheduleForm(entry, place)) : [];
    case 'telegram':
      return telegramForm(said);
    default:
      return plain(said);
  }
}

function plain(said: unknown): string {
  return said === null || said === undefined ? '' : String(said);
}

function telegramForm(said: unknown): TelegramForm | null {
  if (typeof said !== 'object' || said === null) {
    return null;
  }
  const found: Record<string, unknown> = { ...said };
  return { token_env: plain(found['token_env']), chat_id: plain(found['chat_id']), approval_ttl_seconds: plain(found['approval_ttl_seconds']) };
}

/** What is sent for a control; null removes the key. What is no number is sent as it was typed: the server says what it must be. */
export function toWire(field: Field, value: Value): unknown {
  if (value === null) {
    return null;
  }
  if (typeof value === 'string') {
    return textWire(field, value);
  }
  if (isTelegram(value)) {
    const ttl = value.approval_ttl_seconds.trim();
    return { token_env: value.token_env.trim(), chat_id: numeric(value.chat_id), ...(ttl === '' ? {} : { approval_ttl_seconds: numeric(ttl) }) };
  }
  if (field.kind === 'schedules') {
    return value.length === 0 ? null : (value as readonly ScheduleForm[]).map(scheduleWire);
  }
  const names = (value as readonly string[]).map(name => name.trim()).filter(name => name !== '');
  return field.kind === 'routes' && names.length === 0 ? null : names;
}

function textWire(field: Field, value: string): unknown {
  switch (field.kind) {
    case 'lines':
      return linesOf(value);
    case 'patterns':
      return value.split('\n').filter(line => line.trim() !== ''); // spaces around a pattern count (SHL-26)
    case 'number':
      return value.trim() === '' ? null : numeric(value);
    case 'switch':
      return value === '' ? null : value === 'true';
    case 'area':
      return value.trim() === '' ? null : value;
    case 'file':
      return value;
    default:
      return value.trim() === '' ? null : value.trim();
  }
}

/** The lines of a list, without empty ones and without spaces around. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

/** A number, or the text as it was typed. */
export function numeric(text: string): number | string {
  const typed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : typed;
}

function isTelegram(value: Exclude<Value, null | string>): value is TelegramForm {
  return !Array.isArray(value);
}

/** What the control of a key holds while nothing was typed. */
export function baseOf(agent: AgentView, key: string): Value {
  const field = fieldOf(key);
  return field ? toForm(field, agent.declared[key]) : null;
}

/** Whether a value would be saved as something else than what the file says. */
export function differs(field: Field, base: Value, value: Value): boolean {
  return JSON.stringify(toWire(field, value)) !== JSON.stringify(toWire(field, base));
}

/** The keys to save, with their values: nothing that the file says already (AGT-36). */
export function changesOf(agent: AgentView, edits: Edits): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(edits)) {
    const field = fieldOf(key);
    if (field && field.kind !== 'file' && differs(field, baseOf(agent, key), value)) {
      changes[key] = toWire(field, value);
    }
  }
  return changes;
}
