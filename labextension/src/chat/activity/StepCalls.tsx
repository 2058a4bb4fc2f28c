import type { Step } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useFold } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { NestedCalls } from '../thread/NestedCalls';
import { measuresSaid, madeCalls } from '../thread/tool-state';

/** What a script or a cell called, below its step: one line until it is opened, then the calls and the two measures (SCR-193, SCR-199). */
export function StepCalls({ step }: { step: Step }): JSX.Element | null {
  const { t } = useApp();
  const [open, turn] = useFold();
  const calls = step.calls ?? [];
  const ended = step.status === 'done' || step.status === 'error';
  const measures = step.name === 'tool_script' && ended ? measuresSaid(step, t) : '';
  if (calls.length === 0) {
    return measures === '' ? null : <div className="crew-stepcalls crew-sm crew-2">{measures}</div>;
  }
  return (
    <div className="crew-stepcalls crew-sm">
      <button type="button" className="fold crew-link" aria-expanded={open} onClick={turn}>
        {madeCalls(step.name ?? '', calls, t)}
        <Icon name={open ? 'chevron-down' : 'chevron'} size="xs" />
      </button>
      {open ? <NestedCalls calls={calls} all={calls} /> : null}
      {open && measures !== '' ? <div className="crew-2">{measures}</div> : null}
    </div>
  );
}
