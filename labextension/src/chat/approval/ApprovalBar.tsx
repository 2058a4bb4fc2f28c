import { useEffect, useRef } from 'react';
import { ChildAsks } from '../delegate/ChildAsks';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { failureWords } from './AskFrame';
import { RequestCard } from './RequestCard';

/** The bar above the composer while a request waits (UI-59, GATE-32). It takes no focus by itself (UI-62). */
export function ApprovalBar({ onEnd }: { onEnd: () => void }): JSX.Element | null {
  const app = useApp();
  const pending = useSelect(app.conversation, state => state.view.pending);
  const had = useRef(false);
  const inside = useRef(false);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (had.current && !pending && inside.current) {
      end.current(); // guide section 14: when an approval ends, the focus goes to the composer
    }
    had.current = pending !== null;
    inside.current = false;
  }, [pending]);
  if (!pending) {
    return (
      <>
        <Elsewhere />
        <ChildAsks />
      </>
    );
  }
  return (
    <div onFocus={() => (inside.current = true)} onBlur={() => (inside.current = false)}>
      <RequestCard key={pending.id} approval={pending} />
    </div>
  );
}

/** A decision made here that came too late: somebody was first, or the deadline (UI-63, FA-2). */
function Elsewhere(): JSX.Element | null {
  const app = useApp();
  const failure = useSelect(app.conversation, state => state.decisionFailure);
  if (failure?.code !== 'not_pending') {
    return null;
  }
  return (
    <div className="crew-refusal crew-2" role="status">
      <Icon name="info" size="s" />
      {failureWords(failure, false, app.t)}
    </div>
  );
}
