import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { Failure } from '../../shared/stores/types';
import { errorsOf } from '../../shared/manage/team/errors';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { Shell } from './Shell';

/** A new agent: its id, which stays, and what can be changed later. */
export function NewAgent(): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const { team } = manager;
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [work, setWork] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const busy = useSelect(team.acts, state => state.busy.has('create'));
  const failure = useSelect(team.acts, state => state.failures['create'] ?? null);
  const errors: Readonly<Record<string, string>> = failure ? errorsOf(failure) : {};
  useEffect(() => {
    team.acts.clear('create');
    first.current?.focus();
  }, [team]);
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await team.create(id.trim(), { ...(name.trim() === '' ? {} : { name: name.trim() }), ...(work ? { mode: 'work' } : {}) });
    if (made === null) {
      first.current?.focus();
    } else {
      manager.go('team', made);
    }
  };
  return (
    <form className="crew-form one" aria-label={t('team.new')} onSubmit={event => void make(event)}>
      <h2>{t('team.new')}</h2>
      <Shell label={t('team.id')} help={t('team.id_help')} errors={list(errors['id'])}>
        {part => <input ref={first} {...part} className="crew-input crew-mono" value={id} autoComplete="off" spellCheck={false} onChange={event => setId(event.target.value)} />}
      </Shell>
      <Shell label={t('field.name')} help={t('team.name_help')} errors={list(errors['name'])}>
        {part => <input {...part} className="crew-input" value={name} autoComplete="off" onChange={event => setName(event.target.value)} />}
      </Shell>
      <Shell label={t('field.mode')} help={t('field.mode.help')} errors={[]}>
        {part => (
          <span className="crew-seg" role="radiogroup" {...part}>
            {(['chat', 'work'] as const).map(mode => (
              <label key={mode}>
                <input type="radio" name="new-mode" checked={work === (mode === 'work')} onChange={() => setWork(mode === 'work')} />
                <span>{t(`choice.mode.${mode}`)}</span>
              </label>
            ))}
          </span>
        )}
      </Shell>
      {failure && !placed(failure) ? <ActFailure text={t('team.not_made', { message: failure.message })} /> : null}
      <div className="crew-row">
        <button type="submit" className="crew-btn primary" disabled={busy || id.trim() === ''}>
          {t('team.make')}
        </button>
        <button type="button" className="crew-btn" onClick={() => manager.go('team')}>
          {t('memory.cancel')}
        </button>
      </div>
    </form>
  );
}

function list(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence];
}

function placed(failure: Failure): boolean {
  return Object.keys(errorsOf(failure)).some(path => path === 'id' || path === 'name');
}
