/** A JSON object whose text is still being written (CNV-108): fragments are joined and read as far as they go. Pure. */

/** What is known so far: strings up to where they have come, other values once they are whole. */
export type Fields = Readonly<Record<string, unknown>>;

const BLANK = new Set([' ', '\t', '\n', '\r']);
const PLAIN_END = new Set([',', '}']);

/** A place in the text. */
interface Reader {
  readonly text: string;
  at: number;
}

/** The fields so far; null when this can never become a JSON object (the preview is hidden then). */
export function partialObject(text: string): Fields | null {
  const reader: Reader = { text, at: 0 };
  const fields: Record<string, unknown> = {};
  if (!next(reader)) {
    return fields;
  }
  if (text[reader.at] !== '{') {
    return null;
  }
  reader.at += 1;
  for (;;) {
    const field = fieldOf(reader);
    if (field === null || field === 'open') {
      return field === null ? null : fields;
    }
    if (field === 'end') {
      return next(reader) ? null : fields;
    }
    fields[field.key] = field.value;
    if (!field.whole) {
      return fields;
    }
  }
}

type Field = { key: string; value: unknown; whole: boolean };

/** One field with what separates it; `open` when its key or value has not begun yet. */
function fieldOf(reader: Reader): Field | 'open' | 'end' | null {
  if (!next(reader)) {
    return 'open';
  }
  if (take(reader, '}')) {
    return 'end';
  }
  take(reader, ',');
  const key = next(reader) ? stringOf(reader) : undefined;
  if (!key?.whole) {
    return key === null ? null : 'open';
  }
  if (next(reader) && !take(reader, ':')) {
    return null;
  }
  const value = next(reader) ? valueOf(reader) : 'open';
  return value === null || value === 'open' ? value : { key: key.value, ...value };
}

function valueOf(reader: Reader): { value: unknown; whole: boolean } | 'open' | null {
  return reader.text[reader.at] === '"' ? stringOf(reader) : plainOf(reader);
}

/** Goes past a sign when it stands here. */
function take(reader: Reader, sign: string): boolean {
  const here = reader.text[reader.at] === sign;
  reader.at += here ? 1 : 0;
  return here;
}

/** A string from its quote on, as far as it goes. */
function stringOf(reader: Reader): { value: string; whole: boolean } | null {
  const { text } = reader;
  if (text[reader.at] !== '"') {
    return null;
  }
  const start = reader.at + 1;
  let at = start;
  while (at < text.length && text[at] !== '"') {
    const step = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + step > text.length) {
      break; // half an escape: the rest is not there yet
    }
    at += step;
  }
  const whole = text[at] === '"';
  reader.at = whole ? at + 1 : text.length;
  try {
    const value = JSON.parse(`"${text.slice(start, at)}"`) as string;
    return { value: whole ? value : value.replace(/[\ud800-\udbff]$/, ''), whole };
  } catch {
    return null;
  }
}

/** A number, true, false or null, once the sign after it is there; canvas calls have nothing deeper. */
function plainOf(reader: Reader): { value: unknown; whole: true } | 'open' | null {
  const { text } = reader;
  let end = reader.at;
  while (end < text.length && !PLAIN_END.has(text[end] ?? '')) {
    end += 1;
  }
  if (end === text.length) {
    return /^[-+.\w\s]*$/.test(text.slice(reader.at)) ? 'open' : null;
  }
  try {
    const value: unknown = JSON.parse(text.slice(reader.at, end));
    reader.at = end;
    return { value, whole: true };
  } catch {
    return null;
  }
}

/** Goes to the next sign that is no blank; false at the end. */
function next(reader: Reader): boolean {
  while (BLANK.has(reader.text[reader.at] ?? '')) {
    reader.at += 1;
  }
  return reader.at < reader.text.length;
}
