import type { ThreadItem } from '../../shared/view';
import { useApp } from '../parts/context';
import { StepRow } from '../parts/step';
import { ToolCard } from './ToolCard';

/** Steps on one rail: calls, a fallback, an escalation, a note (UI-38). What is unknown draws nothing (UI-111). */
export function Steps({ items }: { items: readonly ThreadItem[] }): JSX.Element {
  return (
    <ul className="crew-steps">
      {items.map(item => (
        <Line key={item.key} item={item} />
      ))}
    </ul>
  );
}

function Line({ item }: { item: ThreadItem }): JSX.Element | null {
  const { t } = useApp();
  switch (item.kind) {
    case 'tool':
      return <ToolCard item={item} />;
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
