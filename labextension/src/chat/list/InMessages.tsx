import type { SearchResult } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useAgent } from '../thread/useAgent';
import { SearchHit } from './SearchHit';

interface Props {
  hits: readonly SearchResult[];
  /** Whether the first hit is where Tab stops. */
  tabStop: boolean;
  onOpen: (id: string) => void;
}

/** The section "In messages" of the list (UI-14, UI-15). */
export function InMessages({ hits, tabStop, onOpen }: Props): JSX.Element | null {
  const { t } = useApp();
  const agent = useAgent();
  if (hits.length === 0) {
    return null;
  }
  return (
    <div role="group" aria-label={t('list.in_messages')}>
      <div className="crew-sec" aria-hidden="true">
        {t('list.in_messages')}
      </div>
      {hits.map((hit, index) => (
        <SearchHit key={hit.message_id} hit={hit} foreign={hit.agent_id !== agent.id} tabStop={tabStop && index === 0} onOpen={onOpen} />
      ))}
    </div>
  );
}
