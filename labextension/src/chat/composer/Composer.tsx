import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { Lock } from '../../shared/stores/types';
import type { TextKey } from '../../shared/texts';
import { useApp } from '../parts/context';
import { useSelect, useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { AttachButton, Files, useDrafts, useFileDrop } from './Files';
import { Hints, hintKey, useHints } from './Hints';
import { sends } from './keys';
import { Refusals } from './Refusals';
import { canSend, useComposer } from './useComposer';

const LOCKED: Record<Exclude<Lock, null>, TextKey> = {
  approval: 'composer.locked_ask',
  question: 'composer.locked_question',
  cap: 'composer.locked_cap'
};

/** Where the person writes. It stays open while the agent works; only the place the words go to changes (UI-41). */
export function Composer(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const lock = useSelect(app.conversation, state => state.lock);
  const busy = useSelect(app.conversation, state => state.view.running);
  const stopping = useSelect(app.conversation, state => state.stopping);
  const sendKey = useSelect(app.settings, settings => settings.sendKey);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, setText, send, stop, again } = useComposer(field);
  const drafts = useDrafts();
  const drop = useFileDrop();
  const hints = useHints(text, busy);
  useGrowth(field, text, useStore(app.width));
  const ready = canSend(text, drafts);
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (hints.offered.length > 0 && hintKey(event, hints, setText)) {
      event.preventDefault();
    } else if (sends(event.nativeEvent, sendKey)) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <>
      <Refusals again={again} />
      {lock === null ? (
        <div className={drop.over ? 'crew-composer over' : 'crew-composer'} {...(app.attached.takes ? drop.handlers : {})}>
          {hints.offered.length > 0 ? <Hints hints={hints} onChoose={setText} /> : null}
          <Files />
          <textarea
            ref={field}
            rows={1}
            value={text}
            placeholder={t(busy ? 'composer.busy' : 'composer.open')}
            aria-label={t('composer.label')}
            aria-haspopup={hints.offered.length > 0 ? 'listbox' : undefined}
            aria-activedescendant={hints.offered.length > 0 ? hints.activeId : undefined}
            aria-controls={hints.offered.length > 0 ? hints.id : undefined}
            onChange={event => setText(event.target.value)}
            onKeyDown={key}
          />
          <div className="tools">
            {app.attached.takes ? <AttachButton /> : null}
            <span className="crew-grow" />
            {busy ? (
              <button type="button" className="crew-stop" disabled={stopping} onClick={() => void stop()}>
                {t(stopping ? 'composer.stopping' : 'composer.stop')}
              </button>
            ) : null}
            <button
              type="button"
              className="crew-send"
              aria-label={t('composer.send')}
              title={t('composer.send')}
              disabled={!ready}
              onClick={() => void send()}
            >
              <Icon name="send" />
            </button>
          </div>
        </div>
      ) : (
        <div className="crew-composer off" role="note">
          {t(LOCKED[lock])}
        </div>
      )}
    </>
  );
}

/** The field is as high as its text at this width, up to eight lines (the sheet holds the limit). */
function useGrowth(field: { current: HTMLTextAreaElement | null }, text: string, width: number): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = 'auto';
      element.style.height = `${element.scrollHeight}px`;
    }
  }, [field, text, width]);
}
