/** Blocks of the connections that not every server reports; what is missing is not drawn (CHN-40, AGT-34). Pure. */
import type { Connections } from '../../contract';

export interface BrowserBlock {
  enabled: boolean;
  installed: boolean;
  channel: string;
  version: string;
  missing: string;
  install_command: string;
  running: readonly string[];
}

export interface DesktopBlock {
  present: boolean;
  version: string | null;
  locked: boolean | null;
  display_asleep: boolean | null;
  screen_recording: boolean | null;
  accessibility: boolean | null;
}

/** The state of the machine's browser, null where the server does not say (CHN-43). */
export function browserOf(connections: Connections | null): BrowserBlock | null {
  const found = block(connections, 'browser');
  return (
    found && {
      enabled: found['enabled'] === true,
      installed: found['installed'] === true,
      ...{ channel: text(found['channel']), version: text(found['version']), missing: text(found['missing']) },
      install_command: text(found['install_command']),
      running: Array.isArray(found['running']) ? found['running'].map(String) : []
    }
  );
}

/** The state of the desktop helper, null where the server does not say (CHN-44). */
export function desktopOf(connections: Connections | null): DesktopBlock | null {
  const found = block(connections, 'desktop');
  return (
    found && {
      present: found['present'] === true,
      version: typeof found['version'] === 'string' ? found['version'] : null,
      ...{ locked: maybe(found['locked']), display_asleep: maybe(found['display_asleep']) },
      ...{ screen_recording: maybe(found['screen_recording']), accessibility: maybe(found['accessibility']) }
    }
  );
}

function block(connections: Connections | null, key: string): Record<string, unknown> | null {
  const found = new Map<string, unknown>(Object.entries(connections ?? {})).get(key);
  return typeof found === 'object' && found !== null ? { ...found } : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function maybe(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
