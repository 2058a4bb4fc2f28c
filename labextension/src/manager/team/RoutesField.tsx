import { useId } from 'react';
import { useApp } from '../../chat/parts/context';
import { IconButton } from '../../chat/parts/controls';
import { useSelect } from '../../chat/parts/hooks';
import { type Field, inForce } from '../../shared/manage/team/fields';
import type { Connections } from '../../shared/contract';
import { useField } from './editing';
import { declares, helpOf, labelOf, textOf } from './fieldWords';
import { type Named, Shell } from './Shell';

/** A list of routes in the order in which they are tried; "not in the file" means those of the crew. */
export function RoutesField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  const routes = Array.isArray(one.value) ? (one.value as readonly string[]) : [];
  const now = inForce(one.agent, field.key);
  const crew = !declares(one.agent, field.key) && Array.isArray(now) ? now.map(String) : [];
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={helpOf(field, t)} errors={one.errors} onDefault={one.value === null || one.locked ? null : () => one.set(null)}>
      {named => <RouteRows named={named} routes={routes} locked={one.locked} empty={crew.length > 0 ? t('team.crew_list', { list: crew.join(', ') }) : t('team.crew_routes')} onChange={next => one.set(next.length === 0 ? null : next)} />}
    </Shell>
  );
}

interface RowsProps {
  named: Named;
  routes: readonly string[];
  locked?: boolean;
  /** What is said while there is none. */
  empty: string;
  onChange: (routes: string[]) => void;
}

/** Numbered rows with their state; each can be moved up and taken out. */
export function RouteRows({ named, routes, locked, empty, onChange }: RowsProps): JSX.Element {
  const { t } = useApp();
  const put = (place: number, route: string): void => onChange(routes.map((one, at) => (at === place ? route : one)));
  const raise = (place: number): void => onChange(routes.map((one, at) => (at === place - 1 ? (routes[place] ?? one) : at === place ? (routes[place - 1] ?? one) : one)));
  return (
    <div id={named.id} className="crew-routes" role="group" aria-labelledby={named['aria-labelledby']} aria-describedby={named['aria-describedby']}>
      {routes.length === 0 ? <span className="crew-sm crew-2">{empty}</span> : null}
      {routes.map((route, place) => (
        <div className="crew-row" key={place}>
          <RouteInput named={{ ...named, id: undefined, 'aria-labelledby': '' }} label={t('team.route_n', { n: place + 1 })} number={place + 1} value={route} locked={locked} onChange={next => put(place, next)} />
          {locked ? null : (
            <>
              <IconButton icon="arrow-down" className="up" label={t('team.route_up', { n: place + 1 })} disabled={place === 0} onClick={() => raise(place)} />
              <IconButton icon="close" label={t('team.route_out', { n: place + 1 })} onClick={() => onChange(routes.filter((_one, at) => at !== place))} />
            </>
          )}
        </div>
      ))}
      {locked ? null : (
        <button type="button" className="crew-link crew-sm add" onClick={() => onChange([...routes, ''])}>
          {t('team.add_route')}
        </button>
      )}
    </div>
  );
}

/** One route; empty is "none". */
export function RouteField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={helpOf(field, t)} errors={one.errors}>
      {named => <RouteInput named={named} value={textOf(one.value)} locked={one.locked} onChange={one.set} />}
    </Shell>
  );
}

interface InputProps {
  named: Named;
  label?: string;
  number?: number;
  value: string;
  locked?: boolean | undefined;
  onChange: (route: string) => void;
}

/** A route with the state of its provider, and the routes of the crew to choose from. */
function RouteInput({ named, label, number, value, locked, onChange }: InputProps): JSX.Element {
  const app = useApp();
  const { t } = app;
  const known = useId();
  const connections = useSelect(app.agents, state => state.connections);
  const state = stateOf(value, connections);
  return (
    <span className={named['aria-invalid'] ? 'crew-field bad' : 'crew-field'}>
      {number === undefined ? null : <span className="crew-2 crew-num">{number}</span>}
      <input
        {...named}
        {...(label === undefined ? {} : { 'aria-labelledby': undefined, 'aria-label': label })}
        className="crew-mono"
        list={known}
        value={value}
        placeholder={t('team.route_form')}
        readOnly={locked}
        autoComplete="off"
        spellCheck={false}
        onChange={event => onChange(event.target.value)}
      />
      {state ? (
        <span className={state.ready ? 'crew-sm crew-2' : 'crew-sm crew-t-warn'} title={state.why}>
          {t(state.ready ? 'team.ready' : 'team.not_ready')}
        </span>
      ) : null}
      <datalist id={known}>
        {connections?.routes.map(route => (
          <option key={route} value={route} />
        ))}
      </datalist>
    </span>
  );
}

function stateOf(route: string, connections: Connections | null): { ready: boolean; why: string } | undefined {
  const provider = route.split(':', 1)[0];
  return route.includes(':') ? connections?.providers.find(one => one.name === provider) : undefined;
}
