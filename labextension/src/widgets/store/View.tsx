import { useMemo, useRef } from 'react';
import { AppProvider } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { ScriptCard } from '../../manager/memory/ScriptCard';
import { noticeWords } from '../../manager/memory/Scripts';
import type { Shelf } from '../../shared/manage/scripts';
import { quoted } from '../../shared/scripts/names';
import { appOf, languageOf, lasting } from '../live/app';
import type { LiveModel } from '../live/model';
import { Question, Questions } from '../live/Question';
import { Still, Waiting } from '../live/Still';
import { shelfOf, type Shown } from './shelf';

/** What the scripts of one agent keep, by the cards of the Crew manager (STO-46 to STO-55). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const parts = useMemo(() => lasting(model), [model]);
  const questions = useMemo(() => new Questions(), []);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => ({ ...appOf(parts, language), confirm: questions.confirm }), [parts, language, questions]);
  const agent = snapshot.state?.agent ?? null;
  const shelf = useMemo(() => (agent === null ? null : shelfOf(model, agent)), [model, agent]);
  const { state, kernel } = snapshot;
  const { t } = app;
  return (
    <AppProvider value={app}>
      <section className="crew-card" lang={language} aria-label={t('widgets.store')}>
        {state === null || shelf === null ? (
          <Waiting snapshot={snapshot} t={t} />
        ) : (
          <>
            <Still snapshot={snapshot} t={t} />
            <div className="h">
              <h3 className="crew-b">{t('widgets.store')}</h3>
              <span className="crew-2">{quoted(state.agent)}</span>
            </div>
            <Question questions={questions} />
            <fieldset disabled={kernel !== 'live'}>
              <Body shelf={shelf} state={state} t={t} />
            </fieldset>
          </>
        )}
      </section>
    </AppProvider>
  );
}

function Body({ shelf, state, t }: { shelf: Shelf; state: Shown; t: Parameters<typeof noticeWords>[1] }): JSX.Element {
  const { notice } = useStore(shelf);
  const list = useStore(shelf.list);
  const line = useRef<HTMLDivElement>(null);
  const places = list.data?.namespaces ?? [];
  const dropped = state.dropped ?? 0;
  return (
    <div className="body tall">
      <div ref={line} className="crew-sm crew-scriptnotice" role="status" tabIndex={-1}>
        {notice ? noticeWords(notice, t) : ''}
      </div>
      {dropped > 0 ? <p className="crew-sm crew-2">{t('widgets.dropped_names', { n: dropped })}</p> : null}
      {places.length === 0 && state.offline === null ? <p className="crew-empty crew-2">{t('scripts.none')}</p> : null}
      {places.map(one => (
        <ScriptCard key={one.namespace} shelf={shelf} namespace={one} limit={state.limit_chars} said={() => line.current?.focus()} />
      ))}
    </div>
  );
}
