import { memo } from 'react';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import { useFold } from '../parts/hooks';
import { StepRow } from '../parts/step';
import { ToolDetail } from './ToolDetail';
import { canvasOf, type ToolItem, toolBead, toolReason } from './tool-state';
import { shortArgument, toolWords } from './tool-words';

/** A tool call: closed it is one step row, open it shows arguments and result word for word (UI-31). */
export const ToolCard = memo(function ToolCard({ item }: { item: ToolItem }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [open, turn] = useFold();
  const busy = item.state === 'running' || item.state === 'waiting';
  const failed = item.calls.filter(call => !call.ok).length;
  const calls = item.calls.length === 0 ? null : failed > 0 ? t('tool.calls_failed', { n: item.calls.length, failed }) : t('tool.calls', { n: item.calls.length });
  const canvas = canvasOf(item.output);
  const waiting = item.state === 'waiting';
  return (
    <>
      <StepRow
        kind={toolBead(item.state)}
        what={waiting ? t('tool.waits') : toolWords(item.name, busy, t)}
        argument={calls ?? shortArgument(item.arguments)}
        time={item.ms === null ? undefined : duration(item.ms)}
        price={item.cost_usd === null || item.cost_usd === 0 ? undefined : price(item.cost_usd, t)}
        why={toolReason(item, t)}
        open={open}
        onToggle={turn}
      >
        <ToolDetail item={item} />
      </StepRow>
      {canvas && app.has('crewlab:open-canvas') ? (
        <li className="crew-step">
          <button type="button" className="crew-chip" onClick={() => app.execute('crewlab:open-canvas', { id: canvas.id, version: canvas.version })}>
            {t('thread.open_canvas', { id: canvas.id })}
          </button>
        </li>
      ) : null}
    </>
  );
});
