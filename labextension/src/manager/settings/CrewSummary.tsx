import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import type { JobList, KeyState } from '../../shared/contract';
import { sumOf } from '../../shared/costs/ledger';
import { type Section, sectionOf } from '../../shared/manage/place';
import type { Translate } from '../../shared/texts';
import { useManager } from '../app';
import { Group } from '../connections/ConnectionsPage';
import { spent } from '../costs/words';
import { Leads } from './Leads';

const TEAM: Section = sectionOf('team') ?? 'tools';

/** One line for each part of the crew; its list stands where it is changed and not here (UI-102). */
export function CrewSummary(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { manager } = useManager();
  const { agents, connections, answering } = useStore(app.agents);
  const jobs = useStore(manager.jobs).data;
  const tools = useStore(manager.tools).data;
  const memory = useStore(manager.memory.user).data;
  const ledger = useStore(manager.costs.of('week')).data;
  const master = agents.find(one => one.master);
  const rows: readonly [name: string, section: Section, value: string][] = [
    [t('settings.agents'), TEAM, told(master, one => t('settings.agents_of', { n: agents.length, master: one.name }))],
    [t('settings.answers'), 'connections', told(answering, one => one.route ?? t('connections.none_answers'))],
    [t('settings.keys'), 'connections', told(connections, one => keysOf(one.keys, t))],
    [t('manage.section.tools'), 'tools', told(tools, one => t('settings.tools_of', { n: one.tools.length }))],
    [t('manage.section.jobs'), 'jobs', told(jobs, one => jobsOf(one.jobs, t))],
    [t('settings.facts'), 'memory', told(memory, one => String(one.facts.length))],
    [t('settings.spent_week'), 'costs', told(ledger, one => spent(sumOf(one.parts), t))]
  ];
  return (
    <Group icon="crew" title={t('settings.crew')}>
      {rows.map(([name, section, value]) => (
        <Leads key={name} name={name} section={section}>
          {value}
        </Leads>
      ))}
    </Group>
  );
}

/** A value in words, or a dash while it is not known. */
function told<T>(value: T | null | undefined, say: (value: T) => string): string {
  return value === null || value === undefined ? '–' : say(value);
}

function keysOf(keys: readonly KeyState[], t: Translate): string {
  const present = keys.filter(key => key.present).length;
  return t('settings.keys_of', { present, missing: keys.length - present });
}

function jobsOf(jobs: JobList['jobs'], t: Translate): string {
  const on = jobs.filter(job => job.enabled && !job.paused).length;
  return t('settings.jobs_of', { on, off: jobs.length - on });
}
