/** Which list a command meets, and what would happen (SHL-26 to SHL-29, SHL-34, SHL-36). Pure: it calls and runs nothing (SHL-89). */

const ALLOW_CHARS = 2; // GATE-23, SHL-34: a shorter allow pattern is dropped
const SEEMING_WILDCARDS: ReadonlySet<string> = new Set(['*', '.*', '.', '-', '--', '/', '&&', '||', ';', '|']); // SHL-34

export interface ShellLists {
  deny: readonly string[];
  ask: readonly string[];
  allow: readonly string[];
}

export interface ShellVerdict {
  list: 'deny' | 'ask' | 'allow' | null;
  /** The first pattern of that list that occurs in the command (SHL-27). */
  pattern: string | null;
  result: 'refused' | 'asks' | 'runs' | 'asks_unless_autonomous';
}

/** What the lists say of a command: deny before ask before allow (SHL-28). */
export function shellVerdict(command: string, lists: ShellLists): ShellVerdict {
  const denied = firstMatch(command, lists.deny.filter(stands));
  if (denied !== null) {
    return { list: 'deny', pattern: denied, result: 'refused' };
  }
  const asked = firstMatch(command, lists.ask.filter(stands));
  if (asked !== null) {
    return { list: 'ask', pattern: asked, result: 'asks' };
  }
  const allowed = firstMatch(command, lists.allow.filter(allows));
  return allowed === null ? { list: null, pattern: null, result: 'asks_unless_autonomous' } : { list: 'allow', pattern: allowed, result: 'runs' };
}

function firstMatch(text: string, patterns: readonly string[]): string | null {
  const folded = fold(text);
  return patterns.find(pattern => folded.includes(fold(pattern))) ?? null;
}

/** Capitals do not count; by way of the capital, so that `ß` and `ss` are one as they are for the server. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function stands(pattern: string): boolean {
  return pattern.trim() !== '';
}

/** Whether an allow pattern stands; the others are dropped, and the command asks (SHL-34). */
export function allows(pattern: string): boolean {
  const bare = pattern.trim();
  return bare.length >= ALLOW_CHARS && !SEEMING_WILDCARDS.has(bare);
}
