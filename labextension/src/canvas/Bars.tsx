import type { ReactNode } from 'react';
import { newerVersion } from '../shared/canvas/state';
import type { CanvasState } from '../shared/canvas/types';
import { useSelect } from '../chat/parts/hooks';
import { Icon } from '../chat/parts/icon';
import { useCanvas, useDocument } from './context';
import { useActions } from './useActions';
import { authorOf } from './words';

/** What has to be said about the document: gone, newer version, older version, what failed. */
export function Bars(): JSX.Element | null {
  const { document: owner, t } = useCanvas();
  const state = useDocument();
  if (state.gone) {
    return <Gone state={state} />;
  }
  return (
    <>
      {state.problem ? (
        <Bar tone="error" text={t('canvas.problem', { message: state.problem.message })}>
          <button type="button" className="crew-btn small" onClick={() => owner.clearProblem()}>
            {t('canvas.dismiss')}
          </button>
        </Bar>
      ) : null}
      <Unsaved state={state} />
      <Old state={state} />
    </>
  );
}

function Bar({ tone, text, children }: { tone: 'warn' | 'error' | 'plain'; text: string; children?: ReactNode }): JSX.Element {
  return (
    <div className={`crew-canvas-note ${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon name={tone === 'error' ? 'warning' : 'info'} />
      <span className="crew-grow">{text}</span>
      <span className="does">{children}</span>
    </div>
  );
}

/** Unsaved words are never thrown away by another version (CNV-122, CNV-126). */
function Unsaved({ state }: { state: CanvasState }): JSX.Element | null {
  const { unsaved, busy, refused, putAside, editing } = state;
  const newer = busy ? null : newerVersion(state);
  if (!unsaved) {
    return null;
  }
  if (newer !== null && (refused || comparesMine(state) || newer > putAside)) {
    return <Newer state={state} base={unsaved.base} newer={newer} />;
  }
  return editing ? null : <Kept base={unsaved.base} />;
}

function comparesMine({ mode, comparison }: CanvasState): boolean {
  return mode === 'compare' && comparison?.to === 'mine';
}

function Newer({ state, base, newer }: { state: CanvasState; base: number; newer: number }): JSX.Element {
  const { document: owner, agents, t } = useCanvas();
  const known = useSelect(agents, all => all.agents);
  const author = authorOf(state.record?.author ?? '', known, t).name;
  return (
    <Bar tone="warn" text={t(state.refused ? 'canvas.refused' : 'canvas.newer', { base: String(base), n: String(newer), author })}>
      {comparesMine(state) ? (
        <button type="button" className="crew-btn small" onClick={() => void owner.saveOnTop()}>
          {t('canvas.save_top', { n: String(newer + 1) })}
        </button>
      ) : (
        <button type="button" className="crew-btn small" onClick={() => void owner.compare(newer, 'mine')}>
          {t('canvas.compare_mine')}
        </button>
      )}
      <button type="button" className="crew-btn small" onClick={() => owner.keepEditing()}>
        {t('canvas.keep')}
      </button>
      <Discard />
    </Bar>
  );
}

function Kept({ base }: { base: number }): JSX.Element {
  const { document: owner, t } = useCanvas();
  return (
    <Bar tone="plain" text={t('canvas.kept', { base: String(base) })}>
      <button type="button" className="crew-btn small" onClick={() => void owner.edit()}>
        {t('canvas.go_on')}
      </button>
      <Discard />
    </Bar>
  );
}

function Discard(): JSX.Element {
  const { t } = useCanvas();
  const actions = useActions();
  return (
    <button type="button" className="crew-btn small danger" onClick={() => void actions.discard()}>
      {t('canvas.discard')}
    </button>
  );
}

/** An older version is looked at (CNV-123). */
function Old({ state }: { state: CanvasState }): JSX.Element | null {
  const { document: owner, t } = useCanvas();
  const actions = useActions();
  const { pinned, record, mode } = state;
  if (pinned === null || !record || mode === 'compare') {
    return null;
  }
  return (
    <Bar tone="plain" text={t('canvas.old', { n: String(pinned), newest: String(record.version) })}>
      {record.kind === 'image' ? null : (
        <button type="button" className="crew-btn small" onClick={() => void owner.compare(pinned, record.version)}>
          {t('canvas.old_compare')}
        </button>
      )}
      <button type="button" className="crew-btn small" onClick={() => void actions.restore(pinned)}>
        {t('canvas.restore', { n: String(pinned) })}
      </button>
      <button type="button" className="crew-btn small" onClick={() => void owner.look(null)}>
        {t('canvas.old_leave')}
      </button>
    </Bar>
  );
}

/** Deleted while it was open: words that were being written can be copied. */
function Gone({ state }: { state: CanvasState }): JSX.Element {
  const { t } = useCanvas();
  const actions = useActions();
  const { unsaved } = state;
  return (
    <Bar tone="warn" text={t(unsaved ? 'canvas.gone_mine' : 'canvas.gone')}>
      {unsaved ? (
        <button type="button" className="crew-btn small" onClick={() => void actions.copy(unsaved.text)}>
          {t('canvas.copy_mine')}
        </button>
      ) : null}
    </Bar>
  );
}
