/** Every key of `agent.yaml` as the agent editor shows it: its section, its kind, its choices (AGT-13, UI-86). Pure. */
import type { AgentView } from '../../contract';

export const EDITOR_SECTIONS = [
  ...(['identity', 'models', 'limits', 'tools', 'script', 'shell', 'code', 'browser', 'desktop'] as const),
  ...(['mcp', 'schedules', 'telegram', 'persona', 'memory'] as const)
] as const;
export type EditorSection = (typeof EDITOR_SECTIONS)[number];

export type Kind = 'text' | 'area' | 'number' | 'choice' | 'switch' | 'lines' | 'patterns' | 'routes' | 'route' | 'tools' | 'ticks' | 'schedules' | 'telegram' | 'file';

export interface Field {
  readonly key: string;
  readonly section: EditorSection;
  readonly kind: Kind;
  /** The words that a choice may have in the file. */
  readonly options: readonly string[];
}

type Line = readonly [key: string, kind: Kind, options?: readonly string[]];

const LINES: Record<EditorSection, readonly Line[]> = {
  identity: [
    ['name', 'text'],
    ['description', 'area'],
    ['mode', 'choice', ['chat', 'work']],
    ['workspace', 'text'],
    ['skills_dirs', 'lines'],
    ['delegates', 'ticks']
  ],
  models: [
    ['routes', 'routes'],
    ['escalation_route', 'route'],
    ['vibe_fast_routes', 'routes'],
    ['vibe_good_routes', 'routes'],
    ['embedding', 'switch']
  ],
  limits: [
    ['autonomous', 'switch'],
    ['cost_cap_usd', 'number'],
    ['max_steps', 'number'],
    ['approval_ttl_seconds', 'number'],
    ['tool_output_chars', 'number'],
    ['tier_cap', 'choice', ['read', 'write', 'exec']],
    ['write_paths', 'lines'],
    ['workspace_rewrite_max_chars', 'number']
  ],
  tools: [
    ['tools', 'tools'],
    ['toolset', 'choice', ['crew', 'portal']],
    ['extra_tools', 'lines'],
    ['memory_tools', 'switch'],
    ['budget_tool', 'switch'],
    ['history_tool', 'choice', ['off', 'user', 'all']],
    ['knowledge', 'lines'],
    ['artifact_check', 'choice', ['off', 'warn', 'require']],
    ['discovery', 'switch'],
    ['deferred_groups', 'lines']
  ],
  script: [
    ['script_calls', 'choice', ['read_only', 'gated', 'none']],
    ['script_llm', 'switch']
  ],
  shell: [
    ['shell_network', 'switch'],
    ['shell_write_paths', 'lines'],
    ['shell_deny_patterns', 'patterns'],
    ['shell_ask_patterns', 'patterns'],
    ['shell_allow_patterns', 'patterns']
  ],
  code: [
    ['code', 'choice', ['off', 'read', 'write', 'exec']],
    ['vibe', 'switch'],
    ['notebooks', 'choice', ['off', 'read', 'edit', 'run']],
    ['notebook_paths', 'lines']
  ],
  browser: [
    ['browser', 'choice', ['off', 'read', 'act']],
    ['browser_hosts', 'lines']
  ],
  desktop: [
    ['computer', 'choice', ['off', 'on']],
    ['computer_apps', 'lines']
  ],
  mcp: [['mcp', 'ticks']],
  schedules: [['schedules', 'schedules']],
  telegram: [['telegram', 'telegram']],
  persona: [
    ['PERSONA.md', 'file'],
    ['INSTRUCTIONS.md', 'file']
  ],
  memory: [['memory_consolidate', 'text']]
};

/** All fields, in the order of the editor. */
export const FIELDS: readonly Field[] = EDITOR_SECTIONS.flatMap(section => LINES[section].map(([key, kind, options = []]) => ({ key, section, kind, options })));

const BY_KEY = new Map(FIELDS.map(field => [field.key, field]));

/** The field of a key; undefined for a key that this version does not know. */
export function fieldOf(key: string): Field | undefined {
  return BY_KEY.get(key);
}

/** The fields of a section that the server knows: an older one leaves out browser and desktop (AGT-34). */
export function fieldsOf(section: EditorSection, agent: AgentView): readonly Field[] {
  return FIELDS.filter(field => field.section === section && (field.kind === 'file' || known(field.key, agent)));
}

/** The sections that have something to show for this agent (AGT-34). */
export function sectionsOf(agent: AgentView): readonly EditorSection[] {
  return EDITOR_SECTIONS.filter(section => fieldsOf(section, agent).length > 0);
}

/** The value in force of a key, as the server says it. */
export function inForce(agent: AgentView, key: string): unknown {
  return new Map<string, unknown>(Object.entries(agent)).get(key);
}

function known(key: string, agent: AgentView): boolean {
  return Object.hasOwn(agent, key);
}
