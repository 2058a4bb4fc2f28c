import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Approval } from '../../shared/contract';
import type { Failure } from '../../shared/stores/types';
import type { Translate } from '../../shared/texts';
import { Avatar } from '../parts/avatar';
import { useApp, useDecider } from '../parts/context';
import { useNow, useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { useAgent } from '../thread/useAgent';
import { Countdown } from './Countdown';
import { questionOf, shareLeft, timeLeft } from './rules';

/** Whether a decision is on its way, and why the last one did not count. */
export interface Standing {
  deciding: boolean;
  failure: Failure | null;
}

interface Props {
  approval: Approval;
  /** Of a request that is not the open conversation's own. */
  standing?: Standing;
  /** What is between the heading and the failure line, and the buttons; `off` while a decision is on its way or too late. */
  body: (agent: string) => ReactNode;
  buttons: (off: boolean) => ReactNode;
  /** What stands behind the buttons. */
  more?: ReactNode;
  /** Sends the card's form: Enter in a choice, or the button that submits. */
  onSubmit?: () => void;
}

/** What every request has: the time left, who asks, the heading, why a decision did not arrive (guide section 6). */
export function AskFrame({ approval, standing, body, buttons, more, onSubmit }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const decider = useDecider();
  const agent = useAgent(approval.agent_id);
  const heading = useRef<HTMLHeadingElement>(null);
  const own = useSelect(decider, state => state.deciding);
  const refusal = useSelect(decider, state => state.decisionFailure);
  const { deciding, failure } = standing ?? { deciding: own, failure: refusal };
  const now = useNow(true);
  const left = timeLeft(approval, now);
  const title = questionOf(approval, agent.name, t);
  useEffect(
    () =>
      app.onRequest(request => {
        if (request.type === 'focus-approval') {
          heading.current?.focus();
        }
      }),
    [app]
  );
  const inner = (
    <>
      <div className="time" aria-hidden="true">
        <span style={{ width: `${shareLeft(approval, now) * 100}%` }} />
      </div>
      <div className="h">
        <Avatar id={agent.id} name={agent.name} />
        <h3 ref={heading} id={`crew-ask-${approval.id}`} tabIndex={-1} className="crew-grow">
          {title}
        </h3>
        <Countdown left={left} />
      </div>
      {body(agent.name)}
      {failure ? (
        <div className="p crew-sm crew-t-error crew-row" role="alert">
          <Icon name="warning" size="s" />
          {failureWords(failure, approval.kind === 'question', t)}
        </div>
      ) : null}
      <div className="acts">
        {buttons(deciding || left === 0)}
        {more}
      </div>
      <Announcement text={t('ask.announce', { agent: agent.name, title, left: t('ask.minutes_left', { n: Math.ceil(left / 60_000) }) })} />
    </>
  );
  const group = { role: 'group', 'aria-labelledby': `crew-ask-${approval.id}` };
  if (!onSubmit) {
    return (
      <section className="crew-ask" {...group}>
        {inner}
      </section>
    );
  }
  return (
    <form
      className="crew-ask q"
      {...group}
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {inner}
    </form>
  );
}

/** Why a decision or an answer did not count: somebody was first, the deadline has passed, or it did not arrive (UI-63, FA-2). */
export function failureWords(failure: Failure, question: boolean, t: Translate): string {
  if (failure.code === 'not_pending') {
    return t(failure.fields['status'] === 'expired' ? 'ask.too_late' : 'ask.decided_elsewhere');
  }
  return t(question ? 'ask.not_answered' : 'ask.not_decided', { message: failure.message });
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
