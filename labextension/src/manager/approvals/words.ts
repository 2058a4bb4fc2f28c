/** A decided request in words (GATE-76, GATE-79). Pure. */
import { askTitle, shortArgument } from '../../chat/thread/tool-words';
import type { Approval } from '../../shared/contract';
import type { Translate } from '../../shared/texts';

/** What was asked for, without the mark of a question. */
export function requestWords(approval: Approval, t: Translate): string {
  return approval.kind === 'question' ? t('approvals.question') : askTitle(approval.tool, t).replace(/\?$/, '');
}

/** The one piece that says best what it was about. */
export function whatWords(approval: Approval): string {
  return approval.question ?? shortArgument(approval.arguments);
}

/** How it ended: the warning colour is kept for what was denied, an expired request is grey (GATE-79). */
export function outcomeOf(approval: Approval, t: Translate): { text: string; tone: '' | 'warn' } {
  if (approval.status === 'denied') {
    return { text: t('approvals.status.denied'), tone: 'warn' };
  }
  if (approval.status === 'approved' && approval.always) {
    return { text: t('approvals.status.always'), tone: '' };
  }
  if (approval.status === 'answered' && approval.skipped) {
    return { text: t('approvals.status.skipped'), tone: '' };
  }
  return { text: approval.status === 'pending' ? '' : t(`approvals.status.${approval.status}`), tone: '' };
}

/** What a person answered, labels and words. */
export function answerOf({ labels, answer }: Approval): string {
  return [...labels, answer ?? ''].filter((text, place, all) => text !== '' && all.indexOf(text) === place).join('\n');
}

/** How long it waited. */
export function waitedMs(approval: Approval): number | null {
  return approval.decided_at === null ? null : Math.max(0, Date.parse(approval.decided_at) - Date.parse(approval.created_at));
}
