/** Why an agent holds a tool or does not: the marks of the table of tools against agents (TOOL-47). Pure. */
import type { AgentView, ToolRow } from '../contract';

export type Mark =
  | 'holds'
  | 'listed' // excluded by the agent's list
  | 'mode'
  | 'key_or_route'
  | 'server'
  | 'no_mcp'
  | 'no_reads'
  | 'no_script'
  | 'off' // the key of the agent that brings it is off
  | 'tier'
  | 'toolset';

/** The sign of each mark, as the legend and the cells show it. */
export const SIGNS: Record<Mark, string> = {
  holds: '✓',
  listed: '–',
  mode: '▫',
  key_or_route: '○',
  server: '◇',
  no_mcp: '·',
  no_reads: '∅',
  no_script: '⊘',
  off: '◦',
  tier: '↓',
  toolset: '≠'
};

/** Legend lines that stand there always; the others only when a cell has the mark. */
export const ALWAYS_IN_LEGEND: readonly Mark[] = ['holds', 'listed', 'mode', 'key_or_route'];

export interface Cell {
  mark: Mark;
  /** The key that is off, for `off`. */
  key: string | null;
}

const TIERS: readonly ToolRow['tier'][] = ['read', 'write', 'exec'];
const WORK_ONLY: ReadonlySet<string> = new Set(['workspace_edit', 'workspace_grep', 'workspace_glob']); // AGT-22

/** What one cell says. */
export function cellOf(row: ToolRow, agent: AgentView): Cell {
  if (row.agents.includes(agent.id)) {
    return { mark: 'holds', key: null };
  }
  const mark = ofKind(row, agent) ?? ofList(row, agent);
  return { mark, key: mark === 'off' ? (keyOf(row) ?? row.comes_with) : null };
}

/** Rows that follow no allow-list have explanations of their own (TOOL-45). */
function ofKind(row: ToolRow, agent: AgentView): Mark | null {
  if (row.with_mcp) {
    return 'no_mcp';
  }
  if (row.with_reads) {
    return agent.declared['script_calls'] === 'none' ? 'no_script' : 'no_reads';
  }
  if (row.server !== null) {
    return names(agent.declared['mcp']).includes(row.server) ? 'off' : 'server';
  }
  if (row.with_browser || row.with_desktop) {
    return 'off'; // by the agent's key, never by the list or the mode
  }
  return aboveCap(row, agent) ? 'tier' : row.with_code || row.with_vibe ? 'off' : null;
}

function ofList(row: ToolRow, agent: AgentView): Mark {
  if (row.comes_with !== null) {
    return 'off';
  }
  const list = agent.declared['tools'];
  if (agent.toolset === 'portal' && !agent.extra_tools.includes(row.name)) {
    return 'toolset';
  }
  if (Array.isArray(list) && !list.includes(row.name)) {
    return 'listed'; // by what the file writes, not by what it holds
  }
  return agent.mode === 'chat' && WORK_ONLY.has(row.name) ? 'mode' : 'key_or_route';
}

function aboveCap(row: ToolRow, agent: AgentView): boolean {
  return TIERS.indexOf(row.tier) > TIERS.indexOf(agent.tier_cap);
}

function keyOf(row: ToolRow): string | null {
  const keys: [boolean, string][] = [
    [row.with_browser, 'browser'],
    [row.with_desktop, 'computer'],
    [row.with_code, 'code'],
    [row.with_vibe, 'vibe'],
    [row.server !== null, 'mcp']
  ];
  return keys.find(([has]) => has)?.[1] ?? null;
}

function names(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export type ComesWith = 'mcp' | 'reads' | 'browser' | 'desktop' | 'code' | 'vibe' | 'server' | null;

/** What a row comes with, for the label beside its name. */
export function comesWith(row: ToolRow): ComesWith {
  const labels: [boolean, ComesWith][] = [
    [row.server !== null, 'server'],
    [row.with_mcp, 'mcp'],
    [row.with_reads, 'reads'],
    [row.with_browser, 'browser'],
    [row.with_desktop, 'desktop'],
    [row.with_code, 'code'],
    [row.with_vibe, 'vibe']
  ];
  return labels.find(([has]) => has)?.[1] ?? null;
}

/** The marks that the legend explains: those that stand there always, and those that the table has. */
export function legendOf(rows: readonly ToolRow[], agents: readonly AgentView[]): Mark[] {
  const found = new Set<Mark>(ALWAYS_IN_LEGEND);
  for (const row of rows) {
    agents.forEach(agent => found.add(cellOf(row, agent).mark));
  }
  return (Object.keys(SIGNS) as Mark[]).filter(mark => found.has(mark));
}
