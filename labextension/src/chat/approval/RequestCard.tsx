import type { ReactNode } from 'react';
import type { Approval } from '../../shared/contract';
import { useDecider } from '../parts/context';
import { Ask } from './Ask';
import { QuestionCard } from './QuestionCard';

interface Props {
  approval: Approval;
  /** What stands behind the buttons, where the card is not in its conversation. */
  more?: ReactNode;
}

/** The card of a waiting request, the same in the chat and in the manager (GATE-32, GATE-76). */
export function RequestCard({ approval, more }: Props): JSX.Element {
  const decider = useDecider();
  return approval.kind === 'question' ? (
    <QuestionCard approval={approval} more={more} />
  ) : (
    <Ask approval={approval} decide={(...how) => decider.decide(...how)} more={more} />
  );
}
