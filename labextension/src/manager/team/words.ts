/** What stands on the row of an agent (UI-85). Pure. */
import type { AgentView, JobInfo } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { moment } from '../parts/when';

export interface Label {
  text: string;
  tone: '' | 'accent' | 'warn' | 'error';
  hint?: string;
}

/** Badges: mode, live, Telegram, source, warnings, unsaved text. */
export function labelsOf(agent: AgentView, live: boolean, unsaved: boolean, t: Translate): Label[] {
  const labels: (Label | null)[] = [
    agent.master ? { text: t('crew.master'), tone: 'accent' } : null,
    { text: t(`choice.mode.${agent.mode}`), tone: '' },
    live ? { text: t('team.live'), tone: 'accent' } : null,
    agent.master && agent.telegram ? { text: t('connections.telegram'), tone: '' } : null,
    agent.origin === 'kit' ? { text: t('team.kit'), tone: '', hint: t('team.kit_hint') } : null,
    agent.warnings.length > 0 ? { text: t('team.warnings', { n: agent.warnings.length }), tone: 'warn', hint: agent.warnings.join('\n') } : null,
    unsaved ? { text: t('team.unsaved'), tone: 'warn' } : null
  ];
  return labels.filter(label => label !== null);
}

/** The line below the name: the next schedule, else what the agent is for. */
export function lineOf(agent: AgentView, jobs: readonly JobInfo[], now: number, t: Translate): string {
  const next = nextJob(agent.id, jobs);
  if (next?.next_run_at) {
    return t('team.next', { name: next.name, time: moment(next.next_run_at, now, t) });
  }
  return agent.description || t(agent.master ? 'team.master_line' : 'team.no_line');
}

function nextJob(id: string, jobs: readonly JobInfo[]): JobInfo | undefined {
  const own = jobs.filter(job => job.agent_id === id && job.next_run_at !== null);
  return own.sort((one, other) => String(one.next_run_at).localeCompare(String(other.next_run_at)))[0];
}

/** Where an agent comes from, and the file that says it. */
export function originOf(agent: AgentView, t: Translate): { words: string; file: string } {
  const file = agent.master ? 'agent.yaml' : `agents/${agent.id}/agent.yaml`;
  return { words: t(`team.origin.${agent.origin}`), file: agent.origin === 'kit' ? '' : file };
}
