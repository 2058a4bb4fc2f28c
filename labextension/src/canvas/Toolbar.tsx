import { kindName } from '../shared/canvas/names';
import { cellKind, hasSource, isText } from '../shared/canvas/kinds';
import { versionShown } from '../shared/canvas/state';
import type { CanvasMode, CanvasState } from '../shared/canvas/types';
import type { Artifact } from '../shared/contract';
import { versionPath } from '../shared/canvas/api';
import { IconButton } from '../chat/parts/controls';
import { Icon } from '../chat/parts/icon';
import { CanvasCommand } from './app';
import { useCanvas, useDocument } from './context';
import { More } from './More';
import { VersionMenu } from './Versions';
import { documentTitle } from './words';

/** Title, kind, the three views, and what can be done (mock 08). */
export function Toolbar(): JSX.Element | null {
  const app = useCanvas();
  const { t } = app;
  const state = useDocument();
  const { record, editing, gone } = state;
  if (!record) {
    return null;
  }
  const title = documentTitle(state, t);
  return (
    <header className="crew-canvas-bar">
      <Icon name="document" />
      <h2 className="crew-b crew-ell" title={title}>
        <bdi>{title}</bdi>
      </h2>
      <span className="crew-label">{record.kind === 'code' && record.language ? <bdi>{record.language}</bdi> : kindName(record.kind, t)}</span>
      {state.unsaved ? <span className="crew-label warn">{t('canvas.unsaved')}</span> : null}
      <span className="crew-grow" />
      {gone ? null : (
        <>
          <VersionMenu />
          {editing ? <Writing state={state} /> : <Views record={record} state={state} />}
          {editing ? null : <Does record={record} version={versionShown(state)} />}
          <More />
        </>
      )}
    </header>
  );
}

/** Shown, Source, Compare (CNV-121). */
function Views({ record, state }: { record: Artifact; state: CanvasState }): JSX.Element | null {
  const { document: owner, t } = useCanvas();
  const modes: CanvasMode[] = ['shown'];
  if (hasSource(record.kind)) {
    modes.push('source');
  }
  if (isText(record.kind) && record.version > 1) {
    modes.push('compare');
  }
  const choose = (mode: CanvasMode): void => {
    if (mode === 'compare') {
      const to = state.pinned ?? record.version;
      void owner.compare(to > 1 ? to - 1 : to, to > 1 ? to : record.version);
    } else {
      owner.setMode(mode);
    }
  };
  return modes.length < 2 ? null : (
    <div className="crew-viewseg" role="group" aria-label={t('canvas.views')}>
      {modes.map(mode => (
        <button key={mode} type="button" aria-pressed={state.mode === mode} onClick={() => choose(mode)}>
          {t(`canvas.${mode}`)}
        </button>
      ))}
    </div>
  );
}

/** What stands in the toolbar while the text is edited. */
function Writing({ state }: { state: CanvasState }): JSX.Element {
  const { document: owner, t } = useCanvas();
  return (
    <>
      <button type="button" className="crew-btn small" onClick={() => owner.leave()}>
        {t('canvas.leave')}
      </button>
      <button type="button" className="crew-btn small primary" disabled={state.unsaved === null || state.busy} onClick={() => void owner.save()}>
        {t(state.busy ? 'canvas.saving' : 'canvas.save')}
      </button>
    </>
  );
}

function Does({ record, version }: { record: Artifact; version: number }): JSX.Element {
  const app = useCanvas();
  const { document: owner, t } = app;
  const cell = cellKind(record.kind);
  return (
    <>
      {isText(record.kind) ? <IconButton icon="edit" label={t('canvas.edit')} onClick={() => void owner.edit()} /> : null}
      {cell && app.has(CanvasCommand.insert) ? (
        <IconButton icon="notebook" label={t(`canvas.insert_${cell}`)} onClick={() => app.execute(CanvasCommand.insert, { id: record.id, version })} />
      ) : null}
      <IconButton icon="download" label={t('canvas.download')} onClick={() => void app.download(versionPath(record.id, version, 'raw'))} />
    </>
  );
}
