import { useMemo } from 'react';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';

/** Id and name of an agent; of the open conversation's, or the master's, when none is named. */
export function useAgent(id?: string): { id: string; name: string } {
  const app = useApp();
  const open = useSelect(app.conversation, state => state.view.conversation?.agent_id ?? null);
  const agents = useSelect(app.agents, state => state.agents);
  const wanted = id ?? open;
  return useMemo(() => {
    const agent = wanted === null ? agents.find(one => one.master) : agents.find(one => one.id === wanted);
    return { id: agent?.id ?? wanted ?? 'master', name: agent?.name ?? wanted ?? app.t('crew.master') };
  }, [agents, app, wanted]);
}
