import { Icon, type IconName } from '../../chat/parts/icon';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import type { Section } from '../../shared/manage/place';
import { needsYou } from '../../shared/manage/runs';
import type { TextKey } from '../../shared/texts';
import { useManager } from '../app';
import { RunRow } from './RunRow';

const ICONS: Partial<Record<Section, IconName>> = { approvals: 'approvals', jobs: 'jobs', memory: 'memory' };

/** Failures to read and put away, and where else something waits; grey while nothing does in the whole manager (UI-79 to UI-81). */
export function NeedsYou(): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const failed = needsYou(useStore(manager.runs));
  const counts = useStore(manager.counts);
  const elsewhere: { section: Section; n: number; words: TextKey }[] = [
    { section: 'approvals', n: counts.approvals?.n ?? 0, words: 'runs.waiting' },
    { section: 'jobs', n: counts.jobs?.n ?? 0, words: 'runs.jobs_failing' },
    { section: 'memory', n: counts.memory?.n ?? 0, words: 'runs.proposals' }
  ];
  const others = elsewhere.filter(one => one.n > 0);
  const all = failed.length + others.reduce((sum, one) => sum + one.n, 0);
  return (
    <section className={all > 0 ? 'crew-card crew-needs warn' : 'crew-card crew-needs'} aria-label={t('runs.needs_you')}>
      <div className="head">
        <h2>{t('runs.needs_you')}</h2>
        {all > 0 ? <span className="crew-label warn">{all}</span> : null}
      </div>
      {all === 0 ? <p className="crew-2 none">{t('runs.nothing')}</p> : null}
      {failed.length > 0 ? (
        <ul className="crew-runs">
          {failed.map(run => (
            <RunRow key={run.id} run={run} seen />
          ))}
        </ul>
      ) : null}
      {others.map(one => (
        <Pointer key={one.section} {...one} />
      ))}
    </section>
  );
}

function Pointer({ section, n, words }: { section: Section; n: number; words: TextKey }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  return (
    <div className="pointer">
      <Icon name={ICONS[section] ?? 'info'} size="s" />
      <span className="crew-grow">{t(words, { n })}</span>
      <button type="button" className="crew-link" onClick={() => manager.go(section)}>
        {t(`manage.section.${section}`)}
      </button>
    </div>
  );
}
