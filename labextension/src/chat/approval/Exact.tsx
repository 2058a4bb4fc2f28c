import { Fragment } from 'react';
import { piecesOf } from '../../shared/unseen';

const GAPS = /(\s+)/;

/** A text as it will be used, with what would not be seen written out and marked (SHL-90). */
export function Exact({ text }: { text: string }): JSX.Element {
  return (
    <>
      {piecesOf(text).map((piece, index) =>
        piece.unseen ? (
          <mark key={index} className="crew-unseen">
            {piece.text}
          </mark>
        ) : (
          <Fragment key={index}>{wholeWords(piece.text)}</Fragment>
        )
      )}
    </>
  );
}

/** A line breaks between words only: at the hyphen of `--force` it would look like two words. */
function wholeWords(text: string): (string | JSX.Element)[] {
  return text.split(GAPS).map((part, index) =>
    part.includes('-') ? (
      <span key={index} className="crew-whole">
        {part}
      </span>
    ) : (
      part
    )
  );
}
