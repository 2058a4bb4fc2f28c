import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { AskBody } from './AskBody';
import { AskFrame, failureWords } from './AskFrame';
import { QuestionCard } from './QuestionCard';
import { offersAlways } from './rules';

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
    return <Elsewhere />;
  }
  return (
    <div onFocus={() => (inside.current = true)} onBlur={() => (inside.current = false)}>
      {pending.kind === 'question' ? <QuestionCard key={pending.id} approval={pending} /> : <Ask key={pending.id} approval={pending} />}
    </div>
  );
}

function Ask({ approval }: { approval: Approval }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [all, setAll] = useState(false);
  const why = approval.reason !== null || approval.again; // guide section 2: such a decision is never nudged
  return (
    <AskFrame
      approval={approval}
      body={agent => <AskBody approval={approval} agent={agent} all={all} onAll={setAll} />}
      buttons={off => (
        <>
          <button type="button" className={why ? 'crew-btn strong' : 'crew-btn primary'} disabled={off} onKeyDown={refuseEnter} onClick={() => void app.conversation.decide('approve')}>
            {t('ask.approve')}
          </button>
          {offersAlways(approval) ? (
            <button type="button" className="crew-btn always" disabled={off} onKeyDown={refuseEnter} onClick={() => void app.conversation.decide('approve', true)}>
              {t('ask.always')}
            </button>
          ) : null}
          <button type="button" className="crew-btn" disabled={off} onClick={() => void app.conversation.decide('deny')}>
            {t('ask.deny')}
          </button>
        </>
      )}
    />
  );
}

/** Enter never approves (UI-62); Space and a click do. */
function refuseEnter(event: { key: string; preventDefault: () => void }): void {
  if (event.key === 'Enter') {
    event.preventDefault();
  }
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
