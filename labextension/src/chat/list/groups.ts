/** Grouping of the conversation list by the viewer's own calendar (UI-13). Pure. */
import type { ConversationSummary } from '../../shared/contract';

export type GroupName = 'today' | 'yesterday' | 'older';

export interface Group {
  name: GroupName;
  conversations: ConversationSummary[];
}

const SEARCH_FROM = 8; // UI-14
const days = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment, as `2026-11-30`, in a time zone (the viewer's when none is named). */
export function dayOf(moment: Date, timeZone?: string): string {
  const key = timeZone ?? '';
  let format = days.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', ...(timeZone ? { timeZone } : {}) });
    days.set(key, format);
  }
  return format.format(moment);
}

function dayBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date - 1)).toISOString().slice(0, 10);
}

/** Newest first, under Today, Yesterday and Older; empty groups are left out. */
export function groupByDay(conversations: readonly ConversationSummary[], now: Date, timeZone?: string): Group[] {
  const today = dayOf(now, timeZone);
  const yesterday = dayBefore(today);
  const groups: Record<GroupName, ConversationSummary[]> = { today: [], yesterday: [], older: [] };
  const sorted = [...conversations].sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  for (const conversation of sorted) {
    const day = dayOf(new Date(conversation.updated_at), timeZone);
    groups[day >= today ? 'today' : day === yesterday ? 'yesterday' : 'older'].push(conversation);
  }
  return (['today', 'yesterday', 'older'] as const).filter(name => groups[name].length > 0).map(name => ({ name, conversations: groups[name] }));
}

/** Whether the list is long enough for a search box (UI-14). */
export function hasSearch(count: number): boolean {
  return count >= SEARCH_FROM;
}

/** Conversations whose title contains the text, capitals and accents aside. */
export function filterTitles(conversations: readonly ConversationSummary[], text: string): readonly ConversationSummary[] {
  const wanted = plain(text.trim());
  return wanted === '' ? conversations : conversations.filter(conversation => plain(conversation.title).includes(wanted));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/đ/gi, 'd').toLowerCase();
}
