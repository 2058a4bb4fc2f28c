/** How the card of a tool call looks: bead, words and reason from its state (UI-31, OUT-41). Pure. */
import type { ThreadItem, ToolState } from '../../shared/view';
import type { Translate } from '../../shared/texts';
import type { BeadKind } from '../parts/bead';

export type ToolItem = Extract<ThreadItem, { kind: 'tool' }>;

const BEADS: Record<ToolState, BeadKind> = { running: 'run', done: 'tool', error: 'error', refused: 'error', waiting: 'wait', open: 'note' };

/** The bead of a call. */
export function toolBead(state: ToolState): BeadKind {
  return BEADS[state];
}

/** The reason of a failed or refused call, shown at once; null for every other. */
export function toolReason(item: Pick<ToolItem, 'state' | 'output'>, t: Translate): string | null {
  const said = item.output?.trim() ?? '';
  switch (item.state) {
    case 'error':
      return said === '' ? t('tool.failed') : said;
    case 'refused':
      return t('tool.not_allowed', { reason: said });
    case 'open':
      return t('tool.no_answer');
    default:
      return null;
  }
}

const CANVAS = /^\[artifact (\S+) v(\d+)\]/;

/** The canvas a result names in its first line, if any (UI-34). */
export function canvasOf(output: string | null): { id: string; version: number } | null {
  const found = output ? CANVAS.exec(output) : null;
  return found ? { id: found[1] ?? '', version: Number(found[2]) } : null;
}
