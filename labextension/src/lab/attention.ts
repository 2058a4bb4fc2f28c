/** What waits for a person, outside of the panel: tab title, side bar, notifications (UI-77, UI-132, GATE-78). */
import { Notification } from '@jupyterlab/apputils';
import type { ChatSettings } from '../chat/app';
import type { Approval } from '../shared/contract';
import { countedTitle } from '../shared/attention';
import type { Readable } from '../shared/stores/store';
import type { Chats } from './chats';
import type { Face } from './face';
import { Command } from './ids';

/** Keeps the number of pending requests in front of the browser tab's title, which JupyterLab writes itself. */
export function countInTitle(face: Face): void {
  const { activity } = face.crew;
  const write = (): void => {
    const title = countedTitle(document.title, activity.getSnapshot().view.pending);
    if (title !== document.title) {
      document.title = title;
    }
  };
  activity.subscribe(write);
  const element = document.querySelector('title');
  if (element) {
    new MutationObserver(write).observe(element, { childList: true, characterData: true, subtree: true });
  }
}

/** The number on the panel's icon in the side bar; the sheet draws it from `data-crew-waiting`. */
export function countOnIcon(face: Face, chats: Chats): void {
  const { activity } = face.crew;
  const { title } = chats.panel;
  const write = (): void => {
    const waiting = activity.getSnapshot().view.pending;
    const { 'crew-waiting': _old, ...dataset } = title.dataset;
    title.dataset = waiting > 0 ? { ...dataset, 'crew-waiting': String(waiting) } : dataset;
    title.caption = waiting > 0 ? face.text('panel.waiting', { waiting }) : face.text('name');
  };
  let last = -1;
  activity.subscribe(() => {
    const waiting = activity.getSnapshot().view.pending;
    if (waiting !== last) {
      last = waiting;
      write();
    }
  });
  face.language.subscribe(write);
}

/**
 * A notification for each request that arrives while chat and manager are hidden; it goes when the request is decided, and when
 * the chat comes into sight: it would lie over the very buttons it tells about.
 */
export function notify(face: Face, settings: Readable<ChatSettings>, run: (command: string, args: { id: string }) => void): void {
  const { activity, agents } = face.crew;
  const shown = new Map<string, string>();
  let known: ReadonlySet<string> | null = null;
  let last: readonly Approval[] | null = null;
  const say = (approval: Approval): void => {
    const agent = agents.getSnapshot().agents.find(one => one.id === approval.agent_id)?.name ?? approval.agent_id;
    const what = approval.question ?? approval.summary ?? approval.tool;
    const actions = [{ label: face.text('notify.open'), callback: () => run(Command.openConversation, { id: approval.conversation_id }) }];
    shown.set(approval.id, Notification.warning(face.text('notify.asks', { agent, what }), { autoClose: false, actions }));
  };
  const dismiss = (gone: (id: string) => boolean): void => {
    for (const [id, notification] of shown) {
      if (gone(id)) {
        Notification.dismiss(notification);
        shown.delete(id);
      }
    }
  };
  face.onSeen = () => dismiss(() => true);
  activity.subscribe(() => {
    const { approvals, view } = activity.getSnapshot();
    if (approvals === last || view.snapshots === 0) {
      return; // what waited before this page was opened is not news
    }
    const waiting = new Set(approvals.map(one => one.id));
    const hidden = !face.visible && !face.overseen() && settings.getSnapshot().notifyApprovals;
    if (known && hidden) {
      approvals.filter(one => !known?.has(one.id)).forEach(say);
    }
    dismiss(id => !waiting.has(id));
    known = waiting;
    last = approvals;
  });
}
