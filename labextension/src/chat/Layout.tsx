import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Column } from './activity/Column';
import { Strip } from './activity/Strip';
import { ApprovalBar } from './approval/ApprovalBar';
import { BuildBar, OfflineBar } from './Bars';
import { Chips } from './composer/Chips';
import { Composer } from './composer/Composer';
import { Header } from './header/Header';
import { ConversationList } from './list/ConversationList';
import { Drawer } from './list/Drawer';
import { Boundary } from './parts/boundary';
import { useApp } from './parts/context';
import { useSelect } from './parts/hooks';
import { Thread } from './thread/Thread';
import { Welcome } from './welcome/Welcome';

/** Exactly one of the two layouts is in the document (UI-12, UI-65). */
export function Layout({ wide }: { wide: boolean }): JSX.Element {
  const app = useApp();
  const search = useRef<HTMLInputElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const [drawer, setDrawer] = useState(false);
  const close = useCallback((): void => {
    setDrawer(false);
    menu.current?.focus();
  }, []);
  useEffect(
    () =>
      app.onRequest(request => {
        if (request.type === 'open-search') {
          setDrawer(true);
          search.current?.focus();
        }
      }),
    [app]
  );
  const guard = (part: JSX.Element): JSX.Element => (
    <Boundary t={app.t} copy={text => app.copy(text)}>
      {part}
    </Boundary>
  );
  const open = drawer && !wide;
  return (
    <div className="crew-panel">
      {wide ? <div className="crew-side">{guard(<ConversationList searchRef={search} />)}</div> : null}
      <main className={wide ? 'crew-chat wide' : 'crew-chat'} {...(open ? { inert: '' } : {})}>
        <Header wide={wide} menu={menu} drawer={open} onMenu={() => setDrawer(!drawer)} />
        <OfflineBar />
        <BuildBar />
        {guard(<Middle />)}
        {wide ? null : guard(<Strip />)}
        <Foot />
      </main>
      {wide ? guard(<Column />) : null}
      {open ? guard(<Drawer searchRef={search as RefObject<HTMLInputElement>} onClose={close} />) : null}
    </div>
  );
}

/** Says all the time that a small demonstration model answers; the welcome tells how to connect a better one. */
function SmallModel(): JSX.Element | null {
  const app = useApp();
  const small = useSelect(app.agents, state => state.answering?.small ?? false);
  const welcome = useSelect(app.conversation, state => state.id === null);
  if (!small || welcome) {
    return null;
  }
  return (
    <div className="crew-small crew-xs crew-2">
      <span>{app.t('model.strip')}</span>
      <button type="button" className="crew-link" onClick={() => app.conversation.open(null)}>
        {app.t('model.better')}
      </button>
    </div>
  );
}

/** The thread, or the welcome while nothing has been said. */
function Middle(): JSX.Element {
  const app = useApp();
  const empty = useSelect(app.conversation, state => (state.id === null || state.born) && state.view.items.length === 0 && !state.sending);
  const gone = useSelect(app.conversation, state => state.gone);
  return gone ? <Gone /> : empty ? <Welcome /> : <Thread />;
}

/** The conversation was deleted elsewhere: a sentence and a way on, no error (UI-134). */
function Gone(): JSX.Element {
  const app = useApp();
  return (
    <div className="crew-fault" role="status">
      <div className="crew-row crew-wrap crew-2">
        {app.t('thread.gone')}
        <button type="button" className="crew-btn small" onClick={() => app.conversation.open(null)}>
          {app.t('panel.new')}
        </button>
      </div>
    </div>
  );
}

function Foot(): JSX.Element {
  const foot = useRef<HTMLElement>(null);
  return (
    <footer ref={foot} className="crew-foot">
      <div className="in">
        <ApprovalBar onEnd={() => foot.current?.querySelector('textarea')?.focus()} />
        <Chips />
        <Composer />
        <SmallModel />
      </div>
    </footer>
  );
}
