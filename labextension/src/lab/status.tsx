/** The status bar item: working agents and pending requests (UI-135). */
import { ReactWidget } from '@jupyterlab/ui-components';
import { useSyncExternalStore } from 'react';
import type { ChatSettings } from '../chat/app';
import { statusText } from '../shared/attention';
import type { Readable } from '../shared/stores/store';
import type { Face } from './face';
import { Command } from './ids';

function StatusLine({ face, run }: { face: Face; run: (command: string) => void }): JSX.Element {
  const { activity } = face.crew;
  const { view } = useSyncExternalStore(activity.subscribe, activity.getSnapshot);
  useSyncExternalStore(face.language.subscribe, face.language.getSnapshot);
  const { key, working, waiting } = statusText(view);
  return (
    <button
      type="button"
      className={waiting > 0 ? 'crewlab-Status crewlab-mod-waiting' : 'crewlab-Status'}
      onClick={() => run(waiting > 0 ? Command.approvals : Command.focusChat)}
    >
      {face.text(key, { working, waiting })}
    </button>
  );
}

/** The item as a widget; while it is shown the connection is open (UI-4). */
export function statusItem(face: Face, run: (command: string) => void): ReactWidget {
  const widget = ReactWidget.create(<StatusLine face={face} run={run} />);
  widget.addClass('crewlab-StatusItem');
  return widget;
}

/** Whether the item is shown. */
export function showsStatus(settings: Readable<ChatSettings>): boolean {
  return settings.getSnapshot().showStatusBar;
}
