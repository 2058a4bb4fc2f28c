/** What a question's card does with choices (ASKU-8). Pure. */
import type { Approval, QuestionOption } from '../../shared/contract';

export const LONG_QUESTION = 120; // a longer one stands below the heading (guide section 6)
export const LABEL_SHOWN = 100; // ASKU-2: cards cut the view of a label here

/** The choices after one was pressed: one of one, or one more or less of several, in the order of the question. */
export function toggled(chosen: readonly string[], label: string, { multi_select, options }: Pick<Approval, 'multi_select' | 'options'>): readonly string[] {
  const off = chosen.includes(label);
  if (!multi_select) {
    return off ? [] : [label];
  }
  const next = new Set(off ? chosen.filter(other => other !== label) : [...chosen, label]);
  return options.map(option => option.label).filter(other => next.has(other));
}

/** The option whose number was pressed, while no text is being written; else null. */
export function picked(press: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }, options: readonly QuestionOption[]): string | null {
  if (press.ctrlKey || press.metaKey || press.altKey || !/^[1-9]$/.test(press.key)) {
    return null;
  }
  return options[Number(press.key) - 1]?.label ?? null;
}
