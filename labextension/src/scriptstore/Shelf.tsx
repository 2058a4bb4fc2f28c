import { useState } from 'react';
import { useApp } from '../chat/parts/context';
import { useNow } from '../chat/parts/hooks';
import { moment } from '../manager/parts/when';
import { failureOf } from '../shared/api';
import type { ScriptKey, ScriptNamespace, StoreActions } from '../shared/scriptstore/types';
import { fillOf, quoted, written } from '../shared/scriptstore/written';
import { Ask } from './Ask';
import { Value } from './Value';

export interface ShelfProps {
  shelf: ScriptNamespace;
  limit: number;
  actions: StoreActions;
  /** Deleting and reading are off: nothing is live. */
  off: boolean;
  report: (words: string) => void;
}

/** One namespace: what it is kept for, how full it is, its keys (STO-46 to STO-51). */
export function Shelf({ shelf, limit, actions, off, report }: ShelfProps): JSX.Element {
  const { t } = useApp();
  const heading = written(shelf.title ?? (shelf.kind === 'other' ? shelf.namespace : shelf.ref));
  const name = written(shelf.namespace);
  const n = shelf.keys.length;
  return (
    <section className="crew-shelf" aria-label={heading}>
      <div className="head">
        <h4>
          <Heading shelf={shelf} words={heading} />
        </h4>
        {shelf.orphan ? <span className="crew-label">{t('store.orphan')}</span> : null}
        <span className="crew-grow" />
        <Delete
          label={t('store.delete_all')}
          question={t('store.ask_all', { name: quoted(shelf.namespace), n })}
          off={off || n === 0}
          act={() => actions.forget(shelf.namespace, null)}
          done={deleted => report(t('store.deleted', { n: deleted, name: quoted(shelf.namespace) }))}
        />
      </div>
      {heading === name ? null : <div className="crew-mono crew-2 stored">{name}</div>}
      {shelf.orphan ? <p className="crew-sm crew-2">{t(shelf.kind === 'job' ? 'store.orphan_job' : 'store.orphan_conv')}</p> : null}
      <Fill chars={shelf.chars} limit={limit} />
      <ul>
        {shelf.keys.map(entry => (
          <Key key={entry.key} shelf={shelf} entry={entry} {...{ actions, off, report }} />
        ))}
      </ul>
    </section>
  );
}

const LINKS = { job: 'crewlab:open-manager', conv: 'crewlab:open-conversation', other: '' } as const;

/** Leads to the job or the conversation, unless that is gone (STO-46, STO-47). */
function Heading({ shelf, words }: { shelf: ScriptNamespace; words: string }): JSX.Element {
  const app = useApp();
  const command = LINKS[shelf.kind];
  if (shelf.orphan || command === '' || !app.has(command)) {
    return <bdi>{words}</bdi>;
  }
  return (
    <button type="button" className="crew-link" onClick={() => app.execute(command, shelf.kind === 'conv' ? { id: shelf.ref } : { section: 'jobs' })}>
      <bdi>{words}</bdi>
    </button>
  );
}

function Fill({ chars, limit }: { chars: number; limit: number }): JSX.Element {
  const { t } = useApp();
  const fill = fillOf(chars, limit);
  const text = t('store.use', { chars, limit });
  const percent = limit > 0 ? Math.min(100, Math.round((chars / limit) * 100)) : 0;
  return (
    <>
      <div className="crew-row crew-sm crew-2 crew-num fill">
        <span className={`crew-bar ${fill}`} role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-valuetext={text} aria-label={t('store.fill')}>
          <span style={{ width: `${percent}%` }} />
        </span>
        <span>{text}</span>
      </div>
      {fill === 'room' ? null : <p className={fill === 'full' ? 'crew-sm crew-t-error' : 'crew-sm crew-t-warn'}>{t(`store.${fill}`)}</p>}
    </>
  );
}

function Key({ shelf, entry, actions, off, report }: Omit<ShelfProps, 'limit'> & { entry: ScriptKey }): JSX.Element {
  const { t } = useApp();
  const now = useNow(false);
  const [open, setOpen] = useState(false);
  const name = written(entry.key);
  return (
    <li>
      <div className="line">
        <bdi className="crew-mono name">{name}</bdi>
        <span className="crew-sm crew-2 crew-num">{t('store.chars', { n: entry.chars })}</span>
        <span className="crew-sm crew-2 crew-num">{moment(entry.updated_at, now, t)}</span>
        <span className="crew-grow" />
        <button type="button" className="crew-link crew-sm" aria-expanded={open} aria-label={`${t(open ? 'store.hide' : 'store.show')}: ${name}`} disabled={off && !open} onClick={() => setOpen(!open)}>
          {t(open ? 'store.hide' : 'store.show')}
        </button>
        <Delete
          label={t('store.delete')}
          what={name}
          question={t('store.ask_key', { name: quoted(entry.key) })}
          off={off}
          act={() => actions.forget(shelf.namespace, entry.key)}
          done={deleted => report(t('store.deleted', { n: deleted, name: quoted(entry.key) }))}
        />
      </div>
      {open ? (
        <Value key={entry.updated_at} read={() => actions.value(shelf.namespace, entry.key)} gone={() => report(t('store.gone', { name: quoted(entry.key) }))} />
      ) : (
        <pre className="crew-mono crew-2 preview">{entry.preview}</pre>
      )}
    </li>
  );
}

interface DeleteProps {
  label: string;
  /** What is deleted, for readers of names. */
  what?: string;
  question: string;
  off: boolean;
  act: () => Promise<{ deleted: number }>;
  done: (deleted: number) => void;
}

/** Asks first; nothing is deleted on cancel, and a failure changes nothing but says why (STO-51). */
function Delete({ label, what, question, off, act, done }: DeleteProps): JSX.Element {
  const { t } = useApp();
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const go = async (): Promise<void> => {
    setAsking(false);
    setFailure(null);
    try {
      done((await act()).deleted);
    } catch (error) {
      const { code, message } = failureOf(error);
      setFailure(t('store.not_deleted', { message: code === 'unreachable' ? t('widgets.kernel_away') : message }));
    }
  };
  return (
    <>
      <button type="button" className="crew-link crew-sm" disabled={off || asking} aria-label={what === undefined ? undefined : `${label}: ${what}`} onClick={() => setAsking(true)}>
        {label}
      </button>
      {asking ? <Ask question={question} yes={label} onYes={() => void go()} onNo={() => setAsking(false)} /> : null}
      {failure ? (
        <div className="crew-actfail crew-sm crew-t-error" role="alert">
          {failure}
        </div>
      ) : null}
    </>
  );
}
