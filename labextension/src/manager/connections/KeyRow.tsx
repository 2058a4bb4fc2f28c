import { type FormEvent, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { KeyState } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { State } from './ConnectionsPage';

/** One variable: its state in words, and what can be done with it (CHN-45). */
export function KeyRow({ row }: { row: KeyState }): JSX.Element {
  const { t } = useApp();
  const { keys } = useManager().manager;
  const [open, setOpen] = useState(false);
  const failure = useSelect(keys.acts, state => state.failures[row.name] ?? null);
  const checked = useSelect(keys, state => state[row.name] ?? null);
  const state = row.present ? (row.saved ? 'connections.present' : 'connections.from_environment') : 'connections.missing';
  return (
    <div className="crew-key">
      <div className="crew-line">
        <span className="crew-mono name">{row.name}</span>
        <span className="crew-sm crew-2">{t(`connections.${row.kind}`)}</span>
        <State good={row.present} text={t(state)} />
        <Acts row={row} open={open} onOpen={() => setOpen(!open)} />
      </div>
      {open ? <Value row={row} onEnd={() => setOpen(false)} /> : null}
      {checked ? (
        <p className={checked.ok ? 'crew-sm crew-2 mend' : 'crew-sm crew-t-error mend'} role="status">
          {checked.message}
        </p>
      ) : null}
      {failure ? <ActFailure text={failure.message} /> : null}
    </div>
  );
}

function Acts({ row, open, onOpen }: { row: KeyState; open: boolean; onOpen: () => void }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { keys } = useManager().manager;
  const busy = useSelect(keys.acts, state => state.busy.has(row.name));
  const remove = async (): Promise<void> => {
    const sure = await app.confirm({ title: t('connections.remove_ask', { name: row.name }), body: t('connections.remove_body'), accept: t('connections.remove'), danger: true });
    if (sure) {
      await keys.remove(row.name);
    }
  };
  return (
    <span className="acts">
      {row.check && row.present ? (
        <button type="button" className="crew-btn small" aria-label={t('connections.check_of', { name: row.name })} disabled={busy} onClick={() => void keys.check(row.name)}>
          {t('connections.check')}
        </button>
      ) : null}
      <button type="button" className="crew-btn small" aria-expanded={open} aria-label={t(row.present ? 'connections.replace_of' : 'connections.set_of', { name: row.name })} disabled={busy} onClick={onOpen}>
        {t(row.present ? 'connections.replace' : 'connections.set')}
      </button>
      {row.saved ? (
        <button type="button" className="crew-btn small" aria-label={t('connections.remove_of', { name: row.name })} disabled={busy} onClick={() => void remove()}>
          {t('connections.remove')}
        </button>
      ) : null}
    </span>
  );
}

/** The field for a value. A secret is emptied as soon as it was sent, whatever came of it; an address stays to be mended (UI-101). */
function Value({ row, onEnd }: { row: KeyState; onEnd: () => void }): JSX.Element {
  const { t } = useApp();
  const { keys } = useManager().manager;
  const [value, setValue] = useState('');
  const busy = useSelect(keys.acts, state => state.busy.has(row.name));
  const secret = row.kind === 'secret';
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const sent = value;
    if (secret) {
      setValue('');
    }
    if (await keys.save(row.name, sent)) {
      onEnd();
    }
  };
  return (
    <form className="crew-keyform" onSubmit={event => void save(event)}>
      <input
        className="crew-input crew-mono"
        type={secret ? 'password' : 'text'}
        autoComplete={secret ? 'new-password' : 'off'}
        spellCheck={false}
        autoFocus
        aria-label={t('connections.value_of', { name: row.name })}
        placeholder={secret ? '' : 'https://'}
        value={value}
        onChange={event => setValue(event.target.value)}
      />
      <button type="submit" className="crew-btn primary small" disabled={busy || value === ''}>
        {t('memory.save')}
      </button>
      <button type="button" className="crew-btn small" onClick={onEnd}>
        {t('memory.cancel')}
      </button>
    </form>
  );
}
