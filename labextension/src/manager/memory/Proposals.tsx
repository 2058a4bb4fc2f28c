import { useEffect } from 'react';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { waiting } from '../../shared/manage/memory';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { ProposalCard } from './ProposalCard';

/** What agents would like to remember: decided here, and taken back later (UI-97, MEMF-11). */
export function Proposals(): JSX.Element {
  const { t } = useApp();
  const { proposals } = useManager().manager.memory;
  const state = useStore(proposals);
  useEffect(() => void proposals.load(), [proposals]);
  const open = waiting(state.data);
  const earlier = state.data?.proposals.filter(one => one.status !== 'pending') ?? [];
  return (
    <Region state={state} has={state.data !== null} retry={() => void proposals.load()}>
      <div className="crew-stack">
        {open.length === 0 ? <Empty>{t('memory.no_proposals')}</Empty> : null}
        {open.map(one => (
          <ProposalCard key={one.id} proposal={one} />
        ))}
        {earlier.length > 0 ? <h2 className="crew-h2">{t('memory.earlier')}</h2> : null}
        {earlier.map(one => (
          <ProposalCard key={one.id} proposal={one} />
        ))}
      </div>
    </Region>
  );
}
