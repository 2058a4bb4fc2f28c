/** What a key means in the composer (UI-41). Pure. */

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** An input method is composing. */
  isComposing: boolean;
  keyCode: number;
}

const IME_KEY_CODE = 229; // the Enter that ends a composition carries it in Safari, where `isComposing` is already false

/** Whether this key sends. Shift+Enter breaks the line; Enter that ends a composition never sends. */
export function sends(press: KeyPress, sendKey: 'Enter' | 'Accel Enter'): boolean {
  if (press.key !== 'Enter' || press.isComposing || press.keyCode === IME_KEY_CODE || press.shiftKey || press.altKey) {
    return false;
  }
  const accel = press.ctrlKey || press.metaKey;
  return sendKey === 'Enter' ? !accel : accel;
}

/** Words taken back stand in front of what is being written, in the order they were sent (UI-45). */
export function putInFront(words: readonly string[], text: string): string {
  return [...words, text].filter(part => part !== '').join('\n\n');
}

export const STEER = '/steer';

/** A command that is offered, with the slash. */
export interface Hint {
  name: string;
  hint: string;
  description: string;
}

/** The commands that a text which begins with a slash may become, best first; none once a name stands there whole (UI-51). */
export function offered(text: string, commands: readonly Hint[]): Hint[] {
  if (!/^\/\S*$/.test(text) || commands.some(one => one.name === text)) {
    return [];
  }
  const typed = text.toLowerCase();
  const begins = commands.filter(one => one.name.toLowerCase().startsWith(typed));
  const holds = commands.filter(one => !begins.includes(one) && typed.length > 1 && one.name.toLowerCase().includes(typed.slice(1)));
  return [...begins, ...holds];
}

/** `text` with `piece` in place of what is selected, as a paragraph of its own; `caret` is the place behind it. */
export function putBetween(text: string, from: number, to: number, piece: string): { text: string; caret: number } {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const head = before === '' ? '' : before.endsWith('\n\n') ? before : `${before.replace(/\n$/, '')}\n\n`;
  const tail = `\n\n${after.replace(/^\n{1,2}/, '')}`;
  return { text: head + piece + tail, caret: head.length + piece.length + 2 };
}
