import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import { useNow, useSelect } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import { useAgent } from '../../chat/thread/useAgent';
import type { MemoryProposal } from '../../shared/contract';
import { staleText } from '../../shared/manage/memory';
import { useManager } from '../app';
import { ActFailure } from '../parts/page';
import { moment } from '../parts/when';

/** Old and new side by side, and the decision; one that no longer fits shows the current text next to both (UI-97, UI-98). */
export function ProposalCard({ proposal }: { proposal: MemoryProposal }): JSX.Element {
  const { t } = useApp();
  const { memory } = useManager().manager;
  const agent = useAgent(proposal.agent_id);
  const now = useNow(false);
  const failure = useSelect(memory.acts, state => state.failures[proposal.id]);
  const current = staleText(failure);
  const pending = proposal.status === 'pending';
  const title = t(`memory.op.${proposal.operation}`, { target: proposal.target });
  return (
    <section className="crew-card crew-proposal" aria-label={title}>
      <div className="head">
        <Avatar id={agent.id} name={agent.name} />
        <h3>{title}</h3>
        {proposal.status === 'pending' ? null : <span className="crew-label">{t(`memory.status.${proposal.status}`)}</span>}
        <span className="crew-sm crew-2 when">
          {agent.name}, {moment(proposal.created_at, now, t)}
        </span>
      </div>
      {proposal.reason ? <p className="crew-sm crew-2 reason">{proposal.reason}</p> : null}
      <div className={current === null ? 'sides' : 'sides three'}>
        <Side name={t(pending ? 'memory.old' : 'memory.before')} text={proposal.before_text} nothing={t('memory.nothing')} />
        <Side name={t('memory.new')} text={proposal.after_text} nothing={t('memory.removed')} />
        {current === null ? null : <Side name={t('memory.current')} text={current} nothing={t('memory.nothing')} />}
      </div>
      {current === null ? null : (
        <p className="stale crew-sm" role="alert">
          <Icon name="warning" size="s" />
          {t('memory.stale')}
        </p>
      )}
      {failure && current === null ? <ActFailure text={t('memory.not_decided', { message: failure.message })} /> : null}
      <Decide proposal={proposal} stale={current !== null} />
    </section>
  );
}

function Side({ name, text, nothing }: { name: string; text: string | null; nothing: string }): JSX.Element {
  return (
    <div>
      <div className="crew-xs crew-2">{name}</div>
      {text === null || text === '' ? (
        <div className="crew-sm crew-2 none">{nothing}</div>
      ) : (
        <pre className="crew-code" tabIndex={0} aria-label={name}>
          {text}
        </pre>
      )}
    </div>
  );
}

function Decide({ proposal, stale }: { proposal: MemoryProposal; stale: boolean }): JSX.Element | null {
  const { t } = useApp();
  const { memory } = useManager().manager;
  const busy = useSelect(memory.acts, state => state.busy.has(proposal.id));
  const decide = (decision: 'approve' | 'reject' | 'revert'): void => void memory.decide(proposal.id, decision, stale && decision !== 'reject');
  if (proposal.status === 'approved') {
    return (
      <div className="acts">
        <button type="button" className="crew-btn small" disabled={busy} onClick={() => decide('revert')}>
          {t(stale ? 'memory.revert_anyway' : 'memory.revert')}
        </button>
      </div>
    );
  }
  if (proposal.status !== 'pending') {
    return null;
  }
  return (
    <div className="acts">
      <button type="button" className={stale ? 'crew-btn strong' : 'crew-btn primary'} disabled={busy} onClick={() => decide('approve')}>
        {t(stale ? 'memory.anyway' : 'memory.approve')}
      </button>
      <button type="button" className="crew-btn" disabled={busy} onClick={() => decide('reject')}>
        {t('memory.reject')}
      </button>
    </div>
  );
}
