import type { CanvasTag } from '../../shared/canvas/tags';
import type { ThreadItem } from '../../shared/view';
import { useApp } from '../parts/context';
import { StepRow } from '../parts/step';
import { ToolCard } from './ToolCard';

/** Steps on one rail: calls, a fallback, an escalation, a note (UI-38). What is unknown draws nothing (UI-111). */
export function Steps({ items, chips }: { items: readonly ThreadItem[]; chips: ReadonlyMap<string, readonly CanvasTag[]> }): JSX.Element {
  return (
    <ul className="crew-steps">
      {items.map(item => (
        <Line key={item.key} item={item} chips={chips.get(item.key)} />
      ))}
    </ul>
  );
}

function Line({ item, chips }: { item: ThreadItem; chips: readonly CanvasTag[] | undefined }): JSX.Element | null {
  const { t } = useApp();
  switch (item.kind) {
    case 'tool':
      return <ToolCard item={item} chips={chips} />;
    case 'fallback':
      return <StepRow kind="fallback" what={t('thread.fallback_of', { route: item.to_route })} argument={item.error} long />;
    case 'escalated':
      return <StepRow kind="escalation" what={t('thread.escalated')} argument={item.route} long />;
    case 'compacted':
      return <StepRow kind="note" what={t('thread.compacted', { before: item.tokens_before, after: item.tokens_after })} long />;
    case 'note':
      return <StepRow kind="note" what={item.text} long />;
    default:
      return null;
  }
}
