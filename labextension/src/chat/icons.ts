/** The icons that JupyterLab draws (side bar, commands, launcher, status bar), as `crewlab:<name>` (UI-123, guide section 11). */
import { LabIcon } from '@jupyterlab/ui-components';
import { type IconName, svgs } from './parts/svgs';

const made = new Map<IconName, LabIcon>();

/** The `LabIcon` of a name; one object per name. */
export function labIcon(name: IconName): LabIcon {
  const known = made.get(name);
  if (known) {
    return known;
  }
  const icon = new LabIcon({ name: `crewlab:${name}`, svgstr: svgs[name] });
  made.set(name, icon);
  return icon;
}

/** The logo. */
export const crewIcon = labIcon('crew');
