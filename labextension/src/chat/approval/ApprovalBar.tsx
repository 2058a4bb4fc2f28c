import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../shared/contract';
import { Avatar } from '../parts/avatar';
import { useApp } from '../parts/context';
import { useNow, useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { useAgent } from '../thread/useAgent';
import { AskBody } from './AskBody';
import { Countdown } from './Countdown';
import { offersAlways, questionOf, shareLeft, timeLeft } from './rules';

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
      <Ask key={pending.id} approval={pending} />
    </div>
  );
}

function Ask({ approval }: { approval: Approval }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const agent = useAgent(approval.agent_id);
  const heading = useRef<HTMLHeadingElement>(null);
  const deciding = useSelect(app.conversation, state => state.deciding);
  const failure = useSelect(app.conversation, state => state.decisionFailure);
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
      <AskBody approval={approval} agent={agent.name} all={all} onAll={setAll} />
      {failure ? (
        <div className="p crew-sm crew-t-error crew-row" role="alert">
          <Icon name="warning" size="s" />
          {failure.code === 'not_pending' ? t('ask.decided_elsewhere') : t('ask.not_decided', { message: failure.message })}
        </div>
      ) : null}
      <div className="acts">
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

/** A decision made here that came too late: somebody was first (UI-63). */
function Elsewhere(): JSX.Element | null {
  const app = useApp();
  const failure = useSelect(app.conversation, state => state.decisionFailure);
  if (failure?.code !== 'not_pending') {
    return null;
  }
  return (
    <div className="crew-refusal crew-2" role="status">
      <Icon name="info" size="s" />
      {app.t('ask.decided_elsewhere')}
    </div>
  );
}
