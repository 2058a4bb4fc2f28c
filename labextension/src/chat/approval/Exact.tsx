import { piecesOf } from '../../shared/unseen';

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
          piece.text
        )
      )}
    </>
  );
}
