/** Text of a notebook inside a message: a fence it cannot close and markers it cannot imitate (UI-136, UI-137). Pure. */

const NUMBER_BYTES = 8;
export const TICK = '\x60';
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\x60]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const LANGUAGE = /^[\w+#.-]{1,40}$/;

/** A number made for one message. */
export function newMark(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = bytes => crypto.getRandomValues(bytes)): string {
  return Array.from(random(new Uint8Array(NUMBER_BYTES)), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** A number that stands in none of `texts`. */
export function markFor(texts: readonly string[], next: () => string = newMark): string {
  let mark = next();
  while (texts.some(text => text.includes(mark))) {
    mark = next();
  }
  return mark;
}

/** `text` as a fenced block; the fence is longer than every run of backticks in it. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(0, ...(text.match(/\x60+/g) ?? []).map(run => run.length));
  const bar = TICK.repeat(Math.max(3, longest + 1));
  return `${bar}${LANGUAGE.test(language) ? language : ''}\n${text}\n${bar}`;
}

/** `text` between two lines with the message's own number. */
export function between(mark: string, title: string, text: string): string {
  return `<<<${mark} ${title}>>>\n${text}\n<<<${mark} end>>>`;
}

/** A path or name on one line in code font, with everything that is not seen written as its number. */
export function shownName(name: string): string {
  const seen = name.replace(UNSEEN, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return TICK + seen + TICK;
}

/** At most `limit` characters: the beginning, a line that says how much is left out, the end. No character is cut in two. */
export function shortenMiddle(text: string, limit: number, notice: (left: number) => string): string {
  if (text.length <= limit) {
    return text;
  }
  const room = Math.max(0, limit - notice(text.length).length - 2);
  let head = Math.ceil(room / 2);
  let tail = text.length - (room - head);
  head -= halves(text, head) ? 1 : 0;
  tail += halves(text, tail) ? 1 : 0;
  return `${text.slice(0, head)}\n${notice(tail - head)}\n${text.slice(tail)}`;
}

/** Whether a cut here goes through a character. */
function halves(text: string, at: number): boolean {
  return at > 0 && at < text.length && /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
}
