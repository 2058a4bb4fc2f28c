import { CAPS, isText } from '../shared/canvas/kinds';
import { editedText, versionShown } from '../shared/canvas/state';
import type { Artifact } from '../shared/contract';
import { useSelect } from '../chat/parts/hooks';
import { Icon, type IconName } from '../chat/parts/icon';
import { Menu } from '../chat/parts/menu';
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
  const entries = useEntries();
  return (
    <Menu layers={app.layers} label={t('canvas.more')} className="crew-canvas-more">
      {close =>
        entries.map(({ icon, label, run, on }, place) => (
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
        ))
      }
    </Menu>
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
