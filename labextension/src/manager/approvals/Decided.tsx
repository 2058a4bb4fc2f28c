import { useState } from 'react';
import { Arguments } from '../../chat/parts/arguments';
import { useApp } from '../../chat/parts/context';
import { duration } from '../../chat/parts/figures';
import { useNow } from '../../chat/parts/hooks';
import { useAgent } from '../../chat/thread/useAgent';
import type { Approval } from '../../shared/contract';
import { moment } from '../parts/when';
import { answerOf, outcomeOf, requestWords, waitedMs, whatWords } from './words';

const COLUMNS = 7;
const OPEN = 'crewlab:open-conversation';

/** Decided requests, each with every argument word for word under "Show all" (GATE-76, UI-60). */
export function Decided({ decided }: { decided: readonly Approval[] }): JSX.Element {
  const { t } = useApp();
  return (
    <table className="crew-table decided" aria-label={t('approvals.decided')}>
      <thead>
        <tr>
          <th scope="col">{t('approvals.request')}</th>
          <th scope="col">{t('approvals.what')}</th>
          <th scope="col">{t('manage.agent')}</th>
          <th scope="col">{t('manage.outcome')}</th>
          <th scope="col" className="r">
            {t('approvals.waited')}
          </th>
          <th scope="col" className="r">
            {t('approvals.when')}
          </th>
          <th scope="col">
            <span className="crew-hidden">{t('ask.show_all')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {decided.map(approval => (
          <Row key={approval.id} approval={approval} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ approval }: { approval: Approval }): JSX.Element {
  const { t } = useApp();
  const agent = useAgent(approval.agent_id);
  const now = useNow(false);
  const [open, setOpen] = useState(false);
  const outcome = outcomeOf(approval, t);
  const waited = waitedMs(approval);
  const words = requestWords(approval, t);
  return (
    <>
      <tr>
        <th scope="row">{words}</th>
        <td className="what">
          <span className="crew-mono crew-ell">{whatWords(approval)}</span>
        </td>
        <td>{agent.name}</td>
        <td>
          <span className={`crew-label ${outcome.tone}`}>{outcome.text}</span>
        </td>
        <td className="r crew-num crew-2">{waited === null ? '' : duration(waited, t)}</td>
        <td className="r crew-num crew-2">{moment(approval.decided_at ?? approval.expires_at, now, t)}</td>
        <td className="r">
          <button type="button" className="crew-link" aria-expanded={open} aria-label={`${t(open ? 'ask.show_less' : 'ask.show_all')}: ${words}`} onClick={() => setOpen(!open)}>
            {t(open ? 'ask.show_less' : 'ask.show_all')}
          </button>
        </td>
      </tr>
      {open ? (
        <tr className="detail">
          <td colSpan={COLUMNS}>
            <Detail approval={approval} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Detail({ approval }: { approval: Approval }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const answer = answerOf(approval);
  return (
    <div className="crew-detail">
      {approval.reason === null ? null : <Fact name={t('approvals.reason')} text={approval.reason} />}
      {Object.keys(approval.arguments).length > 0 ? <Arguments value={approval.arguments} /> : <div className="crew-sm crew-2">{t('ask.no_arguments')}</div>}
      {answer === '' ? null : <Fact name={t('approvals.your_answer')} text={answer} />}
      {app.has(OPEN) ? (
        <div className="foot">
          <button type="button" className="crew-link" onClick={() => app.execute(OPEN, { id: approval.conversation_id })}>
            {t('manage.open_conversation')}
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }): JSX.Element {
  return <Arguments value={{ [name]: text }} />;
}
