import { versionName } from '../../shared/canvas/names';
import { useEffect } from 'react';
import { isNew } from '../../shared/canvas/canvases';
import type { CanvasTag } from '../../shared/canvas/tags';
import { shownTitle } from '../../shared/canvas/titles';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';

const OPEN = 'crewlab:open-canvas';

/** The canvases that a step has written, under its row. */
export function CanvasChips({ tags }: { tags: readonly CanvasTag[] }): JSX.Element | null {
  const app = useApp();
  return app.has(OPEN) ? (
    <li className="crew-step crew-canvases">
      {tags.map(tag => (
        <CanvasChip key={tag.id} id={tag.id} version={tag.version} title={tag.title} />
      ))}
    </li>
  ) : null;
}

interface Props {
  id: string;
  version: number | null;
  title: string | null;
}

/** Document icon, title, version; opens the canvas. A dot says that it has a version that was not looked at (guide section 5). */
export function CanvasChip({ id, version, title }: Props): JSX.Element {
  const { canvases, t } = useApp();
  const record = useSelect(canvases, state => state.records[id]);
  useEffect(() => canvases.need(id), [canvases, id]);
  if (record === null) {
    return (
      <span className="crew-chip crew-canvas-chip off" role="note">
        <Icon name="document" size="s" />
        <span className="crew-ell">{t('canvas.deleted')}</span>
      </span>
    );
  }
  const known = record?.title ?? title;
  return <There id={id} version={version} name={known === null ? id : shownTitle(known) || t('canvas.untitled')} n={String(version ?? record?.version ?? '')} />;
}

function There({ id, version, name, n }: Pick<Props, 'id' | 'version'> & { name: string; n: string }): JSX.Element {
  const app = useApp();
  const { canvases, t } = app;
  const fresh = useSelect(canvases, state => isNew(state, id));
  const current = useSelect(canvases, state => state.current === id);
  return (
    <button
      type="button"
      className={current ? 'crew-chip crew-canvas-chip on' : 'crew-chip crew-canvas-chip'}
      title={name}
      aria-label={n === '' ? t('thread.open_canvas', { id: name }) : t(fresh ? 'canvas.open_new' : 'canvas.open', { title: name, n })}
      disabled={!app.has(OPEN)}
      onClick={() => app.execute(OPEN, version === null ? { id } : { id, version })}
    >
      <Icon name="document" size="s" />
      <span className="crew-ell">
        <bdi>{name}</bdi>
      </span>
      {n === '' ? null : <span className="crew-2 crew-num">{versionName(n)}</span>}
      {fresh ? <span className="crew-dot" aria-hidden="true" /> : null}
    </button>
  );
}
