/** A sentence of the server: its lines stay lines, what stands in backticks is shown as code. */
export function Words({ text }: { text: string }): JSX.Element {
  return (
    <span className="crew-words">
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  );
}
