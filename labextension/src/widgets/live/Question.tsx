import { useEffect, useRef } from 'react';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { Store } from '../../shared/stores/store';

interface Asked {
  title: string;
  body: string;
  accept: string;
}

type Open = Asked & { answer: (yes: boolean) => void };

/** Asks a person in the component itself: a widget has no dialogs of its page. One question at a time. */
export class Questions extends Store<Open | null> {
  constructor() {
    super(null);
  }

  /** Resolves with what was answered; a question that another one takes the place of is answered no. */
  readonly confirm = (asked: Asked): Promise<boolean> => {
    this.getSnapshot()?.answer(false);
    return new Promise(resolve => {
      const before = document.activeElement;
      this.set({
        ...asked,
        answer: yes => {
          this.set(null);
          (before as HTMLElement | null)?.focus();
          resolve(yes);
        }
      });
    });
  };
}

/** The question that is open, if one is. It begins on "Cancel"; Escape is no. */
export function Question({ questions }: { questions: Questions }): JSX.Element | null {
  const { t } = useApp();
  const open = useStore(questions);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), [open]);
  if (open === null) {
    return null;
  }
  return (
    <div
      className="crew-sure"
      role="alertdialog"
      aria-label={open.title}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          open.answer(false);
        }
      }}
    >
      <div className="crew-grow">
        <b>{open.title}</b>
        <div className="crew-sm">{open.body}</div>
      </div>
      <button ref={cancel} type="button" className="crew-btn small" onClick={() => open.answer(false)}>
        {t('widgets.cancel')}
      </button>
      <button type="button" className="crew-btn small danger" onClick={() => open.answer(true)}>
        {open.accept}
      </button>
    </div>
  );
}
