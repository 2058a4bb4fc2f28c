/** The icons of `style/icons`, one file per name (UI-123). */
import activity from '../../../style/icons/activity.svg';
import approvals from '../../../style/icons/approvals.svg';
import arrowDown from '../../../style/icons/arrow-down.svg';
import attach from '../../../style/icons/attach.svg';
import branch from '../../../style/icons/branch.svg';
import check from '../../../style/icons/check.svg';
import chevronDown from '../../../style/icons/chevron-down.svg';
import chevron from '../../../style/icons/chevron.svg';
import close from '../../../style/icons/close.svg';
import commands from '../../../style/icons/commands.svg';
import connections from '../../../style/icons/connections.svg';
import undo from '../../../style/icons/undo.svg';
import copy from '../../../style/icons/copy.svg';
import costs from '../../../style/icons/costs.svg';
import crew from '../../../style/icons/crew.svg';
import trash from '../../../style/icons/delete.svg';
import document from '../../../style/icons/document.svg';
import dots from '../../../style/icons/dots.svg';
import download from '../../../style/icons/download.svg';
import edit from '../../../style/icons/edit.svg';
import folder from '../../../style/icons/folder.svg';
import info from '../../../style/icons/info.svg';
import insert from '../../../style/icons/insert.svg';
import jobs from '../../../style/icons/jobs.svg';
import key from '../../../style/icons/key.svg';
import memory from '../../../style/icons/memory.svg';
import menu from '../../../style/icons/menu.svg';
import model from '../../../style/icons/model.svg';
import notebook from '../../../style/icons/notebook.svg';
import offline from '../../../style/icons/offline.svg';
import open from '../../../style/icons/open.svg';
import plus from '../../../style/icons/plus.svg';
import queue from '../../../style/icons/queue.svg';
import refresh from '../../../style/icons/refresh.svg';
import replace from '../../../style/icons/replace.svg';
import search from '../../../style/icons/search.svg';
import send from '../../../style/icons/send.svg';
import sliders from '../../../style/icons/sliders.svg';
import steer from '../../../style/icons/steer.svg';
import tools from '../../../style/icons/tools.svg';
import warning from '../../../style/icons/warning.svg';

/** SVG text by name. */
export const svgs = {
  activity,
  approvals,
  'arrow-down': arrowDown,
  attach,
  branch,
  check,
  chevron,
  'chevron-down': chevronDown,
  close,
  commands,
  connections,
  copy,
  costs,
  crew,
  delete: trash,
  document,
  dots,
  download,
  edit,
  folder,
  info,
  insert,
  jobs,
  key,
  memory,
  menu,
  model,
  notebook,
  offline,
  open,
  plus,
  queue,
  refresh,
  replace,
  search,
  send,
  sliders,
  steer,
  tools,
  undo,
  warning
} as const;

export type IconName = keyof typeof svgs;
