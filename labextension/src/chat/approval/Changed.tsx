import { useApp } from '../parts/context';
import { Plain } from '../parts/plain';
import type { Change } from './rules';

/** The passage that goes and the one that comes, word for word, line by line (GATE-31). */
export function Changed({ change }: { change: Change }): JSX.Element {
  const { t } = useApp();
  return (
    <pre className="crew-code">
      <Passage sign="−" name={t('ask.goes')} text={change.old} className="crew-goes" />
      <Passage sign="+" name={t('ask.comes')} text={change.new} className="crew-comes" />
    </pre>
  );
}

function Passage({ sign, name, text, className }: { sign: string; name: string; text: string; className: string }): JSX.Element | null {
  return text === '' ? null : (
    <span className={className} role="group" aria-label={name}>
      {text.split('\n').map((line, index) => (
        <span key={index} className="line" data-sign={sign}>
          <Plain text={line} />
          {'\n'}
        </span>
      ))}
    </span>
  );
}
