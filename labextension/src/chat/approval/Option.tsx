import { useState } from 'react';
import type { QuestionOption } from '../../shared/contract';
import { useApp } from '../parts/context';
import { LABEL_SHOWN } from './question';

interface Props {
  option: QuestionOption;
  number: number;
  /** The name of the radio group. */
  name: string;
  several: boolean;
  /** Holds when nobody answers. */
  fallback: boolean;
  on: boolean;
  onToggle: () => void;
}

/** One option: its number, its words, what choosing it means. A long label is folded until somebody wants all of it. */
export function Option({ option, number, name, several, fallback, on, onToggle }: Props): JSX.Element {
  const { t } = useApp();
  const [all, setAll] = useState(false);
  const long = option.label.length > LABEL_SHOWN;
  return (
    <div className={on ? 'crew-opt on' : 'crew-opt'}>
      <label>
        <input type={several ? 'checkbox' : 'radio'} name={name} checked={on} onChange={onToggle} onClick={several || !on ? undefined : onToggle} />
        <span className="n crew-num crew-2">{number}</span>
        <span className="words">
          <span>{long && !all ? `${option.label.slice(0, LABEL_SHOWN)}…` : option.label}</span>
          {option.suggested ? <span className="crew-label accent">{t('ask.suggested')}</span> : null}
          {fallback ? <span className="crew-label">{t('ask.is_default')}</span> : null}
          {option.description ? <span className="about crew-sm crew-2">{option.description}</span> : null}
        </span>
      </label>
      {long ? (
        <button type="button" className="crew-link crew-sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('ask.show_less') : t('ask.show_all')}
        </button>
      ) : null}
    </div>
  );
}
