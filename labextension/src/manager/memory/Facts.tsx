import { useEffect, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useNow, useSelect, useStore } from '../../chat/parts/hooks';
import type { UserFact } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure, Empty, Region } from '../parts/page';
import { moment } from '../parts/when';

/** What the crew knows about the person: facts with their type, edited and forgotten here (UI-97). */
export function Facts(): JSX.Element {
  const { t } = useApp();
  const { user } = useManager().manager.memory;
  const state = useStore(user);
  useEffect(() => void user.load(), [user]);
  const facts = state.data?.facts ?? [];
  return (
    <Region state={state} has={state.data !== null} retry={() => void user.load()}>
      {facts.length === 0 ? (
        <Empty>{t('memory.no_facts')}</Empty>
      ) : (
        <ul className="crew-card crew-facts">
          {facts.map(fact => (
            <FactRow key={fact.slug} fact={fact} />
          ))}
        </ul>
      )}
    </Region>
  );
}

function FactRow({ fact }: { fact: UserFact }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { memory } = useManager().manager;
  const [editing, setEditing] = useState(false);
  const now = useNow(false);
  const busy = useSelect(memory.acts, state => state.busy.has(fact.slug));
  const failure = useSelect(memory.acts, state => state.failures[fact.slug] ?? null);
  const forget = async (): Promise<void> => {
    const sure = await app.confirm({ title: t('memory.forget_ask', { slug: fact.slug }), body: t('memory.forget_body'), accept: t('memory.forget'), danger: true });
    if (sure) {
      await memory.forget(fact.slug);
    }
  };
  return (
    <li className="crew-fact">
      <div className="crew-row crew-wrap">
        <span className="crew-b">{fact.description || fact.slug}</span>
        <span className="crew-label">{t(`memory.type.${fact.type}`)}</span>
        <span className="crew-sm crew-2">{t('memory.updated', { time: moment(fact.updated, now, t) })}</span>
        <span className="acts">
          <button type="button" className="crew-btn small" aria-label={t('memory.edit_of', { slug: fact.slug })} disabled={busy || editing} onClick={() => setEditing(true)}>
            {t('memory.edit')}
          </button>
          <button type="button" className="crew-btn small" aria-label={t('memory.forget_of', { slug: fact.slug })} disabled={busy} onClick={() => void forget()}>
            {t('memory.forget')}
          </button>
        </span>
      </div>
      {editing ? <EditFact fact={fact} busy={busy} onEnd={() => setEditing(false)} /> : <div className="text">{fact.text}</div>}
      {failure ? <ActFailure text={t('memory.not_saved', { message: failure.message })} /> : null}
    </li>
  );
}

const ROWS = { least: 3, most: 12 };

/** The text of a fact; what is refused stays as it was typed (UI-8). */
function EditFact({ fact, busy, onEnd }: { fact: UserFact; busy: boolean; onEnd: () => void }): JSX.Element {
  const { t } = useApp();
  const { memory } = useManager().manager;
  const [text, setText] = useState(fact.text);
  const save = async (): Promise<void> => {
    if (await memory.save(fact.slug, { type: fact.type, description: fact.description, text })) {
      onEnd();
    }
  };
  const cancel = (): void => {
    memory.acts.clear(fact.slug);
    onEnd();
  };
  return (
    <form
      className="crew-edit"
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        aria-label={t('memory.text_of', { slug: fact.slug })}
        rows={Math.min(ROWS.most, Math.max(ROWS.least, text.split('\n').length + 1))}
        value={text}
        autoFocus
        onChange={event => setText(event.target.value)}
      />
      <div className="crew-row">
        <button type="submit" className="crew-btn primary small" disabled={busy || text.trim() === ''}>
          {t('memory.save')}
        </button>
        <button type="button" className="crew-btn small" onClick={cancel}>
          {t('memory.cancel')}
        </button>
      </div>
    </form>
  );
}
