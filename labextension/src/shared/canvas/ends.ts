/** Line ends: an editor knows only `\n`, and what a person did not touch is kept as it was written (CNV-28). Pure. */

/** The text for an editor, and the way back. A text with several kinds of line ends comes back with `\n`. */
export function forEditor(text: string): { text: string; back: (edited: string) => string } {
  const all = text.match(/\r\n|\r|\n/g) ?? [];
  const end = all[0] ?? '\n';
  const one = all.every(each => each === end);
  return {
    text: text.replace(/\r\n|\r/g, '\n'),
    back: edited => (one && end !== '\n' ? edited.replace(/\n/g, end) : edited)
  };
}
