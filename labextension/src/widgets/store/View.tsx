import { useMemo, useState } from 'react';
import { AppProvider } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { Shelf } from '../../scriptstore/Shelf';
import type { ScriptNamespace, ScriptValue, StoreActions } from '../../shared/scriptstore/types';
import { quoted } from '../../shared/scriptstore/written';
import { appOf, languageOf, lasting, type Named } from '../live/app';
import type { LiveModel } from '../live/model';
import { Still, Waiting } from '../live/Still';
import type { Base } from '../live/wire';

/** The state of `ScriptStore` as its kernel side makes it (`crewlab/widgets/store.py`). */
export interface Shown extends Base {
  agent: string;
  limit_chars: number;
  namespaces: ScriptNamespace[];
  agents: Named[];
}

/** What the scripts of one agent keep (STO-46 to STO-55). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const parts = useMemo(() => lasting(model), [model]);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => appOf(parts, language), [parts, language]);
  const [said, setSaid] = useState('');
  const actions = useMemo<StoreActions>(
    () => ({
      value: async (namespace, key) => (await model.ask('value', { namespace, key })) as ScriptValue,
      forget: async (namespace, key) => (await model.ask('delete', key === null ? { namespace, all: true } : { namespace, key })) as { deleted: number }
    }),
    [model]
  );
  const { state, kernel } = snapshot;
  const { t } = app;
  return (
    <AppProvider value={app}>
      <section className="crew-card" lang={language} aria-label={t('store.title')}>
        {state === null ? (
          <Waiting snapshot={snapshot} t={t} />
        ) : (
          <>
            <Still snapshot={snapshot} t={t} />
            <div className="h">
              <h3 className="crew-b">{t('store.title')}</h3>
              <span className="crew-2">{quoted(state.agent)}</span>
            </div>
            <div className="crew-sm p said" role="status">
              {said}
            </div>
            <div className="body tall">
              {(state.dropped ?? 0) > 0 ? <p className="crew-sm crew-2">{t('store.dropped', { n: state.dropped ?? 0 })}</p> : null}
              {state.namespaces.map(shelf => (
                <Shelf key={shelf.namespace} shelf={shelf} limit={state.limit_chars} actions={actions} off={kernel !== 'live'} report={setSaid} />
              ))}
              {state.namespaces.length === 0 && !state.offline ? <p className="crew-empty crew-2">{t('store.empty')}</p> : null}
            </div>
          </>
        )}
      </section>
    </AppProvider>
  );
}
