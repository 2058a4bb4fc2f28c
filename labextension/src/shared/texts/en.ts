import { ask } from './en_ask';
import { canvas } from './en_canvas';
import { cells } from './en_cells';
import { chat } from './en_chat';
import { costs } from './en_costs';
import { jobs } from './en_jobs';
import { manage } from './en_manage';
import { notebook } from './en_notebook';
import { scripts } from './en_scripts';
import { sections } from './en_sections';
import { fields } from './en_fields';
import { machine } from './en_machine';
import { team } from './en_team';
import { tools } from './en_tools';
import { work } from './en_work';

/** All texts in English. */
export const en = { ...chat, ...ask, ...work, ...notebook, ...cells, ...jobs, ...canvas, ...manage, ...sections, ...scripts, ...fields, ...machine, ...team, ...tools, ...costs };
