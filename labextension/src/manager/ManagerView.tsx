import { type KeyboardEvent, useEffect, useState } from 'react';
import { BuildBar, OfflineBar } from '../chat/Bars';
import { Boundary } from '../chat/parts/boundary';
import { AppProvider } from '../chat/parts/context';
import { useStore } from '../chat/parts/hooks';
import { Whole } from '../chat/Whole';
import type { Section } from '../shared/manage/place';
import { type ManagerApp, ManagerProvider } from './app';
import { ApprovalsPage } from './approvals/ApprovalsPage';
import { ConnectionsPage } from './connections/ConnectionsPage';
import { CostsPage } from './costs/CostsPage';
import { JobsPage } from './jobs/JobsPage';
import { MemoryPage } from './memory/MemoryPage';
import { Nav } from './Nav';
import { ActivityPage } from './runs/ActivityPage';
import { TeamPage } from './team/TeamPage';
import { SettingsPage } from './settings/SettingsPage';
import { ToolsPage } from './tools/ToolsPage';

const WIDE_FROM = 900; // guide section 13
const BESIDE_FROM = 1000; // guide section 7: a run's page stands right of the list

const PAGES: Record<Section, (props: { beside: boolean }) => JSX.Element> = {
  activity: ActivityPage,
  approvals: ApprovalsPage,
  team: TeamPage,
  costs: CostsPage,
  tools: ToolsPage,
  jobs: JobsPage,
  memory: MemoryPage,
  connections: ConnectionsPage,
  settings: SettingsPage
};

/** Navigation and one page; a page that crashes leaves the navigation, and choosing another is the way out (UI-109). */
export function ManagerView({ app }: { app: ManagerApp }): JSX.Element {
  const { chat, manager } = app;
  const width = useStore(chat.width);
  const blocked = useStore(chat.blocked);
  const { section } = useStore(manager.place);
  const [known, setKnown] = useState(width);
  useEffect(() => {
    if (width > 0) {
      setKnown(width); // a hidden widget keeps the layout it had
    }
  }, [width]);
  const now = width > 0 ? width : known;
  const wide = now >= WIDE_FROM;
  const Page = PAGES[section];
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && chat.layers.any && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      chat.layers.closeInnermost();
    }
  };
  return (
    <AppProvider value={chat}>
      <ManagerProvider value={app}>
        <div className="crew crew-root crew-mgr-root" lang={chat.language} onKeyDownCapture={escape}>
          <OfflineBar />
          <BuildBar />
          {blocked ? (
            <Whole blocked={blocked} />
          ) : (
            <div className={wide ? 'crew-mgr wide' : 'crew-mgr'}>
              <Nav wide={wide} />
              <Boundary key={section} t={chat.t} copy={text => chat.copy(text)}>
                <Page beside={now >= BESIDE_FROM} />
              </Boundary>
            </div>
          )}
        </div>
      </ManagerProvider>
    </AppProvider>
  );
}
