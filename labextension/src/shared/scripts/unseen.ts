/** Text of several lines with its invisible characters as codes (SCR-231). Pure. */
import { codeOf, DRAWS_NOTHING } from './names';

// Line ends and tabs stay. So does what changes how an emoji is drawn: it is seen.
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?(?:\\u200d\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?)*|[0-9#*]\\ufe0f\\u20e3';
const STAYS = new RegExp(`^(?:\\r\\n|[\\n\\t]|${EMOJI})$`, 'u');
const EACH = new RegExp(`\\r\\n|[\\n\\t]|${EMOJI}|[\\u0000-\\u001f\\u007f-\\u009f]|${DRAWS_NOTHING}`, 'gu');

/** A part of a text; `unseen`: the code of a character that draws nothing. */
export interface Part {
  text: string;
  unseen: boolean;
}

/** The text in its parts, one after another. */
export function seenParts(text: string): Part[] {
  const parts: Part[] = [];
  let after = 0;
  for (const match of text.matchAll(EACH)) {
    if (!STAYS.test(match[0])) {
      if (match.index > after) {
        parts.push({ text: text.slice(after, match.index), unseen: false });
      }
      parts.push({ text: codeOf(match[0]), unseen: true });
      after = match.index + match[0].length;
    }
  }
  return after < text.length ? [...parts, { text: text.slice(after), unseen: false }] : parts;
}
