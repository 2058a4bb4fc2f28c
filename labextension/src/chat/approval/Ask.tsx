import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Approval } from '../../shared/contract';
import type { Failure } from '../../shared/stores/types';
import { Avatar } from '../parts/avatar';
import { useApp } from '../parts/context';
import { useNow } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { useAgent } from '../thread/useAgent';
import { AskBody } from './AskBody';
import { Countdown } from './Countdown';
import { offersAlways, questionOf, shareLeft, timeLeft } from './rules';

interface Props {
  approval: Approval;
  deciding: boolean;
  failure: Failure | null;
  decide: (decision: 'approve' | 'deny', always?: boolean) => Promise<void>;
  /** Where the request comes from, when it is not the open conversation's own. */
  children?: ReactNode;
}

/** One request: question, time left, what would happen, the three actions (guide section 6). */
export function Ask({ approval, deciding, failure, decide, children }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const agent = useAgent(approval.agent_id);
  const heading = useRef<HTMLHeadingElement>(null);
  const [all, setAll] = useState(false);
  const now = useNow(true);
  const left = timeLeft(approval, now);
  const off = deciding || left === 0;
  const question = questionOf(approval, t);
  const why = approval.reason !== null;
  useEffect(
    () =>
      app.onRequest(request => {
        if (request.type === 'focus-approval') {
          heading.current?.focus();
        }
      }),
    [app]
  );
  return (
    <section className="crew-ask" role="group" aria-labelledby={`crew-ask-${approval.id}`}>
      <div className="time" aria-hidden="true">
        <span style={{ width: `${shareLeft(approval, now) * 100}%` }} />
      </div>
      <div className="h">
        <Avatar id={agent.id} name={agent.name} />
        <h3 ref={heading} id={`crew-ask-${approval.id}`} tabIndex={-1} className="crew-grow">
          {question}
        </h3>
        <Countdown left={left} />
      </div>
      {children}
      <AskBody approval={approval} agent={agent.name} all={all} onAll={setAll} />
      {failure ? (
        <div className="p crew-sm crew-t-error crew-row" role="alert">
          <Icon name="warning" size="s" />
          {failure.code === 'not_pending' ? t('ask.decided_elsewhere') : t('ask.not_decided', { message: failure.message })}
        </div>
      ) : null}
      <div className="acts">
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
      </div>
      <Announcement text={t('ask.announce', { agent: agent.name, title: question, left: t('ask.minutes_left', { n: Math.ceil(left / 60_000) }) })} />
    </section>
  );
}

/** Enter never approves (UI-62); Space and a click do. */
function refuseEnter(event: { key: string; preventDefault: () => void }): void {
  if (event.key === 'Enter') {
    event.preventDefault();
  }
}

/** Says once that somebody asks (UI-119): the words of the first moment stay, whatever the clock does. */
function Announcement({ text }: { text: string }): JSX.Element {
  const first = useRef(text);
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(first.current), []);
  return (
    <div className="crew-hidden" role="alert" aria-live="assertive">
      {said}
    </div>
  );
}
