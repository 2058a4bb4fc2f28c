import { useApp } from '../../chat/parts/context';
import { IconButton } from '../../chat/parts/controls';
import { useNow, useSelect } from '../../chat/parts/hooks';
import { Skeleton } from '../../chat/parts/loading';
import type { ScriptEntry } from '../../shared/contract';
import { laidOut, place, type Shown } from '../../shared/manage/scripts';
import { quoted, written } from '../../shared/scripts/names';
import { ActFailure } from '../parts/page';
import { moment } from '../parts/when';
import type { ShelfPart } from './ScriptCard';

/** One key: its name, its size, when it was written, how it begins; the whole value is read when it is asked for (STO-49). */
export function ScriptKey({ shelf, namespace, entry, said }: ShelfPart & { entry: ScriptEntry }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const now = useNow(false);
  const where = place(namespace.namespace, entry.key);
  const shown = useSelect(shelf, state => state.shown[where] ?? null);
  const failure = useSelect(shelf.acts, state => state.failures[where] ?? null);
  const busy = useSelect(shelf.acts, () => shelf.busy(namespace.namespace, entry.key));
  const name = quoted(entry.key);
  const turn = (): void => (shown ? shelf.hide(namespace.namespace, entry.key) : void shelf.show(namespace.namespace, entry.key));
  const ask = async (): Promise<void> => {
    const body = t('scripts.ask_key_body', { name, space: quoted(namespace.namespace) });
    if (await app.confirm({ title: t('scripts.ask_key', { name }), body, accept: t('scripts.delete'), danger: true })) {
      await shelf.forget(namespace.namespace, entry.key);
      said();
    }
  };
  return (
    <li>
      <div className="key">
        <span className="name crew-mono">{written(entry.key)}</span>
        <span className="preview crew-mono crew-2 crew-ell">{entry.preview}</span>
        <span className="size crew-sm crew-2 crew-num" title={t('scripts.chars', { n: entry.chars })}>
          {t('scripts.chars', { n: entry.chars })}
        </span>
        <span className="when crew-sm crew-2 crew-num">{moment(entry.updated_at, now, t)}</span>
        <button type="button" className="crew-link show" aria-expanded={shown !== null} aria-label={t(shown ? 'scripts.hide_of' : 'scripts.show_of', { name })} onClick={turn}>
          {t(shown ? 'scripts.hide' : 'scripts.show')}
        </button>
        <IconButton icon="delete" label={t('scripts.delete_of', { name })} disabled={busy} onClick={() => void ask()} />
      </div>
      {failure ? <ActFailure text={t('scripts.not_deleted', { message: failure.message })} /> : null}
      {shown ? <Value shown={shown} name={name} /> : null}
    </li>
  );
}

function Value({ shown, name }: { shown: Shown; name: string }): JSX.Element {
  const { t } = useApp();
  if (shown.failure) {
    return <ActFailure text={t('scripts.not_shown', { message: shown.failure.message })} />;
  }
  if (shown.value === null) {
    return (
      <div className="value">
        <Skeleton rows={2} />
      </div>
    );
  }
  const { text, json } = laidOut(shown.value.text);
  return (
    <div className="value">
      {json ? null : <p className="crew-sm crew-2">{t('scripts.verbatim')}</p>}
      <pre className="crew-code" tabIndex={0} role="region" aria-label={t('scripts.value_of', { name })}>
        {text}
      </pre>
    </div>
  );
}
