import { memo, useMemo, useRef } from 'react';
import { chipsOf } from '../../shared/canvas/tags';
import { piecesOf } from '../../shared/media';
import { NotebookCommand } from '../../shared/notebook/ids';
import type { ThreadItem } from '../../shared/view';
import { JobCard } from '../delegate/JobCard';
import { Avatar } from '../parts/avatar';
import { IconButton } from '../parts/controls';
import { useApp } from '../parts/context';
import { timeOfDay } from '../parts/figures';
import { StepRow } from '../parts/step';
import { type AnswerItem, sameItems, segmentsOf } from './blocks';
import { Steps } from './Lines';
import { Markdown } from './Markdown';
import { Media } from './Media';
import { UserMessage } from './UserMessage';
import { useAgent } from './useAgent';

interface Props {
  items: readonly ThreadItem[];
  agent: { id: string; name: string };
  /** A line of its own at the end while nothing else shows that the turn runs. */
  pulse: 'thinking' | 'working' | null;
  /** The turn still runs or waits: the answer is not at its end, so it has no actions yet. */
  busy: boolean;
  /** Figures of the finished turn, under its answer. */
  figures: string | null;
}

/** Everything the agent did between two messages: head, steps, text, actions (guide section 5). */
export const WorkBlock = memo(
  function WorkBlock({ items, agent, pulse, busy, figures }: Props): JSX.Element {
    const { t } = useApp();
    const begun = useRef(new Date().toISOString()); // what is not stored yet has begun when it was first drawn
    const at = items.map(item => ('created_at' in item ? item.created_at : null)).find(moment => moment !== null) ?? begun.current;
    const segments = segmentsOf(items);
    const chips = useMemo(() => chipsOf(items), [items]);
    const answer = lastAnswer(items);
    return (
      <>
        <div className="crew-by">
          <Avatar id={agent.id} name={agent.name} />
          <b>{agent.name}</b>
          <span className="crew-num">{timeOfDay(at, t)}</span>
        </div>
        {segments.map(segment =>
          segment.kind === 'steps' ? (
            <Steps key={segment.key} items={segment.items} chips={chips} />
          ) : segment.kind === 'job' ? (
            <JobCard key={segment.key} item={segment.item} />
          ) : segment.kind === 'steer' ? (
            <UserMessage key={segment.key} item={segment.item} />
          ) : (
            <Answer key={segment.key} item={segment.item} />
          )
        )}
        {pulse ? (
          <ul className="crew-steps">
            <StepRow kind="run" what={t(pulse === 'thinking' ? 'thread.thinking' : 'run.working')} />
          </ul>
        ) : null}
        {answer && !busy ? <Actions answer={answer} figures={figures} /> : null}
      </>
    );
  },
  (before, after) =>
    before.pulse === after.pulse &&
    before.busy === after.busy &&
    before.figures === after.figures &&
    before.agent.id === after.agent.id &&
    before.agent.name === after.agent.name &&
    sameItems(before.items, after.items)
);

function Answer({ item }: { item: AnswerItem }): JSX.Element {
  const { t } = useApp();
  const { text, streaming, key } = item;
  const pieces = useMemo(() => piecesOf(text, streaming), [text, streaming]);
  return (
    <>
      {item.relayed_from === null ? null : <Relayed agent={item.relayed_from} />}
      {pieces.map((piece, index) =>
        piece.kind === 'text' ? (
          <Markdown key={index} text={piece.text} live={streaming && index === pieces.length - 1} of={key} />
        ) : (
          <Media key={index} piece={piece} agent={item.relayed_from} />
        )
      )}
      {item.partial && !item.streaming ? (
        <div className="crew-sm crew-2">{t(item.partial === 'stopped' ? 'thread.partial_stopped' : 'thread.partial_error')}</div>
      ) : null}
    </>
  );
}

/** Whose words these are (DLG-78). */
function Relayed({ agent }: { agent: string }): JSX.Element {
  const { t } = useApp();
  const from = useAgent(agent);
  return (
    <div className="crew-relayed">
      <Avatar id={from.id} name={from.name} />
      {t('job.from', { agent: from.name })}
    </div>
  );
}

function Actions({ answer, figures }: { answer: AnswerItem; figures: string | null }): JSX.Element {
  const app = useApp();
  return (
    <div className="crew-acts">
      <IconButton icon="copy" label={app.t('thread.copy')} onClick={() => void app.copy(answer.text)} />
      {app.has(NotebookCommand.insertAnswer) ? (
        <IconButton icon="insert" label={app.t('cells.insert_answer')} onClick={() => app.execute(NotebookCommand.insertAnswer, { key: answer.key })} />
      ) : null}
      <span className="crew-grow" />
      {figures}
    </div>
  );
}

function lastAnswer(items: readonly ThreadItem[]): AnswerItem | null {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind === 'answer' && item.text.trim() !== '') {
      return item;
    }
  }
  return null;
}
