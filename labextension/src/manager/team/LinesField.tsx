import { useApp } from '../../chat/parts/context';
import { type Field, inForce } from '../../shared/manage/team/fields';
import { useField } from './editing';
import { declares, helpOf, labelOf, textOf } from './fieldWords';
import { Shell } from './Shell';

const ROWS = { least: 2, most: 12 };

/** A list, one entry per line. "Not in the file" and "an empty list" are different things for some keys, so both can be said. */
export function LinesField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  const now = inForce(one.agent, field.key);
  const crew = !declares(one.agent, field.key) && Array.isArray(now) && now.length > 0 ? now.map(String) : [];
  const label = labelOf(field, t);
  const text = textOf(one.value);
  return (
    <Shell label={label} fileKey={field.key} help={helpOf(field, t)} errors={one.errors} onDefault={one.value === null || one.locked ? null : () => one.set(null)}>
      {named =>
        one.value === null ? (
          <div className="unset">
            <span className="crew-sm crew-2">{t(crew.length > 0 ? 'team.crew_has' : 'team.no_list')}</span>
            {crew.map(line => (
              <code key={line} className="crew-listentry">
                {line}
              </code>
            ))}
            <button {...named} aria-labelledby={undefined} aria-label={t('team.write_list_of', { name: label })} type="button" className="crew-link crew-sm" disabled={one.locked} onClick={() => one.set(crew.join('\n'))}>
              {t('team.write_list')}
            </button>
          </div>
        ) : (
          <textarea
            {...named}
            className="crew-input crew-mono"
            rows={Math.min(ROWS.most, Math.max(ROWS.least, text.split('\n').length))}
            value={text}
            placeholder={t('team.empty_list')}
            readOnly={one.locked}
            spellCheck={false}
            onChange={event => one.set(event.target.value)}
          />
        )
      }
    </Shell>
  );
}
