import { type Preview, previewOf } from '../../shared/canvas/drafts';
import { shownTitle } from '../../shared/canvas/titles';
import { useApp } from '../parts/context';
import { Bead } from '../parts/bead';
import { useSelect } from '../parts/hooks';

const OPEN = 'crewlab:open-canvas';
const LAST_CHARS = 600; // the end of the text is what is new

/** Canvases that are being written in this turn: a chip with a ring and the end of the text (CNV-107, UI-35). */
export function CanvasDrafts(): JSX.Element | null {
  const { canvases } = useApp();
  const drafts = useSelect(canvases, state => (state.previews ? state.drafts : null));
  const previews = (drafts ?? []).map(previewOf).filter(preview => preview !== null);
  return previews.length === 0 ? null : (
    <>
      {previews.map(preview => (
        <One key={preview.call} preview={preview} />
      ))}
    </>
  );
}

function One({ preview }: { preview: Preview }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { call, canvas, title, text } = preview;
  const known = useSelect(app.canvases, state => (canvas === null ? undefined : state.records[canvas]));
  const name = shownTitle(known?.title ?? title ?? '') || t('canvas.writing_new');
  return (
    <div className="crew-canvas-draft">
      <button type="button" className="crew-chip crew-canvas-chip" title={name} aria-label={`${t('canvas.writing')}: ${name}. ${t('canvas.beside')}`} disabled={!app.has(OPEN)} onClick={() => app.execute(OPEN, canvas === null ? { call } : { id: canvas })}>
        <Bead kind="run" free />
        <span className="crew-ell">
          <bdi>{name}</bdi>
        </span>
        <span className="crew-2">{t('canvas.writing')}</span>
      </button>
      {text === '' ? null : (
        <pre aria-hidden="true">
          <span>{text.slice(-LAST_CHARS)}</span>
        </pre>
      )}
    </div>
  );
}
