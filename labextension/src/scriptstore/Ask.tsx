import { useEffect, useRef } from 'react';
import { useApp } from '../chat/parts/context';

interface Props {
  question: string;
  yes: string;
  onYes: () => void;
  onNo: () => void;
}

/** A question where it is asked: a widget has no dialogs of its page. It begins on "Cancel"; Escape is no. */
export function Ask({ question, yes, onYes, onNo }: Props): JSX.Element {
  const { t } = useApp();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <div
      className="crew-sure"
      role="alertdialog"
      aria-label={question}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onNo();
        }
      }}
    >
      <span className="crew-grow">{question}</span>
      <button ref={cancel} type="button" className="crew-btn small" onClick={onNo}>
        {t('store.cancel')}
      </button>
      <button type="button" className="crew-btn small danger" onClick={onYes}>
        {yes}
      </button>
    </div>
  );
}
