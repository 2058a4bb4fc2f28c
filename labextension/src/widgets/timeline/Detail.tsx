import { shortArgument, toolWords, wordForWord } from '../../chat/thread/tool-words';
import { Bead } from '../../chat/parts/bead';
import { duration, price } from '../../chat/parts/figures';
import type { NestedCall, Step } from '../../shared/contract';
import type { Translate } from '../../shared/texts';

/** The chosen step: its arguments, the calls of a script, its output. All of it as text (UI-156). */
export function Detail({ step, t }: { step: Step; t: Translate }): JSX.Element | null {
  const facts = factsOf(step, t);
  const calls = step.calls ?? [];
  const output = step.status === 'done' ? step.output : null;
  if (facts.length === 0 && calls.length === 0 && !output) {
    return null;
  }
  return (
    <div className="crew-detail">
      {facts.length > 0 ? (
        <dl className="crew-kv">
          {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
        </dl>
      ) : null}
      {calls.length > 0 ? <Calls calls={calls} t={t} /> : null}
      {output ? (
        <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
          {output}
        </pre>
      ) : null}
    </div>
  );
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
