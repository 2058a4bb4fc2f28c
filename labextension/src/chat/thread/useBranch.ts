import { useState } from 'react';
import { ApiError } from '../../shared/api';
import { isChild } from '../../shared/stores/forks';
import type { ConversationState } from '../../shared/stores/types';
import { useApp } from '../parts/context';
import type { UserItem } from './blocks';

/** Whether messages may be branched from: nothing runs or waits, and it is no delegate's conversation (UI-56). Pure. */
export function mayBranch({ view, sending }: ConversationState): boolean {
  return view.conversation !== null && !view.running && view.pending === null && !sending && !isChild(view.conversation);
}

export interface Branching {
  /** `button` is what was pressed: the composer of its panel takes the focus. */
  branch: (button: HTMLElement) => Promise<void>;
  failure: string | null;
}

/** "Edit and send again from here": the branch opens with the old text as its draft and the focus there (UI-58). */
export function useBranch(item: UserItem): Branching {
  const app = useApp();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const branch = async (button: HTMLElement): Promise<void> => {
    if (busy) {
      return;
    }
    const from = app.conversation.getSnapshot().id;
    const panel = button.closest('.crew-panel');
    setBusy(true);
    setFailure(null);
    try {
      const made = await app.conversation.fork(item.key);
      app.device.setDraft(made.id, item.text);
      app.device.flushDrafts();
      void app.list.load();
      if (app.conversation.getSnapshot().id === from) {
        app.conversation.open(made.id);
        panel?.querySelector<HTMLTextAreaElement>('.crew-composer textarea')?.focus();
      }
    } catch (error) {
      const unknown = error instanceof ApiError && error.code === 'bad_cut' && error.message === '';
      setFailure(unknown ? app.t('thread.bad_cut') : error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { branch, failure };
}
