/** A tool call in words: what it does and on what (UI-31, guide section 4). Pure. */
import type { Json } from '../../shared/contract';
import { isKey, type TextKey, type Translate } from '../../shared/texts';

const SHORT = 80;
/** Arguments that say best what a call is about, the best first. */
const TELLING = ['path', 'command', 'query', 'url', 'pattern', 'title', 'task', 'description', 'name', 'notebook', 'question', 'text', 'id'];
const MCP = /^mcp__(.+?)__(.+)$/;

/** The plain name of a tool: `browser navigate`, `server: tool` for a tool of a server. */
export function plainName(name: string): string {
  const remote = MCP.exec(name);
  return remote ? `${remote[1]}: ${remote[2]?.replace(/_/g, ' ')}` : name.replace(/_/g, ' ');
}

/** "Read file", or "Reading file" while it runs. */
export function toolWords(name: string, running: boolean, t: Translate): string {
  const key = `tool.${name}${running ? '.running' : ''}`;
  if (name !== 'other' && isKey(key) && isKey(`tool.${name}.running`)) {
    return t(key);
  }
  return t(running ? 'tool.other.running' : 'tool.other', { tool: plainName(name) });
}

/** "Did not run command": the call was denied, refused, or nobody decided. */
export function notRunWords(name: string, t: Translate): string {
  const key: string = `tool.${name}.not`;
  return isKey(key) ? t(key as TextKey) : t('tool.not_run', { tool: plainName(name) });
}

/** The title of a request: "Run a shell command?". */
export function askTitle(name: string, t: Translate): string {
  const key: string = `ask.tool.${name}`;
  return isKey(key) ? t(key as TextKey) : t('ask.tool.other', { tool: plainName(name) });
}

/** One short piece of the arguments for the row; the whole of them is under "Show all". */
export function shortArgument(value: Json | string): string {
  if (typeof value === 'string') {
    return cut(value);
  }
  const telling = TELLING.map(key => value[key]).find(found => typeof found === 'string' && found !== '');
  if (typeof telling === 'string') {
    return cut(telling);
  }
  const entries = Object.entries(value);
  return entries.length === 0 ? '' : cut(entries.map(([key, item]) => `${key}=${typeof item === 'string' ? item : JSON.stringify(item)}`).join(', '));
}

/** How a result was shortened for the model, and from how many characters (OUT-36). */
export function shortenedWords(way: string, chars: number | null, t: Translate): string {
  const key: string = `tool.shortened.${way}`;
  return chars !== null && isKey(key) ? t(key as TextKey, { chars }) : t('tool.shortened');
}

/** A value word for word: text as it is, everything else as JSON. */
export function wordForWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? 'null';
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}
