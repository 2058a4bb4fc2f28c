import { type ReactNode, useId } from 'react';
import { useApp } from '../../chat/parts/context';
import { Words } from '../../chat/parts/words';

/** What a control needs to be named and described. */
export interface Named {
  id: string | undefined;
  'aria-labelledby': string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface Props {
  label: string;
  /** The key in the file, shown beside the name. */
  fileKey?: string;
  help?: string | null;
  errors: readonly string[];
  /** Takes the key out of the file; null while it is not in it. */
  onDefault?: (() => void) | null;
  /** The control takes the whole width; the name is only spoken. */
  full?: boolean;
  children: (named: Named) => ReactNode;
}

/** One field: name, control, what it means, and what is wrong with it (guide section 8). */
export function Shell({ label, fileKey, help, errors, onDefault, full, children }: Props): JSX.Element {
  const { t } = useApp();
  const id = useId();
  const described = [help ? `${id}-help` : '', errors.length > 0 ? `${id}-error` : ''].filter(one => one !== '').join(' ');
  const named: Named = { id: `${id}-control`, 'aria-labelledby': `${id}-label`, 'aria-describedby': described || undefined, 'aria-invalid': errors.length > 0 || undefined };
  return (
    <div className={['crew-f', errors.length > 0 ? 'bad' : '', full ? 'full' : ''].join(' ').trim()} data-key={fileKey}>
      <div className={full ? 'crew-hidden' : 'name'}>
        <label id={`${id}-label`} htmlFor={`${id}-control`} title={fileKey}>
          {label}
        </label>
        {onDefault ? (
          <button type="button" className="crew-link crew-sm" aria-label={t('team.default_of', { name: label })} onClick={onDefault}>
            {t('team.use_default')}
          </button>
        ) : null}
      </div>
      <div className="control">
        {children(named)}
        {help ? (
          <div id={`${id}-help`} className="crew-sm crew-2 help">
            <Words text={help} />
          </div>
        ) : null}
        {errors.length > 0 ? (
          <div id={`${id}-error`} className="crew-sm crew-t-error help">
            {errors.map(error => (
              <div key={error}>{error}</div>
            ))}
          </div>
        ) : null}
      </div>
    </div>
  );
}
