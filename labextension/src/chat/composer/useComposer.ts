import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DraftFile } from '../../shared/stores/types';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { putBetween, putInFront } from './keys';

export interface ComposerState {
  text: string;
  setText: (text: string) => void;
  send: () => Promise<void>;
  stop: () => Promise<void>;
  /** Sends what did not go out once more, with the same id (UI-49). */
  again: () => Promise<void>;
}

/** The words being written: draft of the conversation, sending, stopping, words that come back (UI-45, UI-48, UI-108). */
export function useComposer(field: RefObject<HTMLTextAreaElement>): ComposerState {
  const app = useApp();
  const id = useSelect(app.conversation, state => state.id);
  const unsent = useSelect(app.conversation, state => state.unsent);
  const forFile = useSelect(app.conversation, state => state.born);
  const onWay = useRef<OnWay[]>([]);
  const [text, show] = useState(() => app.device.draft(id));
  const current = useRef({ id, text });
  current.current = { id, text };
  const setText = useCallback(
    (next: string): void => {
      current.current = { ...current.current, text: next };
      show(next);
      app.device.setDraft(current.current.id, putInFront(onWayFrom(onWay.current, current.current.id), next));
    },
    [app]
  );
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null && field.current?.value === text) {
      field.current.setSelectionRange(caret.current, caret.current); // behind what was put in, where writing goes on
      field.current.scrollTop = field.current.scrollHeight;
      caret.current = null;
    }
  }, [field, text]);
  const opened = useRef(id);
  useLayoutEffect(() => {
    if (opened.current !== id) {
      const born = opened.current === null && (forFile || onWay.current.length > 0) && app.device.draft(id) === '';
      opened.current = id;
      if (born) {
        setText(current.current.text); // the first message, or a file, has opened it: what was written since stays
        if (forFile) {
          app.device.dropDraft(null);
        }
      } else {
        show(withoutFront(app.device.draft(id), onWayFrom(onWay.current, id)));
      }
    }
  }, [app, forFile, id, setText]);
  const returned = useRef<string | null>(null);
  useEffect(() => {
    if (unsent && returned.current !== unsent.request_id) {
      returned.current = unsent.request_id;
      if (current.current.text === '') {
        setText(unsent.text); // UI-48: the text is kept
      }
    }
  }, [setText, unsent]);
  useEffect(
    () =>
      app.onRequest(request => {
        if (request.type === 'focus-composer') {
          field.current?.focus();
        } else if (request.type === 'insert-text' || request.type === 'insert-block') {
          const put = putAt(field.current, current.current.text, request);
          caret.current = put.caret;
          setText(put.text);
          field.current?.focus();
        }
      }),
    [app, field, setText]
  );
  const send = async (): Promise<void> => {
    const words = current.current.text;
    const from = current.current.id;
    if (!canSend(words, app.attached.getSnapshot()[from ?? ''] ?? [])) {
      return;
    }
    const files = app.attached.take(from);
    const mine = { from, words };
    returned.current = null;
    onWay.current.push(mine);
    setText(''); // the draft keeps them until they have arrived: a page that is loaded anew loses nothing (UI-8)
    const outcome = await (files.length > 0 ? app.conversation.send(words, files) : app.conversation.send(words));
    onWay.current = onWay.current.filter(one => one !== mine);
    const moved = current.current.id !== from && from !== null;
    if (outcome === 'refused') {
      app.attached.putBack(from, files);
    } else {
      app.device.dropDraft(from);
    }
    if (moved) {
      return; // what did not go out stays in the draft of its own conversation
    }
    setText(outcome === 'refused' && current.current.text !== words ? putInFront([words], current.current.text) : current.current.text);
    field.current?.focus(); // guide section 14: after send the focus stays
  };
  const stop = async (): Promise<void> => {
    const words = await app.conversation.stop();
    if (words.length > 0) {
      setText(putInFront(words, current.current.text));
      field.current?.focus();
    }
  };
  const again = async (): Promise<void> => {
    const from = current.current.id;
    const words = unsent?.text;
    const files = unsent?.files ?? [];
    const outcome = await app.conversation.sendAgain();
    if (outcome !== 'refused') {
      app.attached.drop(from, files);
      if (current.current.text === words) {
        setText('');
      }
    }
  };
  return { text, setText, send, stop, again };
}

/** Whether there is something to send, and every file has arrived. */
export function canSend(words: string, drafts: readonly DraftFile[]): boolean {
  return drafts.every(one => one.state !== 'sending') && (words.trim() !== '' || drafts.some(one => one.file !== null));
}

/** Words that have been sent and of which no answer has come. */
interface OnWay {
  from: string | null;
  words: string;
}

function onWayFrom(all: readonly OnWay[], id: string | null): string[] {
  return all.filter(one => one.from === id).map(one => one.words);
}

function withoutFront(draft: string, words: readonly string[]): string {
  const front = putInFront(words, '');
  return front !== '' && draft.startsWith(front) ? draft.slice(front.length).trimStart() : draft;
}

function putAt(
  field: HTMLTextAreaElement | null,
  text: string,
  { type, text: piece }: { type: string; text: string }
): { text: string; caret: number } {
  const from = field?.selectionStart ?? text.length;
  const to = field?.selectionEnd ?? text.length;
  return type === 'insert-block'
    ? putBetween(text, from, to, piece)
    : { text: text.slice(0, from) + piece + text.slice(to), caret: from + piece.length };
}
