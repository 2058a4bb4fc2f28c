import { memo } from 'react';
import type { Run } from '../../shared/contract';
import { childOf, type JobResult, readJob, wordsOf } from '../../shared/delegate';
import { Timeline } from '../activity/Timeline';
import { Avatar } from '../parts/avatar';
import { Bead } from '../parts/bead';
import { useApp } from '../parts/context';
import { useFold, useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { CanvasChip } from '../thread/CanvasChip';
import type { ToolItem } from '../thread/tool-state';
import { useAgent } from '../thread/useAgent';
import { jobFigures, outcomeLabel, reasonSentence } from './outcome';
import { askedOf, childLine } from './words';

const NO_RUNS: readonly Run[] = [];

/** A job given to another agent: who, what, how it ended and why, what it wrote, and the way to its conversation (DLG-55, UI-33). */
export const JobCard = memo(function JobCard({ item }: { item: ToolItem }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [open, turn] = useFold();
  const result = item.output === null ? null : readJob(item.output);
  const runs = useSelect(app.activity, state => state.history[app.conversation.getSnapshot().id ?? ''] ?? NO_RUNS);
  const child = result?.conversation_id ?? childOf(runs, item.tool_call_id);
  const run = runs.find(one => one.conversation_id === child && child !== null) ?? null;
  const { agent: to, task } = askedOf(item.arguments);
  const agent = useAgent(to);
  return (
    <div className="crew-card crew-job" role="group" aria-label={t('job.name', { agent: agent.name })}>
      <button type="button" className="h" aria-expanded={open} onClick={turn}>
        <Avatar id={agent.id} name={agent.name} />
        <b>{agent.name}</b>
        <span className="crew-ell crew-2 crew-grow" title={task}>
          {task.replace(/\s+/g, ' ')}
        </span>
        <span className="crew-chev">
          <Icon name={open ? 'chevron-down' : 'chevron'} size="xs" />
        </span>
      </button>
      <div className="p">
        <State item={item} result={result} run={run} />
        {result ? <Canvases job={result} /> : null}
        <div className="row foot">
          {child === null ? null : (
            <button type="button" className="crew-link" onClick={() => app.conversation.openChild(child)}>
              {t('job.open')}
            </button>
          )}
          <span className="crew-grow" />
          {result ? <span className="crew-num crew-2">{jobFigures(result, t)}</span> : null}
        </div>
      </div>
      {open ? <Inside task={task} run={run} result={result} /> : null}
    </div>
  );
});

/** Outcome and reason right beside it; while it runs the child's current line (guide section 5). */
function State({ item, result, run }: { item: ToolItem; result: JobResult | null; run: Run | null }): JSX.Element {
  const { t } = useApp();
  if (result) {
    const label = outcomeLabel(result.outcome, t);
    const why = reasonSentence(result, t);
    return (
      <div className="row">
        <span className={`crew-label ${label.tone}`}>
          {label.tone === 'ok' ? <Icon name="check" size="s" /> : null}
          {label.text}
        </span>
        {why === null ? null : <span className={label.tone === 'error' ? 'why crew-t-error' : 'why'}>{why}</span>}
      </div>
    );
  }
  if (item.output !== null) {
    return (
      <div className="row">
        <span className="crew-label error">{t('job.not_given')}</span>
        <span className="why crew-t-error">{item.output}</span>
      </div>
    );
  }
  if (item.state === 'open') {
    return <div className="row crew-2">{t('tool.no_answer')}</div>;
  }
  if (run?.status === 'waiting') {
    return (
      <div className="row">
        <span className="crew-label warn">{t('job.waits')}</span>
      </div>
    );
  }
  return (
    <div className="row">
      <Bead kind="run" free />
      <span className="why">{childLine(run, t)}</span>
    </div>
  );
}

/** The canvases above the empty line, each a way to open it (DLG-65, UI-34). */
function Canvases({ job }: { job: JobResult }): JSX.Element | null {
  const { t } = useApp();
  if (job.canvases.length === 0) {
    return null;
  }
  return (
    <div className="row chips">
      {job.canvases.map(canvas => (
        <CanvasChip key={canvas.id} {...canvas} />
      ))}
      {job.more > 0 ? <span className="crew-sm crew-2">{t('job.more_canvases', { n: job.more })}</span> : null}
    </div>
  );
}

/** The whole task, the child's steps as far as this page knows them, and its words. */
function Inside({ task, run, result }: { task: string; run: Run | null; result: JobResult | null }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="in">
      {task === '' ? null : <p className="crew-words crew-2">{task}</p>}
      {run ? <Timeline run={run} /> : null}
      {result ? (
        <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
          {wordsOf(result.body)}
        </pre>
      ) : null}
    </div>
  );
}
