import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { PersonLines } from '../../shared/contract';
import { SAVE_PERSON } from '../../shared/manage/settings';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';

const FIELDS = ['name', 'department', 'organisation'] as const;
type Field = (typeof FIELDS)[number];
type Typed = Record<Field, string>;

/** The three lines about the person. What is refused is said beside its field, and nothing typed is lost (PTL-152, UI-101). */
export function PersonForm({ lines }: { lines: PersonLines }): JSX.Element {
  const { t } = useApp();
  const { settings } = useManager().manager;
  const [typed, setTyped] = useState<Typed>(() => typedOf(lines));
  const [saved, setSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const busy = useSelect(settings.acts, state => state.busy.has(SAVE_PERSON));
  const failure = useSelect(settings.acts, state => state.failures[SAVE_PERSON] ?? null);
  const wrong = (failure?.fields['fields'] ?? {}) as Partial<Record<Field, string>>;
  const named = FIELDS.some(field => wrong[field] !== undefined);
  const changed = FIELDS.some(field => typed[field].trim() !== typedOf(lines)[field]);
  useEffect(() => {
    if (failure) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [failure]);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = Object.fromEntries(FIELDS.map(field => [field, typed[field].trim() || null])) as unknown as PersonLines;
    setSaved(await settings.save(wanted));
  };
  const type = (field: Field, text: string): void => {
    setTyped({ ...typed, [field]: text });
    setSaved(false);
  };
  return (
    <form ref={form} className="crew-person" onSubmit={event => void save(event)}>
      {FIELDS.map(field => (
        <OneLine key={field} label={t(`settings.${field}`)} value={typed[field]} wrong={wrong[field] ?? null} onType={text => type(field, text)} />
      ))}
      <p className="crew-sm crew-2">{t('settings.you_note')}</p>
      {failure && !named ? <ActFailure text={t('settings.not_saved', { message: failure.message })} /> : null}
      <div className="crew-row">
        <button type="submit" className="crew-btn primary small" disabled={busy || !changed}>
          {t('settings.save')}
        </button>
        <span className="crew-sm crew-2" role="status">
          {saved && !changed ? t('settings.saved') : ''}
        </span>
      </div>
    </form>
  );
}

function OneLine({ label, value, wrong, onType }: { label: string; value: string; wrong: string | null; onType: (text: string) => void }): JSX.Element {
  const id = useId();
  return (
    <div className="row">
      <label htmlFor={id}>{label}</label>
      <div>
        <div className={wrong ? 'crew-field bad' : 'crew-field'}>
          <input id={id} value={value} aria-invalid={wrong !== null} aria-describedby={wrong ? `${id}-why` : undefined} onChange={event => onType(event.target.value)} />
        </div>
        {wrong ? (
          <div id={`${id}-why`} className="crew-sm crew-t-error">
            {wrong}
          </div>
        ) : null}
      </div>
    </div>
  );
}

function typedOf(lines: PersonLines): Typed {
  return { name: lines.name ?? '', department: lines.department ?? '', organisation: lines.organisation ?? '' };
}
