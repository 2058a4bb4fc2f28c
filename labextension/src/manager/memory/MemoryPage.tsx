import type { KeyboardEvent } from 'react';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { waiting } from '../../shared/manage/memory';
import { useManager } from '../app';
import { Page } from '../parts/page';
import { AgentMemories } from './AgentMemories';
import { Facts } from './Facts';
import { Proposals } from './Proposals';
import { Scripts } from './Scripts';

const VIEWS = ['user', 'agents', 'proposals', 'scripts'] as const;
type View = (typeof VIEWS)[number];

const WIDTH = 1080; // guide section 2: the script store

/** What is remembered, in views (UI-97). Behind `scripts/` stands the agent whose scripts are looked at (STO-45). */
export function MemoryPage(): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const { rest } = useStore(manager.place);
  const waits = waiting(useStore(manager.memory.proposals).data).length;
  const view = VIEWS.find(one => one === rest?.split('/')[0]) ?? (waits > 0 ? 'proposals' : 'user');
  const go = (next: View): void => manager.go('memory', next);
  const keys = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length];
    if (step !== 0 && next) {
      event.preventDefault();
      go(next);
      event.currentTarget.querySelector<HTMLElement>(`#crew-tab-${next}`)?.focus();
    }
  };
  return (
    <Page title={t('manage.section.memory')} width={WIDTH}>
      <div className="crew-tabs" role="tablist" aria-label={t('memory.views')} onKeyDown={keys}>
        {VIEWS.map(one => (
          <button key={one} id={`crew-tab-${one}`} type="button" role="tab" aria-selected={one === view} aria-controls="crew-memory" tabIndex={one === view ? 0 : -1} onClick={() => go(one)}>
            {t(`memory.${one}`)}
            {one === 'proposals' && waits > 0 ? <span className="n">{waits}</span> : null}
          </button>
        ))}
      </div>
      <div id="crew-memory" role="tabpanel" aria-labelledby={`crew-tab-${view}`}>
        {view === 'user' ? <Facts /> : view === 'agents' ? <AgentMemories /> : view === 'proposals' ? <Proposals /> : <Scripts wanted={rest?.split('/')[1]} />}
      </div>
    </Page>
  );
}
