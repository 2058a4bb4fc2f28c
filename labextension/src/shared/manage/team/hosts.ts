/** Lines that are no host name, named before anything is sent (UI-88, BRW-14). Pure. */
import { linesOf } from './values';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const HOST_CHARS = 253;

/** The lines of a list of hosts that cannot stand there. */
export function wrongHosts(text: string): string[] {
  return linesOf(text).filter(line => !isHost(line));
}

function isHost(line: string): boolean {
  const wild = line.startsWith('*.');
  const name = wild ? line.slice(2) : line;
  const own = name === 'localhost' || name.endsWith('.localhost') || /^[\d.]+$/.test(name);
  return line.length <= HOST_CHARS && !own && (!wild || name.includes('.')) && name.split('.').every(label => LABEL.test(label));
}
