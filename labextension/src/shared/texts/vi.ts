import type { en } from './en';
import { ask } from './vi_ask';
import { canvas } from './vi_canvas';
import { cells } from './vi_cells';
import { chat } from './vi_chat';
import { costs } from './vi_costs';
import { jobs } from './vi_jobs';
import { manage } from './vi_manage';
import { notebook } from './vi_notebook';
import { scripts } from './vi_scripts';
import { sections } from './vi_sections';
import { fields } from './vi_fields';
import { machine } from './vi_machine';
import { team } from './vi_team';
import { tools } from './vi_tools';
import { work } from './vi_work';

/** All texts in Vietnamese: the same keys as in English. */
export const vi: Record<keyof typeof en, string> = {
  ...chat,
  ...ask,
  ...work,
  ...notebook,
  ...cells,
  ...jobs,
  ...canvas,
  ...manage,
  ...sections,
  ...scripts,
  ...fields,
  ...machine,
  ...team,
  ...tools,
  ...costs
};
