import { useId } from 'react';
import { useApp } from '../../chat/parts/context';
import { type Field } from '../../shared/manage/team/fields';
import { useField } from './editing';
import { choiceOf, choiceSays, declares, defaultOf, helpOf, labelOf, textOf } from './fieldWords';
import { type Named, Shell } from './Shell';

/** One of a few words; "default" is "not in the file". With a sentence each they are rows, else a bar of segments. */
export function ChoiceField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  const options = field.kind === 'switch' ? ['true', 'false'] : field.options;
  const long = options.some(option => choiceSays(field, option, t) !== null);
  const now = declares(one.agent, field.key) ? null : defaultOf(field, one.agent, t);
  const all = [
    { value: '', text: now === null ? t('team.default') : t('team.default_is', { value: now }), says: null },
    ...options.map(option => ({ value: option, text: choiceOf(field, option, t), says: choiceSays(field, option, t) }))
  ];
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={helpOf(field, t)} errors={one.errors}>
      {named => <Radios named={named} long={long} options={all} value={textOf(one.value)} locked={one.locked} onPick={one.set} />}
    </Shell>
  );
}

interface RadiosProps<V extends string> {
  named: Named;
  long?: boolean;
  options: readonly { value: V; text: string; says?: string | null }[];
  value: string;
  locked?: boolean;
  onPick: (value: V) => void;
}

/** Radio buttons in the shape of a bar, or of rows with a sentence each. */
export function Radios<V extends string>({ named, long, options, value, locked, onPick }: RadiosProps<V>): JSX.Element {
  const name = useId();
  return (
    <span className={long ? 'crew-radios' : 'crew-seg'} role="radiogroup" {...named}>
      {options.map(option => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} disabled={locked} onChange={() => onPick(option.value)} />
          <span>{option.text}</span>
          {option.says ? <span className="crew-sm crew-2 says">{option.says}</span> : null}
        </label>
      ))}
    </span>
  );
}
