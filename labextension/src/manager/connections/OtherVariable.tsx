import { type FormEvent, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';

const EXAMPLE = 'MY_SERVICE_KEY';

/** Any other variable that a skill reads (CHN-46). The value is emptied once it was sent; the name stays to be mended. */
export function OtherVariable(): JSX.Element {
  const { t } = useApp();
  const { keys } = useManager().manager;
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [sent, setSent] = useState('');
  const busy = useSelect(keys.acts, state => state.busy.has(sent));
  const failure = useSelect(keys.acts, state => (sent !== '' && sent === name.trim() ? (state.failures[sent] ?? null) : null));
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [variable, secret] = [name.trim(), value];
    setSent(variable);
    setValue('');
    if (await keys.save(variable, secret)) {
      setName('');
      setSent('');
    }
  };
  return (
    <form className="crew-keyform" aria-label={t('connections.other')} onSubmit={event => void save(event)}>
      <input className="crew-input crew-mono" aria-label={t('connections.name')} placeholder={EXAMPLE} autoComplete="off" spellCheck={false} value={name} onChange={event => setName(event.target.value)} />
      <input className="crew-input crew-mono" type="password" autoComplete="new-password" aria-label={t('connections.value')} placeholder={t('connections.value')} value={value} onChange={event => setValue(event.target.value)} />
      <button type="submit" className="crew-btn small" disabled={busy || name.trim() === '' || value === ''}>
        {t('connections.add')}
      </button>
      {failure ? <ActFailure text={failure.message} /> : null}
    </form>
  );
}
