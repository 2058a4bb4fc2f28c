import { useEffect, useRef } from 'react';
import { useApp } from '../chat/parts/context';
import { useStore } from '../chat/parts/hooks';
import { Icon, type IconName } from '../chat/parts/icon';
import type { Count } from '../shared/manage/manager';
import { GROUPS, type Section, SECTIONS } from '../shared/manage/place';
import { isKey } from '../shared/texts';
import { useManager } from './app';

const ICONS: Record<Section, IconName> = {
  ...{ activity: 'activity', approvals: 'approvals', costs: 'costs', team: 'crew', tools: 'tools', jobs: 'jobs', memory: 'memory' },
  ...{ connections: 'connections', settings: 'sliders' }
};

/** Three groups at the left, or one row of pills that scrolls to the current one (UI-75, UI-117). */
export function Nav({ wide }: { wide: boolean }): JSX.Element {
  const { t } = useApp();
  if (!wide) {
    return (
      <nav className="crew-pillnav" aria-label={t('manage.title')}>
        {SECTIONS.map(section => (
          <Entry key={section} section={section} wide={false} />
        ))}
      </nav>
    );
  }
  return (
    <nav className="crew-nav" aria-label={t('manage.title')}>
      {GROUPS.map(({ name, sections }) => (
        <div key={name} role="group" aria-labelledby={`crew-nav-${name}`}>
          <div className="head" id={`crew-nav-${name}`}>
            {t(`manage.group.${name}`)}
          </div>
          {sections.map(section => (
            <Entry key={section} section={section} wide />
          ))}
        </div>
      ))}
    </nav>
  );
}

function Entry({ section, wide }: { section: Section; wide: boolean }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const current = useStore(manager.place).section === section;
  const count = useStore(manager.counts)[section];
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current && !wide) {
      button.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
  }, [current, wide]);
  return (
    <button ref={button} type="button" className="entry" aria-current={current ? 'page' : undefined} onClick={() => manager.go(section)}>
      <Icon name={ICONS[section]} size={wide ? undefined : 's'} />
      <span>{t(`manage.section.${section}`)}</span>
      {count && count.n > 0 ? <Counted section={section} count={count} /> : null}
    </button>
  );
}

/** The number, and for screen readers what it counts (UI-116). */
function Counted({ section, count }: { section: Section; count: Count }): JSX.Element {
  const { t } = useApp();
  const key: string = `manage.counted.${section}`;
  return (
    <>
      <span className={count.warn ? 'n warn' : 'n'} aria-hidden="true">
        {count.n}
      </span>
      <span className="crew-hidden">, {isKey(key) ? t(key, { n: count.n }) : count.n}</span>
    </>
  );
}
