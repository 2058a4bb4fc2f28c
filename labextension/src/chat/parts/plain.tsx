/** Text as it is, with the characters shown that change how a line reads without being seen. */
const UNSEEN = [
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f', // controls
  '\\u200b\\u200e\\u200f\\u2060\\ufeff', // without width
  '\\u202a-\\u202e\\u2066-\\u2069' // turn the direction of what follows
].join('');
const EACH = new RegExp(`([${UNSEEN}]|\\r(?!\\n))`);

/** A person who decides on a command must see all of it: each such character stands as its code. */
export function Plain({ text }: { text: string }): JSX.Element {
  const parts = text.split(EACH);
  return (
    <>
      {parts.map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <span key={place} className="crew-unseen">
            {codeOf(part)}
          </span>
        )
      )}
    </>
  );
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
