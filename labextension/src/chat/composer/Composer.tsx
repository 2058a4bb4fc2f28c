import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Lock } from '../../shared/stores/types';
import type { TextKey } from '../../shared/texts';
import { useApp } from '../parts/context';
import { useSelect, useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Hints } from './Hints';
import { offersSteer, sends } from './keys';
import { Refusals } from './Refusals';
import { useComposer } from './useComposer';

const LOCKED: Record<Exclude<Lock, null>, TextKey> = {
  approval: 'composer.locked_ask',
  question: 'composer.locked_question',
  cap: 'composer.locked_cap'
};
const STEER = '/steer ';

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
  const [dismissed, setDismissed] = useState('');
  useGrowth(field, text, useStore(app.width));
  const hint = offersSteer(text, busy) && dismissed !== text;
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (hint && (event.key === 'Tab' || event.key === 'Enter') && !event.nativeEvent.isComposing && !event.shiftKey) {
      event.preventDefault();
      setText(STEER);
    } else if (hint && event.key === 'Escape') {
      event.stopPropagation();
      setDismissed(text);
    } else if (sends(event.nativeEvent, sendKey)) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <>
      <Refusals again={again} />
      {lock === null ? (
        <div className="crew-composer">
          {hint ? <Hints onChoose={() => setText(STEER)} /> : null}
          <textarea
            ref={field}
            rows={1}
            value={text}
            placeholder={t(busy ? 'composer.busy' : 'composer.open')}
            aria-label={t('composer.label')}
            aria-haspopup={hint ? 'listbox' : undefined}
            onChange={event => setText(event.target.value)}
            onKeyDown={key}
          />
          <div className="tools">
            <span className="crew-grow" />
            {busy ? (
              <button type="button" className="crew-stop" disabled={stopping} onClick={() => void stop()}>
                {t(stopping ? 'composer.stopping' : 'composer.stop')}
              </button>
            ) : null}
            <button type="button" className="crew-send" aria-label={t('composer.send')} title={t('composer.send')} disabled={text.trim() === ''} onClick={() => void send()}>
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
