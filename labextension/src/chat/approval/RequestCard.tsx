import { type ReactNode, useState } from 'react';
import type { Approval } from '../../shared/contract';
import { useApp, useDecider } from '../parts/context';
import { AskBody } from './AskBody';
import { AskFrame } from './AskFrame';
import { QuestionCard } from './QuestionCard';
import { offersAlways } from './rules';

interface Props {
  approval: Approval;
  /** What stands behind the buttons, where the card is not in its conversation. */
  more?: ReactNode;
}

/** The card of a waiting request, the same in the chat and in the manager (GATE-32, GATE-76). */
export function RequestCard({ approval, more }: Props): JSX.Element {
  return approval.kind === 'question' ? <QuestionCard approval={approval} more={more} /> : <Ask approval={approval} more={more} />;
}

function Ask({ approval, more }: Props): JSX.Element {
  const { t } = useApp();
  const decider = useDecider();
  const [all, setAll] = useState(false);
  const why = approval.reason !== null || approval.again; // guide section 2: such a decision is never nudged
  return (
    <AskFrame
      approval={approval}
      more={more}
      body={agent => <AskBody approval={approval} agent={agent} all={all} onAll={setAll} />}
      buttons={off => (
        <>
          <button type="button" className={why ? 'crew-btn strong' : 'crew-btn primary'} disabled={off} onKeyDown={refuseEnter} onClick={() => void decider.decide('approve')}>
            {t('ask.approve')}
          </button>
          {offersAlways(approval) ? (
            <button type="button" className="crew-btn always" disabled={off} onKeyDown={refuseEnter} onClick={() => void decider.decide('approve', true)}>
              {t('ask.always')}
            </button>
          ) : null}
          <button type="button" className="crew-btn" disabled={off} onClick={() => void decider.decide('deny')}>
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
