import { jobFigures, outcomeLabel, reasonSentence } from '../../chat/delegate/outcome';
import { shortArgument, toolWords, wordForWord } from '../../chat/thread/tool-words';
import { Bead } from '../../chat/parts/bead';
import { duration, price } from '../../chat/parts/figures';
import type { NestedCall, Step } from '../../shared/contract';
import { type JobResult, readJob } from '../../shared/delegate';
import type { Translate } from '../../shared/texts';

const OPEN_CONVERSATION = 'crewlab:open-conversation';

/** The chosen step: its arguments, the calls of a script, its output; of a job how it ended. All of it as text (UI-156). */
export function Detail({ step, t }: { step: Step; t: Translate }): JSX.Element | null {
  const job = jobOf(step);
  const facts = [...factsOf(step, t), ...(job === null ? [] : jobFacts(job, t))];
  const parts = [
    facts.length > 0 ? <Facts key="facts" facts={facts} /> : null,
    step.calls && step.calls.length > 0 ? <Calls key="calls" calls={step.calls} t={t} /> : null,
    step.child_id === null ? null : <OpenChild key="child" id={step.child_id} t={t} />,
    job === null && step.status === 'done' && step.output ? <Output key="output" text={step.output} t={t} /> : null
  ].filter(part => part !== null);
  return parts.length > 0 ? <div className="crew-detail">{parts}</div> : null;
}

function Facts({ facts }: { facts: readonly [string, string][] }): JSX.Element {
  return <dl className="crew-kv">{facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}</dl>;
}

function Output({ text, t }: { text: string; t: Translate }): JSX.Element {
  return (
    <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
      {text}
    </pre>
  );
}

function jobOf(step: Step): JobResult | null {
  return step.name === 'delegate' && step.output !== null ? readJob(step.output) : null;
}

/** Opens the child's conversation in the side panel: JupyterLab runs the command of whatever is clicked (DLG-56). */
function OpenChild({ id, t }: { id: string; t: Translate }): JSX.Element {
  return (
    <div className="foot">
      <button type="button" className="crew-link" data-commandlinker-command={OPEN_CONVERSATION} data-commandlinker-args={JSON.stringify({ id })}>
        {t('job.open')}
      </button>
    </div>
  );
}

/** Outcome, reason, cost and steps, canvases (DLG-56). */
function jobFacts(job: JobResult, t: Translate): [string, string][] {
  const why = reasonSentence(job, t);
  const canvases = job.canvases.map(one => `${one.title || one.id} ${t('job.canvas_version', { version: String(one.version) })}`);
  const more = job.more > 0 ? [t('job.more_canvases', { n: job.more })] : [];
  return [
    [t('job.outcome'), outcomeLabel(job.outcome, t).text],
    ...(why === null ? [] : ([[t('job.reason'), why]] as [string, string][])),
    [t('job.cost'), jobFigures(job, t)],
    ...(canvases.length === 0 ? [] : ([[t('job.canvases'), [...canvases, ...more].join(', ')]] as [string, string][]))
  ];
}

function Calls({ calls, t }: { calls: readonly NestedCall[]; t: Translate }): JSX.Element {
  return (
    <ul className="crew-nest">
      {calls.map((call, index) => (
        <li key={index} className={call.ok ? undefined : 'bad'}>
          <div className="one">
            <Bead kind={call.ok ? 'tool' : 'error'} free />
            <span className="name">{toolWords(call.name, false, t)}</span>
            <span className="arg crew-ell">{shortArgument(call.arguments)}</span>
            <span className="m">{duration(call.ms, t)}</span>
          </div>
          {call.ok ? null : <div className="said">{call.output}</div>}
        </li>
      ))}
    </ul>
  );
}

function factsOf(step: Step, t: Translate): [string, string][] {
  if (step.kind === 'model') {
    const tokens = [step.prompt_tokens, step.completion_tokens].map(count => (count === null ? '?' : String(count))).join(' / ');
    return step.route === null ? [] : [['route', step.route], ['usd', price(step.cost_usd, t, step.cost_estimated === true)], ['tokens', tokens]];
  }
  return Object.entries(step.arguments ?? {}).map(([name, value]) => [name, wordForWord(value)]);
}
