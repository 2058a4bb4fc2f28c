/** The rows of the allow-list (TOOL-48, UI-87). Pure. */
import type { AgentView } from '../../contract';

export interface ToolChoice {
  name: string;
  /** Whether a list decides this tool; another name of the file stays until it is unticked. */
  listed: boolean;
}

/** What a list of this agent can decide, and the names of its file that it cannot. */
export function toolRows(agent: AgentView, list: readonly string[] | null): ToolChoice[] {
  const said = agent.declared['tools'];
  const others = [...(Array.isArray(said) ? said.map(String) : []), ...(list ?? [])].filter(name => !agent.listable_tools.includes(name));
  return [...agent.listable_tools.map(name => ({ name, listed: true })), ...[...new Set(others)].map(name => ({ name, listed: false }))];
}

/** Where "only the selected tools" begins: what the agent holds now among the rows, not everything there is. */
export function heldRows(agent: AgentView): string[] {
  return agent.listable_tools.filter(name => agent.tools.includes(name));
}
