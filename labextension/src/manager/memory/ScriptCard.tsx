import { useApp } from '../../chat/parts/context';
import { Meter } from '../../chat/parts/controls';
import { useSelect } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import type { ScriptNamespace } from '../../shared/contract';
import { fullness, headingOf, place, type Shelf } from '../../shared/manage/scripts';
import { quoted, written } from '../../shared/scripts/names';
import { ActFailure } from '../parts/page';
import { ScriptKey } from './ScriptKey';

export interface ShelfPart {
  shelf: Shelf;
  namespace: ScriptNamespace;
  /** Puts the focus on the line that reports, when what had it is gone. */
  said: () => void;
}

/** One namespace: what it belongs to, how full it is, its keys (STO-46 to STO-49). */
export function ScriptCard({ shelf, namespace, limit, said }: ShelfPart & { limit: number }): JSX.Element {
  const { t } = useApp();
  const failure = useSelect(shelf.acts, state => state.failures[place(namespace.namespace)] ?? null);
  const heading = headingOf(namespace);
  return (
    <section className="crew-card crew-shelf" aria-label={written(namespace.namespace)}>
      <div className="head">
        <div className="crew-grow names">
          <div className="crew-row crew-wrap">
            <Heading shelf={shelf} namespace={namespace} heading={heading} />
            {namespace.orphan ? <span className="crew-label">{t('scripts.orphan')}</span> : null}
          </div>
          {heading === namespace.namespace ? null : <div className="crew-mono crew-2 crew-sm">{written(namespace.namespace)}</div>}
        </div>
        <DeleteAll shelf={shelf} namespace={namespace} said={said} />
      </div>
      <Use chars={namespace.chars} limit={limit} />
      {namespace.orphan && namespace.kind !== 'other' ? <p className="why crew-sm crew-2">{t(`scripts.orphan.${namespace.kind}`)}</p> : null}
      {failure ? <ActFailure text={t('scripts.not_deleted', { message: failure.message })} /> : null}
      {namespace.entries.length === 0 ? <p className="why crew-sm crew-2">{t('scripts.empty')}</p> : null}
      <ul className="keys">
        {namespace.entries.map(entry => (
          <ScriptKey key={entry.key} shelf={shelf} namespace={namespace} entry={entry} said={said} />
        ))}
      </ul>
    </section>
  );
}

/** The name leads to the schedule or the conversation; what is gone leads nowhere (STO-46, STO-47). */
function Heading({ shelf, namespace, heading }: { shelf: Shelf; namespace: ScriptNamespace; heading: string }): JSX.Element {
  const app = useApp();
  const { kind, ref, orphan } = namespace;
  const name = written(heading);
  if (orphan || kind === 'other') {
    return <h2 className={kind === 'other' ? 'crew-mono' : undefined}>{name}</h2>;
  }
  const go = (): void =>
    kind === 'job'
      ? app.execute('crewlab:open-manager', { section: 'jobs', rest: `${shelf.agent}/${ref}` })
      : app.execute('crewlab:open-conversation', { id: ref });
  return (
    <h2>
      <button type="button" className="crew-link" title={app.t(kind === 'job' ? 'scripts.open_job' : 'scripts.open_conversation', { name: quoted(heading) })} onClick={go}>
        {name}
      </button>
    </h2>
  );
}

/** How much room is used, in figures and as a bar; from 80% on a line says what follows (STO-48). */
function Use({ chars, limit }: { chars: number; limit: number }): JSX.Element {
  const { t } = useApp();
  const state = fullness(chars, limit);
  const words = t('scripts.use', { chars, limit });
  return (
    <div className="use">
      <Meter share={chars / limit} text={words} large ends />
      <span className="crew-sm crew-2 crew-num" aria-hidden="true">
        {words}
      </span>
      {state === 'free' ? null : (
        <span className={state === 'full' ? 'crew-sm crew-t-error' : 'crew-sm crew-t-warn'}>
          <Icon name="warning" size="s" /> {t(`scripts.${state}`)}
        </span>
      )}
    </div>
  );
}

function DeleteAll({ shelf, namespace, said }: ShelfPart): JSX.Element {
  const app = useApp();
  const { t } = app;
  const name = quoted(namespace.namespace);
  const busy = useSelect(shelf.acts, () => shelf.busy(namespace.namespace));
  const ask = async (): Promise<void> => {
    const n = namespace.entries.length;
    if (await app.confirm({ title: t('scripts.ask_all', { n, name }), body: t('scripts.ask_all_body', { name }), accept: t('scripts.delete_all'), danger: true })) {
      await shelf.forget(namespace.namespace);
      said();
    }
  };
  return (
    <button type="button" className="crew-btn small" aria-label={t('scripts.delete_all_of', { name })} disabled={busy} onClick={() => void ask()}>
      {t('scripts.delete_all')}
    </button>
  );
}
