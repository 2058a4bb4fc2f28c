import type { NestedCall } from '../../shared/contract';
import { tagOf } from '../../shared/canvas/tags';
import { Bead } from '../parts/bead';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import { OpenCanvas } from './OpenCanvas';
import { shortArgument, toolWords } from './tool-words';

/** Calls made inside a script or a cell, failed ones with their reason (UI-32, OUT-41). */
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
  const canvas = call.ok ? tagOf(call.name, call.output) : null;
  return (
    <li className={call.ok ? undefined : 'bad'}>
      <div className="one">
        <Bead kind={call.ok ? 'tool' : 'error'} free />
        <span className="name">{toolWords(call.name, false, t)}</span>
        <span className="arg crew-ell">{shortArgument(call.arguments)}</span>
        {canvas ? <OpenCanvas tag={canvas} /> : null}
        <span className="m">
          {duration(call.ms, t)}
          {call.cost_usd ? `, ${price(call.cost_usd, t)}` : ''}
        </span>
      </div>
      {call.ok ? null : <div className="said">{call.output}</div>}
    </li>
  );
}
