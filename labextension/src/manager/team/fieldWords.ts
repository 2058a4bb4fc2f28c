/** Names, help and values in words for the fields of the editor. Pure. */
import type { AgentView } from '../../shared/contract';
import { type Field, inForce } from '../../shared/manage/team/fields';
import type { Value } from '../../shared/manage/team/values';
import { isKey, type Translate } from '../../shared/texts';

/** What a field is called. */
export function labelOf(field: Field, t: Translate): string {
  const key: string = `field.${field.key}`;
  return isKey(key) ? t(key) : field.key;
}

/** What a field means, where a name alone does not say it. */
export function helpOf(field: Field, t: Translate): string | null {
  const key: string = `field.${field.key}.help`;
  return isKey(key) ? t(key) : null;
}

/** A choice in words; what has none stands as it is written in the file. */
export function choiceOf(field: Field, option: string, t: Translate): string {
  const key: string = field.kind === 'switch' ? `choice.switch.${option}` : `choice.${field.key}.${option}`;
  return isKey(key) ? t(key) : option;
}

/** One sentence on a choice. */
export function choiceSays(field: Field, option: string, t: Translate): string | null {
  const key: string = `choice.${field.key}.${option}.says`;
  return isKey(key) ? t(key) : null;
}

/** The value in force while the file says none, in words; null where a list or nothing is in force. */
export function defaultOf(field: Field, agent: AgentView, t: Translate): string | null {
  const value = inForce(agent, field.key);
  if (value === null || value === undefined || value === '' || Array.isArray(value)) {
    return null;
  }
  return field.kind === 'choice' || field.kind === 'switch' ? choiceOf(field, String(value), t) : String(value);
}

/** Whether the file itself sets the key. */
export function declares(agent: AgentView, key: string): boolean {
  return Object.hasOwn(agent.declared, key) && agent.declared[key] !== null;
}

/** The text of a control that holds a text. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : '';
}
