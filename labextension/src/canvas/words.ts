/** Titles, authors and times of canvases in words. Pure. */
import type { CanvasState } from '../shared/canvas/types';
import { shownTitle } from '../shared/canvas/titles';
import type { AgentView } from '../shared/contract';
import type { Translate } from '../shared/texts';

const AGENT = 'agent:'; // CNV-3

/** The title in one line, with nothing in it that moves or hides what stands around it. */
export function titleOf(title: string, t: Translate): string {
  return shownTitle(title) || t('canvas.untitled');
}

/** The title of the open canvas. */
export function documentTitle({ record }: Pick<CanvasState, 'record'>, t: Translate): string {
  return titleOf(record?.title ?? '', t);
}

/** Who wrote a version: id for the colour, name to read (CNV-3). */
export function authorOf(author: string, agents: readonly AgentView[], t: Translate): { id: string; name: string } {
  const id = author.startsWith(AGENT) ? author.slice(AGENT.length) : null;
  return id === null ? { id: author, name: t('canvas.you') } : { id, name: agents.find(agent => agent.id === id)?.name ?? id };
}

/** `14:21`, or with the day when it was another one. */
export function moment(at: string, t: Translate, now = new Date()): string {
  const time = new Date(at);
  const today = time.toDateString() === now.toDateString();
  const day: Intl.DateTimeFormatOptions = today ? {} : { month: 'short', day: 'numeric', ...(time.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }) };
  return new Intl.DateTimeFormat(t.language === 'vi' ? 'vi-VN' : 'en-GB', { ...day, hour: '2-digit', minute: '2-digit' }).format(time);
}
