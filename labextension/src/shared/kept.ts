/** What a run keeps of a tool's answer; `crewlab/engine/turn/steps.py` keeps the same (OUT-38, OUT-42). Pure. */

const OUTPUT_CHARS = 160; // OUT-38
const ERROR_CHARS = 600; // OUT-38
const ERROR_HEAD = 200; // OUT-38
const ERROR_TAIL = 400; // OUT-38

/** Exactly the white space that the server collapses: that of Python's `str.split()`. */
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** The text on one line. */
export function collapsed(text: string): string {
  return text.replace(SPACE, ' ').replace(/^ | $/g, '');
}

/** Whether a failure of this text is kept word for word. */
export function isKeptWhole(text: string): boolean {
  return [...collapsed(text)].length <= ERROR_CHARS;
}

/** What the card keeps of an answer: of a good one the beginning, of a failure both ends; counted in characters, not in code units. */
export function cardOutput(output: string, ok: boolean): string {
  const line = [...collapsed(output)];
  if (ok) {
    return line.length <= OUTPUT_CHARS ? line.join('') : `${line.slice(0, OUTPUT_CHARS).join('')}…`;
  }
  return line.length <= ERROR_CHARS ? line.join('') : `${line.slice(0, ERROR_HEAD).join('')}…${line.slice(-ERROR_TAIL).join('')}`;
}
