/** Unsaved words of a canvas, kept on the device until they are saved or thrown away (CNV-122, UI-103). */
import type { Unsaved } from './types';
import type { DeviceBox } from '../device';

/** Writes them down; null forgets them. */
export function writeUnsaved(device: DeviceBox, id: string, unsaved: Unsaved | null): void {
  device.write(unsavedKey(id), unsaved ? JSON.stringify(unsaved) : null);
}

/** The words of an earlier visit; anything unreadable counts as none. */
export function readUnsaved(device: DeviceBox, id: string): Unsaved | null {
  try {
    const found = JSON.parse(device.read(unsavedKey(id)) ?? 'null') as Partial<Unsaved> | null;
    return typeof found?.base === 'number' && typeof found.text === 'string' ? { base: found.base, text: found.text } : null;
  } catch {
    return null;
  }
}

function unsavedKey(id: string): string {
  return `canvas-unsaved:${id}`;
}
