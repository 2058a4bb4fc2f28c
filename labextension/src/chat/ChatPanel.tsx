import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChatApp } from './app';
import { Layout } from './Layout';
import { Boundary } from './parts/boundary';
import { AppProvider } from './parts/context';
import { useStore } from './parts/hooks';
import { Whole } from './Whole';

const WIDE_FROM = 900; // UI-12

/** The chat: one layout by the widget's own width (UI-12), or one card when the server cannot run (UI-8). */
export function ChatPanel({ app }: { app: ChatApp }): JSX.Element {
  const width = useStore(app.width);
  const blocked = useStore(app.blocked);
  const root = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState(width);
  useEffect(() => {
    if (width > 0) {
      setKnown(width); // a hidden widget keeps the layout it had
    }
  }, [width]);
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && app.layers.any && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      app.layers.closeInnermost(); // UI-22: before the shortcuts of JupyterLab
    }
  };
  return (
    <AppProvider value={app}>
      <div ref={root} className="crew crew-root" lang={app.language} onKeyDownCapture={escape}>
        <Boundary t={app.t} copy={text => app.copy(text)}>
          {blocked ? <Whole blocked={blocked} /> : <Layout wide={(width > 0 ? width : known) >= WIDE_FROM} />}
        </Boundary>
      </div>
    </AppProvider>
  );
}
