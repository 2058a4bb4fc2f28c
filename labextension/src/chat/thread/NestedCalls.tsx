import type { NestedCall } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { tagOf } from '../../shared/canvas/tags';
import { Bead } from '../parts/bead';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import { Reason } from '../parts/reason';
import { OpenCanvas } from './OpenCanvas';
import { OpenChild } from './OpenChild';
import { shortArgument, toolWords } from './tool-words';

/** Calls made inside a script or a cell, failed ones with their reason (UI-32, OUT-41, SCR-196). */
export function NestedCalls({ calls, all }: { calls: readonly NestedCall[]; all: readonly NestedCall[] }): JSX.Element {
  return (
    <ul className="crew-nest">
      {calls.map(call => (
        <Call key={all.indexOf(call)} call={call} />
      ))}
    </ul>
  );
}

function Call({ call }: { call: NestedCall }): JSX.Element {
  const { t } = useApp();
  const spent = priceOf(call, t);
  const canvas = call.ok ? tagOf(call.name, call.output) : null;
  return (
    <li className={call.ok ? undefined : 'bad'}>
      <div className="one">
        <Bead kind={call.ok ? 'tool' : 'error'} free />
        <span className="name">{toolWords(call.name, false, t)}</span>
        <span className="arg crew-ell">{shortArgument(call.arguments)}</span>
        {canvas ? <OpenCanvas tag={canvas} /> : null}
        <OpenChild call={call} />
        <span className="m">
          {duration(call.ms, t)}
          {spent === '' ? '' : `, ${spent}`}
        </span>
      </div>
      {call.ok ? call.output === '' ? null : <div className="said">{call.output}</div> : <Reason why={call.output.trim() === '' ? t('tool.failed') : call.output} folds />}
    </li>
  );
}

/** What a call cost, or what the job it gave out has spent; a call that paid a model for an unknown price says so (SCR-193, SCR-201). */
function priceOf({ cost_usd, child_spent_usd, metered }: NestedCall, t: Translate): string {
  const usd = cost_usd || child_spent_usd;
  return usd ? price(usd, t) : metered && cost_usd === null ? t('calls.unpriced') : '';
}
