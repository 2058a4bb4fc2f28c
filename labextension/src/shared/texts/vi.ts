import type { en } from './en';
import { ask } from './vi_ask';
import { canvas } from './vi_canvas';
import { cells } from './vi_cells';
import { chat } from './vi_chat';
import { jobs } from './vi_jobs';
import { notebook } from './vi_notebook';
import { work } from './vi_work';

/** All texts in Vietnamese: the same keys as in English. */
export const vi: Record<keyof typeof en, string> = { ...chat, ...ask, ...work, ...notebook, ...cells, ...jobs, ...canvas };
