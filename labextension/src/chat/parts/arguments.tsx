import type { Json } from '../../shared/contract';
import { wordForWord } from '../thread/tool-words';
import { Plain } from './plain';

/** All arguments, word for word (GATE-31): nothing is cut, nothing is drawn as markup. */
export function Arguments({ value }: { value: Json | string }): JSX.Element {
  if (typeof value === 'string') {
    return <pre className="crew-code"><Plain text={value} /></pre>;
  }
  return (
    <dl className="crew-kv">
      {Object.entries(value).map(([key, item]) => (
        <Pair key={key} name={key} value={wordForWord(item)} />
      ))}
    </dl>
  );
}

function Pair({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Plain text={value} />
      </dd>
    </>
  );
}
