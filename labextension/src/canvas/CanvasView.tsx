import { type KeyboardEvent, useEffect } from 'react';
import { versionShown } from '../shared/canvas/state';
import { Boundary } from '../chat/parts/boundary';
import type { CanvasApp } from './app';
import { Bars } from './Bars';
import { Body } from './Body';
import { CanvasProvider, useCanvas, useDocument } from './context';
import { Toolbar } from './Toolbar';
import { Versions } from './Versions';

/** A canvas as a document: toolbar, notices, versions at the left, text (guide section 8). */
export function CanvasView({ app }: { app: CanvasApp }): JSX.Element {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && app.layers.any && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      app.layers.closeInnermost();
    }
  };
  return (
    <CanvasProvider value={app}>
      <div className="crew crew-root crew-canvas" lang={app.language} onKeyDownCapture={onKey}>
        <Boundary t={app.t} copy={text => app.copy(text)}>
          <Document />
        </Boundary>
      </div>
    </CanvasProvider>
  );
}

function Document(): JSX.Element {
  const { document: owner, t } = useCanvas();
  const state = useDocument();
  useEffect(() => {
    void owner.load();
  }, [owner]);
  if (state.loading === 'failed') {
    return (
      <div className="crew-canvas-none" role="alert">
        <div className="crew-b">{t('canvas.load_failed')}</div>
        <div className="crew-2">{state.failure?.message}</div>
        <button type="button" className="crew-btn small" onClick={() => void owner.load()}>
          {t('canvas.again')}
        </button>
      </div>
    );
  }
  if (state.record === null && !state.gone) {
    return (
      <div className="crew-canvas-none crew-2" role="status">
        {t('canvas.loading')}
      </div>
    );
  }
  return (
    <>
      {state.record ? <Toolbar /> : null}
      <Bars />
      <div className="crew-canvas-main">
        {state.versions.length > 0 && !state.gone ? <Versions /> : null}
        <Body key={state.record?.kind} version={versionShown(state)} />
      </div>
    </>
  );
}
