/** The shelf of the Crew manager over the kernel instead of the server: the list is the state, values and deletions are asked for (STO-55). */
import { ApiError } from '../../shared/api';
import type { ScriptNamespace, ScriptShelves, ScriptValue } from '../../shared/contract';
import { Shelf } from '../../shared/manage/scripts';
import type { Named } from '../live/app';
import type { LiveModel } from '../live/model';
import type { Base } from '../live/wire';

/** The state of `ScriptStore` as its kernel side makes it (`crewlab/widgets/store.py`). */
export interface Shown extends Base {
  agent: string;
  limit_chars: number;
  namespaces: ScriptNamespace[];
  agents: Named[];
}

/** A shelf that reads again with every new state. */
export function shelfOf(live: LiveModel<Shown>, agent: string): Shelf {
  const only = <T>(work: () => Promise<unknown>): Promise<T> =>
    live.getSnapshot().kernel === 'still' ? Promise.reject(new ApiError('unreachable', 0, '')) : (work() as Promise<T>);
  const shelf = new Shelf(
    {
      scriptShelves: (): Promise<ScriptShelves> => {
        const { state } = live.getSnapshot();
        return Promise.resolve({ limit_chars: state?.limit_chars ?? 0, namespaces: state?.namespaces ?? [] });
      },
      scriptValue: (_agent, query) => only<ScriptValue>(() => live.ask('value', { ...query })),
      forgetScriptValues: (_agent, query) => only<{ deleted: number }>(() => live.ask('delete', typeof query.key === 'string' ? { ...query } : { namespace: query.namespace, all: true }))
    },
    agent
  );
  let known: Shown | null = null;
  const follow = (): void => {
    const { state } = live.getSnapshot();
    if (state !== null && state !== known) {
      known = state;
      void shelf.load();
    }
  };
  follow();
  live.subscribe(follow);
  return shelf;
}
