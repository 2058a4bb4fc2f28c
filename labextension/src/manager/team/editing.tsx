/** The agent that is edited, for the fields below. */
import { createContext, useContext } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { type Errors, errorsUnder } from '../../shared/manage/team/errors';
import { fieldOf } from '../../shared/manage/team/fields';
import { wrongHosts } from '../../shared/manage/team/hosts';
import type { Value } from '../../shared/manage/team/values';
import { useManager } from '../app';

interface Editing {
  readonly agent: AgentView;
  /** Nothing can be changed here: the file belongs to a kit. */
  readonly locked: boolean;
}

const EditingContext = createContext<Editing | null>(null);

/** Gives the agent to the fields below. */
export const EditingProvider = EditingContext.Provider;

export function useEditing(): Editing {
  const found = useContext(EditingContext);
  if (!found) {
    throw new Error('A field stands outside of the agent editor.');
  }
  return found;
}

export interface OneField {
  readonly value: Value;
  set(value: Value): void;
  /** Sentences about this key and its parts. */
  readonly errors: readonly string[];
  /** By path, for parts that have a control of their own. */
  readonly all: Errors;
  readonly locked: boolean;
  readonly agent: AgentView;
}

/** The control of one key: what it holds, and what is wrong with it. */
export function useField(key: string): OneField {
  const { t } = useApp();
  const { agent, locked } = useEditing();
  const { team } = useManager().manager;
  const { errors } = useSelect(team, () => team.draft(agent.id));
  useStore(team.persona(agent.id)); // the texts of its files come later than the profile
  const value = team.formValue(agent, key);
  const held = heldBack(key, value).map(line => t('team.no_host', { line }));
  return { value, set: next => team.edit(agent, key, next), errors: [...held, ...errorsUnder(errors, key)], all: errors, locked, agent };
}

/** Whether the key stands in the file, or will once it is saved. */
export function isSet(value: Value): boolean {
  return value !== null && value !== '';
}

/** What holds a save back before anything is sent (UI-88). */
export function heldBack(key: string, value: Value): string[] {
  return fieldOf(key)?.key === 'browser_hosts' && typeof value === 'string' ? wrongHosts(value) : [];
}
