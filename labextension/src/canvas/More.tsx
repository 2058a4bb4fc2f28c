import { useRef, useState } from 'react';
import { CAPS, isText } from '../shared/canvas/kinds';
import { editedText, versionShown } from '../shared/canvas/state';
import type { Artifact } from '../shared/contract';
import { IconButton } from '../chat/parts/controls';
import { useLayer, useSelect } from '../chat/parts/hooks';
import { Icon, type IconName } from '../chat/parts/icon';
import { moveFocus } from '../chat/list/move';
import { useCanvas, useDocument } from './context';
import { useActions } from './useActions';

interface Entry {
  icon: IconName;
  label: string;
  run: () => void;
  on?: boolean;
}

/** Everything that is done seldom. */
export function More(): JSX.Element {
  const app = useCanvas();
  const { t } = app;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useLayer(app.layers, open, close, [button, menu]);
  const entries = useEntries();
  return (
    <span className="crew-canvas-more">
      <IconButton ref={button} icon="dots" label={t('canvas.more')} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)} />
      {open ? (
        <div ref={menu} className="crew-card crew-menu" role="menu" aria-label={t('canvas.more')} onKeyDown={event => moveFocus(event, menu.current, '[role^="menuitem"]')}>
          {entries.map(({ icon, label, run, on }, place) => (
            <button
              key={label}
              type="button"
              role={on === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={on}
              autoFocus={place === 0}
              onClick={() => {
                close();
                run();
              }}
            >
              <Icon name={icon} />
              <span className="crew-grow">{label}</span>
              {on ? <Icon name="check" size="s" /> : null}
            </button>
          ))}
        </div>
      ) : null}
    </span>
  );
}

function useEntries(): Entry[] {
  const { t, canvases } = useCanvas();
  const state = useDocument();
  const previews = useSelect(canvases, known => known.previews);
  const actions = useActions();
  const { record } = state;
  if (!record) {
    return [];
  }
  const text = state.editing ? editedText(state) : state.contents[versionShown(state)];
  return [
    { icon: 'edit', label: t('canvas.rename'), run: () => void actions.rename() },
    ...textEntries(record, text, t, actions),
    ...(record.source_path ? [{ icon: 'refresh' as const, label: t('canvas.reimport', { path: record.source_path }), run: () => void actions.reimport() }] : []),
    { icon: 'activity', label: t('canvas.previews'), run: () => canvases.setPreviews(!previews), on: previews },
    { icon: 'delete', label: t('canvas.delete'), run: () => void actions.remove() }
  ];
}

function textEntries(record: Artifact, text: string | undefined, t: ReturnType<typeof useCanvas>['t'], actions: ReturnType<typeof useActions>): Entry[] {
  if (!isText(record.kind)) {
    return [];
  }
  return [
    ...(record.kind === 'code' ? [{ icon: 'tools' as const, label: t('canvas.language'), run: () => void actions.language() }] : []),
    ...(text === undefined ? [] : [{ icon: 'copy' as const, label: t('canvas.copy'), run: () => void actions.copy(text) }]),
    { icon: 'attach', label: t('canvas.upload'), run: () => void actions.upload(CAPS[record.kind]) }
  ];
}
