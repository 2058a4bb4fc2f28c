import { useMemo, useState } from 'react';
import type { Approval } from '../../shared/contract';
import { openerOf } from '../../shared/delegate';
import type { Failure } from '../../shared/stores/types';
import { Ask } from '../approval/Ask';
import { AskFrame } from '../approval/AskFrame';
import { useApp } from '../parts/context';
import { useStore } from '../parts/hooks';
import { useAgent } from '../thread/useAgent';

/** Requests of jobs that the open conversation gave out: announced here, decided here or in the child's conversation (GATE-38). */
export function ChildAsks(): JSX.Element | null {
  const app = useApp();
  const { id } = useStore(app.conversation);
  const { approvals, view, history } = useStore(app.activity);
  const children = useMemo(() => {
    const runs = [...view.runs, ...((id === null ? undefined : history[id]) ?? [])];
    return new Set(runs.filter(run => openerOf(run) === id).map(run => run.conversation_id));
  }, [view.runs, history, id]);
  const asked = approvals.filter(one => children.has(one.conversation_id));
  const first = asked[0]; // one at a time, as everywhere; the next follows when it is decided
  return first ? <ChildAsk key={first.id} approval={first} /> : null;
}

function ChildAsk({ approval }: { approval: Approval }): JSX.Element {
  const app = useApp();
  const agent = useAgent(approval.agent_id);
  const [deciding, setDeciding] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const decide = async (decision: 'approve' | 'deny', always = false): Promise<void> => {
    setDeciding(true);
    setFailure(await app.activity.decide(approval.id, decision, always));
    setDeciding(false);
  };
  const open = (): void => app.conversation.openChild(approval.conversation_id);
  const standing = { deciding, failure };
  const from = (
    <div className="p crew-sm crew-2 crew-row crew-wrap">
      <span>{app.t('job.asks', { agent: agent.name })}</span>
      <button type="button" className="crew-link" onClick={open}>
        {app.t('job.open')}
      </button>
    </div>
  );
  return approval.kind === 'question' ? (
    <AskFrame approval={approval} standing={standing} body={() => from} buttons={() => <Answer onClick={open} />} />
  ) : (
    <Ask approval={approval} decide={decide} standing={standing} from={from} />
  );
}

/** A question is answered where it was asked. */
function Answer({ onClick }: { onClick: () => void }): JSX.Element {
  const { t } = useApp();
  return (
    <button type="button" className="crew-btn primary" onClick={onClick}>
      {t('job.open')}
    </button>
  );
}
