import { useMemo, useState } from 'react';
import { isLong, linesOf } from '../../shared/scripts/printed';
import { seenParts } from '../../shared/scripts/unseen';
import { useApp } from '../parts/context';

/** What the script of a job printed, right below the prompt that it was given with (SCR-231). */
export function PrintedByScript({ text }: { text: string }): JSX.Element {
  const { t } = useApp();
  const long = isLong(text);
  const [open, setOpen] = useState(!long);
  return (
    <section className="crew-card crew-printed" aria-label={t('printed.title')}>
      <div className="head">
        <span className="crew-b">{t('printed.title')}</span>
        <span className="crew-sm crew-2 crew-num">{t('printed.lines', { n: linesOf(text) })}</span>
        {long ? (
          <button type="button" className="crew-link crew-sm" aria-expanded={open} aria-label={t(open ? 'printed.hide_of' : 'printed.show_of')} onClick={() => setOpen(!open)}>
            {t(open ? 'printed.hide' : 'printed.show')}
          </button>
        ) : null}
      </div>
      <p className="crew-sm crew-2">{t('printed.note')}</p>
      {open ? (
        <pre className={long ? 'crew-code' : 'crew-code whole'} tabIndex={0} role="region" aria-label={t('tool.result')}>
          <Seen text={text} />
        </pre>
      ) : null}
    </section>
  );
}

/** The text with what cannot be seen as codes. */
function Seen({ text }: { text: string }): JSX.Element {
  const parts = useMemo(() => seenParts(text), [text]);
  return (
    <>
      {parts.map((part, index) =>
        part.unseen ? (
          <span key={index} className="crew-unseen">
            {part.text}
          </span>
        ) : (
          part.text
        )
      )}
    </>
  );
}
