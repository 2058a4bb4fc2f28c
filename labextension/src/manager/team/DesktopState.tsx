import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { desktopOf } from '../../shared/manage/team/blocks';
import { desktopLines } from '../connections/states';

/** The state of the desktop helper and the permissions it lacks (UI-89). */
export function DesktopState(): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const desktop = desktopOf(useSelect(app.agents, state => state.connections));
  return desktop === null ? null : (
    <ul className="crew-card crew-notice">
      {desktopLines(desktop, t).map(({ text, good }) => (
        <li key={text} className={good ? 'crew-sm' : 'crew-sm crew-t-warn'}>
          {text}
        </li>
      ))}
    </ul>
  );
}
