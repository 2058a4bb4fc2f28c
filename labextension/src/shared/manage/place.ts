/** The sections of the Crew manager and where it stands (UI-75, UI-78). Pure. */

export const SECTIONS = ['activity', 'approvals', 'costs', 'team', 'tools', 'jobs', 'memory', 'connections', 'settings'] as const;
export type Section = (typeof SECTIONS)[number];

/** The groups of the navigation (UI-75). */
export const GROUPS = [
  { name: 'watch', sections: ['activity', 'approvals', 'costs'] },
  { name: 'crew', sections: ['team', 'tools', 'jobs', 'memory'] },
  { name: 'system', sections: ['connections', 'settings'] }
] as const satisfies readonly { name: string; sections: readonly Section[] }[];

export interface ManagerPlace {
  section: Section;
  /** What is open in it: the id of a run, the view of the memory, an agent and a part of its editor. */
  rest: string | null;
}

/** The section of this name, when this build has it. */
export function sectionOf(name: string): Section | null {
  return SECTIONS.find(one => one === name) ?? null;
}

/** The place that names lead to; an unknown section leads to the first. */
export function placeOf(section: unknown, rest: unknown): ManagerPlace {
  const known = typeof section === 'string' ? sectionOf(section) : null;
  return { section: known ?? 'activity', rest: known && typeof rest === 'string' && rest !== '' ? rest : null };
}
