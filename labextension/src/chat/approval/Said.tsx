import { useState } from 'react';
import { useApp } from '../parts/context';
import { isLong } from './rules';

/** Words of the model as plain text (GATE-92); long ones are folded, so that what can be chosen stays in sight. */
export function Said({ text, className }: { text: string; className?: string }): JSX.Element {
  const { t } = useApp();
  const [all, setAll] = useState(false);
  const long = isLong(text);
  return (
    <div className={className ? `p said ${className}` : 'p said'}>
      <div className={long && !all ? 'folded' : undefined}>{text}</div>
      {long ? (
        <button type="button" className="crew-link crew-sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('ask.show_less') : t('ask.show_all')}
        </button>
      ) : null}
    </div>
  );
}
