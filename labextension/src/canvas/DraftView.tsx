import { previewOf } from '../shared/canvas/drafts';
import { useSelect } from '../chat/parts/hooks';
import type { CanvasApp } from './app';
import { CanvasProvider } from './context';
import { Draft } from './Draft';

/** A canvas that is not there yet: its text as it comes (UI-35). */
export function DraftView({ app, call }: { app: CanvasApp; call: string }): JSX.Element {
  const draft = useSelect(app.canvases, known => (known.previews ? known.drafts.find(one => one.call === call) : undefined));
  const preview = draft ? previewOf(draft) : null;
  return (
    <CanvasProvider value={app}>
      <div className="crew crew-root crew-canvas" lang={app.language}>
        {preview ? <Draft preview={preview} /> : <div className="crew-canvas-none crew-2">{app.t('canvas.writing_new')}</div>}
      </div>
    </CanvasProvider>
  );
}
