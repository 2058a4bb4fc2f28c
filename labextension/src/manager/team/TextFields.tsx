import { useApp } from '../../chat/parts/context';
import { type Field } from '../../shared/manage/team/fields';
import { type OneField, useField } from './editing';
import { declares, defaultOf, helpOf, labelOf, textOf } from './fieldWords';
import { type Named, Shell } from './Shell';

const ROWS = { least: 3, most: 18 };
const MONO: ReadonlySet<string> = new Set(['workspace', 'memory_consolidate', 'PERSONA.md', 'INSTRUCTIONS.md']);

interface Drawn {
  field: Field;
  one: OneField;
  named: Named;
  hint: string | undefined;
}

/** A text on one line; empty is "not in the file". */
export function TextField({ field }: { field: Field }): JSX.Element {
  return (
    <Around field={field}>
      {({ one, named, hint }) => (
        <input {...named} className={MONO.has(field.key) ? 'crew-input crew-mono' : 'crew-input'} value={textOf(one.value)} placeholder={hint} readOnly={one.locked} autoComplete="off" spellCheck={false} onChange={event => one.set(event.target.value)} />
      )}
    </Around>
  );
}

/** A number; what is none is said by the server, in its words. */
export function NumberField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const unit = UNITS[field.key];
  return (
    <Around field={field}>
      {({ one, named, hint }) => (
        <span className="crew-row">
          <input {...named} className="crew-input num" inputMode="decimal" value={textOf(one.value)} placeholder={hint} readOnly={one.locked} autoComplete="off" onChange={event => one.set(event.target.value)} />
          {unit ? <span className="crew-sm crew-2">{t(unit)}</span> : null}
        </span>
      )}
    </Around>
  );
}

const UNITS: Readonly<Record<string, 'team.unit.usd' | 'team.unit.seconds' | 'team.unit.chars' | 'team.unit.rounds'>> = {
  cost_cap_usd: 'team.unit.usd',
  approval_ttl_seconds: 'team.unit.seconds',
  tool_output_chars: 'team.unit.chars',
  workspace_rewrite_max_chars: 'team.unit.chars',
  max_steps: 'team.unit.rounds'
};

/** Text of several lines, or a file of the persona. */
export function AreaField({ field }: { field: Field }): JSX.Element {
  return (
    <Around field={field}>
      {({ one, named, hint }) => {
        const text = textOf(one.value);
        return (
          <textarea
            {...named}
            className={MONO.has(field.key) ? 'crew-input crew-mono' : 'crew-input'}
            rows={Math.min(ROWS.most, Math.max(ROWS.least, text.split('\n').length + 1))}
            value={text}
            placeholder={hint}
            readOnly={one.locked}
            onChange={event => one.set(event.target.value)}
          />
        );
      }}
    </Around>
  );
}

function Around({ field, children }: { field: Field; children: (drawn: Drawn) => JSX.Element }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  const known = field.kind === 'file' || declares(one.agent, field.key) ? null : defaultOf(field, one.agent, t);
  const hint = known ?? undefined;
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={helpOf(field, t)} errors={one.errors}>
      {named => children({ field, one, named, hint })}
    </Shell>
  );
}
