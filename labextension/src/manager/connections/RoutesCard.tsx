import { type FormEvent, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { Connections } from '../../shared/contract';
import { errorsOf, errorsUnder } from '../../shared/manage/team/errors';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { RouteRows } from '../team/RoutesField';
import { Shell } from '../team/Shell';
import { Group } from './ConnectionsPage';

const LISTS = [
  ['routes', 'connections.routes_chat'],
  ['vision_routes', 'connections.routes_vision'],
  ['audio_routes', 'connections.routes_audio'],
  ['embedding_routes', 'connections.routes_embedding']
] as const;
type Lists = Record<(typeof LISTS)[number][0], readonly string[]>;

/** The routes of the crew by purpose, shown and changed (CHN-45). */
export function RoutesCard({ connections }: { connections: Connections }): JSX.Element {
  const { t } = useApp();
  const [editing, setEditing] = useState(false);
  return (
    <Group icon="branch" title={t('connections.routes')}>
      {editing ? (
        <EditRoutes connections={connections} onEnd={() => setEditing(false)} />
      ) : (
        <>
          {LISTS.map(([key, name]) => (
            <div className="crew-line routes" key={key}>
              <span>{t(name)}</span>
              <span className="v">
                {connections[key].length === 0 ? <span className="crew-2">{t('connections.no_route')}</span> : null}
                {connections[key].map(route => (
                  <span key={route} className="crew-mono">
                    {route}
                  </span>
                ))}
              </span>
            </div>
          ))}
          <div className="mend">
            <button type="button" className="crew-btn small" onClick={() => setEditing(true)}>
              {t('connections.change_routes')}
            </button>
          </div>
        </>
      )}
    </Group>
  );
}

function EditRoutes({ connections, onEnd }: { connections: Connections; onEnd: () => void }): JSX.Element {
  const { t } = useApp();
  const { keys } = useManager().manager;
  const [lists, setLists] = useState<Lists>(connections);
  const busy = useSelect(keys.acts, state => state.busy.has('routes'));
  const failure = useSelect(keys.acts, state => state.failures['routes'] ?? null);
  const errors = failure ? errorsOf(failure) : {};
  const changed = LISTS.filter(([key]) => JSON.stringify(lists[key]) !== JSON.stringify(connections[key])).map(([key]) => [key, filled(lists[key])]);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await keys.saveRoutes(Object.fromEntries(changed))) {
      onEnd();
    }
  };
  const cancel = (): void => {
    keys.acts.clear('routes');
    onEnd();
  };
  return (
    <form className="crew-routesform" onSubmit={event => void save(event)}>
      {LISTS.map(([key, name]) => (
        <Shell key={key} label={t(name)} errors={errorsUnder(errors, key)}>
          {named => <RouteRows named={named} routes={lists[key]} empty={t('connections.no_route')} onChange={next => setLists({ ...lists, [key]: next })} />}
        </Shell>
      ))}
      {failure && Object.keys(errors).length === 0 ? <ActFailure text={failure.message} /> : null}
      <div className="crew-row">
        <button type="submit" className="crew-btn primary small" disabled={busy || changed.length === 0}>
          {t('memory.save')}
        </button>
        <button type="button" className="crew-btn small" onClick={cancel}>
          {t('memory.cancel')}
        </button>
      </div>
    </form>
  );
}

function filled(routes: readonly string[]): string[] {
  return routes.map(route => route.trim()).filter(route => route !== '');
}
