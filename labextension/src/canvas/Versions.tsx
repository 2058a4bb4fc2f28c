import { versionName } from '../shared/canvas/names';
import { useRef } from 'react';
import type { ArtifactVersion } from '../shared/contract';
import { versionShown } from '../shared/canvas/state';
import type { CanvasState } from '../shared/canvas/types';
import { Avatar } from '../chat/parts/avatar';
import { useSelect } from '../chat/parts/hooks';
import { moveFocus } from '../chat/list/move';
import { useCanvas, useDocument } from './context';
import { authorOf, moment } from './words';

/** The history at the left: who, how, when. In a comparison a press chooses the version on its side. */
export function Versions(): JSX.Element {
  const { t } = useCanvas();
  const state = useDocument();
  const list = useRef<HTMLUListElement>(null);
  const choose = useChoose(state);
  return (
    <nav className="crew-canvas-versions" aria-label={t('canvas.versions')}>
      <div className="crew-xs crew-2 head">{t('canvas.versions')}</div>
      <ul ref={list} onKeyDown={event => moveFocus(event, list.current, 'button')}>
        {state.versions.map(version => (
          <Row key={version.version} version={version} state={state} choose={choose} />
        ))}
      </ul>
    </nav>
  );
}

function useChoose(state: CanvasState): (version: number) => void {
  const { document: owner } = useCanvas();
  const { comparison } = state;
  return version => {
    if (state.mode === 'compare' && comparison) {
      const to = comparison.to;
      void (to === 'mine' || version < to ? owner.compare(version, to) : owner.compare(Math.min(comparison.from, version), version));
    } else {
      void owner.look(version);
    }
  };
}

function Row({ version, state, choose }: { version: ArtifactVersion; state: CanvasState; choose: (version: number) => void }): JSX.Element {
  const { agents, t } = useCanvas();
  const known = useSelect(agents, all => all.agents);
  const author = authorOf(version.author, known, t);
  const { comparison, mode } = state;
  const side = mode === 'compare' && comparison ? (comparison.from === version.version ? 'from' : comparison.to === version.version ? 'to' : null) : null;
  const on = mode === 'compare' ? side !== null : versionShown(state) === version.version && !state.editing;
  return (
    <li>
      <button type="button" aria-current={on ? 'true' : undefined} onClick={() => choose(version.version)}>
        <span className="n crew-num crew-b">{versionName(version.version)}</span>
        <Avatar id={author.id} name={author.name} />
        <span className="crew-grow">
          <span className="crew-ell who">
            <bdi>{author.name}</bdi>
          </span>
          <span className="crew-ell crew-xs crew-2 who">{`${t(`canvas.how.${version.how}`)}, ${moment(version.created_at, t)}`}</span>
        </span>
        {side ? <span className="crew-label accent">{t(`canvas.${side}`)}</span> : null}
      </button>
    </li>
  );
}

/** The history as a menu, where the document is too narrow for a column. */
export function VersionMenu(): JSX.Element | null {
  const { agents, t } = useCanvas();
  const state = useDocument();
  const known = useSelect(agents, all => all.agents);
  const choose = useChoose(state);
  if (state.versions.length === 0) {
    return null;
  }
  return (
    <select className="crew-canvas-select" aria-label={t('canvas.versions')} value={versionShown(state)} onChange={event => choose(Number(event.target.value))}>
      {state.versions.map(({ version, author, how, created_at }) => (
        <option key={version} value={version}>
          {`${versionName(version)}, ${authorOf(author, known, t).name}, ${t(`canvas.how.${how}`)}, ${moment(created_at, t)}`}
        </option>
      ))}
    </select>
  );
}
