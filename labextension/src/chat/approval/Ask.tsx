import { type ReactNode, useState } from 'react';
import type { Approval } from '../../shared/contract';
import { useApp } from '../parts/context';
import { AskBody } from './AskBody';
import { AskFrame, type Standing } from './AskFrame';
import { offersAlways } from './rules';

interface Props {
  approval: Approval;
  decide: (decision: 'approve' | 'deny', always?: boolean) => Promise<void>;
  /** How a decision on a request of another conversation stands; the open conversation's own when left out. */
  standing?: Standing;
  /** Where the request comes from, when it is not the open conversation's own. */
  from?: ReactNode;
  /** What stands behind the buttons. */
  more?: ReactNode;
}

/** One request for a tool: what would happen and the three actions (guide section 6). */
export function Ask({ approval, decide, standing, from, more }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [all, setAll] = useState(false);
  const why = approval.reason !== null || approval.again; // guide section 2: such a decision is never nudged
  return (
    <AskFrame
      approval={approval}
      more={more}
      {...(standing ? { standing } : {})}
      body={agent => (
        <>
          {from}
          <AskBody approval={approval} agent={agent} all={all} onAll={setAll} />
        </>
      )}
      buttons={off => (
        <>
          <button type="button" className={why ? 'crew-btn strong' : 'crew-btn primary'} disabled={off} onKeyDown={refuseEnter} onClick={() => void decide('approve')}>
            {t('ask.approve')}
          </button>
          {offersAlways(approval) ? (
            <button type="button" className="crew-btn always" disabled={off} onKeyDown={refuseEnter} onClick={() => void decide('approve', true)}>
              {t('ask.always')}
            </button>
          ) : null}
          <button type="button" className="crew-btn" disabled={off} onClick={() => void decide('deny')}>
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
