import { memo, useState } from 'react';
import type { Translate } from '../../shared/texts';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import { StepRow } from '../parts/step';
import type { CanvasTag } from '../../shared/canvas/tags';
import { CanvasChips } from './CanvasChip';
import { ToolDetail } from './ToolDetail';
import { rowWords, type ToolItem, toolBead, toolReason } from './tool-state';
import { shortArgument } from './tool-words';

/**
 * A tool call: closed it is one step row, open it shows arguments and result word for word (UI-31). While it runs and
 * has something to show it stands open by itself; a finished call is folded until somebody opens it. `chips` are the
 * canvases of the turn that this call was the last to write (UI-34).
 */
export const ToolCard = memo(function ToolCard({ item, chips }: { item: ToolItem; chips?: readonly CanvasTag[] }): JSX.Element {
  const { t } = useApp();
  const [chosen, choose] = useState<boolean | null>(null);
  const running = item.state === 'running';
  const open = chosen ?? (running && (item.calls.length > 0 || item.stream !== ''));
  return (
    <>
      <StepRow
        kind={toolBead(item.state)}
        what={rowWords(item, t)}
        argument={argumentOf(item, t)}
        time={item.ms === null ? undefined : duration(item.ms, t)}
        price={item.cost_usd ? price(item.cost_usd, t) : undefined}
        why={toolReason(item, t)}
        folds={item.output !== null}
        open={open}
        onToggle={() => choose(!open)}
      >
        <ToolDetail item={item} />
      </StepRow>
      {chips ? <CanvasChips tags={chips} /> : null}
    </>
  );
});

/** A finished script says how many calls it made; every other call says what it is about. */
function argumentOf(item: ToolItem, t: Translate): string {
  if (item.state === 'running' || item.calls.length === 0) {
    return shortArgument(item.arguments);
  }
  return callCount(item, t);
}

/** "26 calls, 1 failed". */
export function callCount(item: Pick<ToolItem, 'calls'>, t: Translate): string {
  const failed = item.calls.filter(call => !call.ok).length;
  return failed > 0 ? t('tool.calls_failed', { n: item.calls.length, failed }) : t('tool.calls', { n: item.calls.length });
}
