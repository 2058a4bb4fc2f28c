/** The person's settings (UI-132) as one value that views read. */
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { ChatSettings } from '../chat/app';
import { Cell } from '../shared/stores/store';

export const DEFAULTS: ChatSettings = {
  area: 'right',
  sendKey: 'Enter',
  showStatusBar: true,
  notifyApprovals: true,
  cellContext: 'cell',
  openCanvases: 'main'
};

/** The settings as they are now and after every change; the defaults until they are read. */
export function followSettings(registry: ISettingRegistry | null, plugin: string): Cell<ChatSettings> {
  const cell = new Cell(DEFAULTS);
  registry
    ?.load(plugin)
    .then(settings => {
      const read = (): void => cell.put(readSettings(settings.composite));
      settings.changed.connect(read);
      read();
    })
    .catch((error: unknown) => console.error('crewlab: the settings could not be read', error));
  return cell;
}

/** What is stored, with the default for everything that is missing or of no use. */
export function readSettings(found: Readonly<Record<string, unknown>>): ChatSettings {
  return {
    area: found['area'] === 'left' ? 'left' : 'right',
    sendKey: found['sendKey'] === 'Accel Enter' ? 'Accel Enter' : 'Enter',
    showStatusBar: found['showStatusBar'] !== false,
    notifyApprovals: found['notifyApprovals'] !== false,
    cellContext: found['cellContext'] === 'cell and outputs' ? 'cell and outputs' : 'cell',
    openCanvases: found['openCanvases'] === 'panel' ? 'panel' : 'main'
  };
}
