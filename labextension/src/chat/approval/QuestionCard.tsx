import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Approval } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { sends } from '../composer/keys';
import { useApp, useDecider } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { AskFrame } from './AskFrame';
import { Option } from './Option';
import { Origin } from './Origin';
import { LONG_QUESTION, picked, toggled } from './question';
import { Said } from './Said';

const ROWS = 6;

/** What happens when nobody answers: the option that is marked, other words, or an assumption of the agent. */
function fallbackWords({ default: fallback, options }: Approval, t: Translate): string {
  if (fallback === null) {
    return t('ask.no_default');
  }
  return options.some(option => option.label === fallback) ? t('ask.default_marked') : t('ask.default', { words: fallback });
}

/** A question of `ask_user`: options, free text, Answer and Skip (UI-55, ASKU-8). All words of the model are plain text (GATE-92). */
export function QuestionCard({ approval, more }: { approval: Approval; more?: ReactNode }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const decider = useDecider();
  const [chosen, choose] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const name = useId();
  const sendKey = useSelect(app.settings, state => state.sendKey);
  const words = text.trim();
  const ready = chosen.length > 0 || words !== '';
  const toggle = (label: string): void => choose(before => toggled(before, label, approval));
  const answer = (): void => {
    if (ready) {
      void decider.answer(chosen, words);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    const label = event.target instanceof HTMLTextAreaElement ? null : picked(event, approval.options);
    if (label !== null) {
      event.preventDefault();
      toggle(label);
    }
  };
  const body = (
    <div className="body" onKeyDown={keys}>
      {(approval.question ?? '').length > LONG_QUESTION ? <Said text={approval.question ?? ''} /> : null}
      {approval.context ? <Said text={approval.context} className="crew-2" /> : null}
      {approval.options.length > 0 ? (
        <div className="opts" role={approval.multi_select ? 'group' : 'radiogroup'} aria-label={t('ask.options')}>
          {approval.options.map((option, place) => (
            <Option
              key={option.label}
              option={option}
              number={place + 1}
              name={name}
              several={approval.multi_select}
              fallback={option.label === approval.default}
              on={chosen.includes(option.label)}
              onToggle={() => toggle(option.label)}
            />
          ))}
        </div>
      ) : null}
      {approval.allow_free_text ? (
        <div className="free">
          <div className="crew-field">
            <textarea
              rows={Math.min(ROWS, Math.max(1, text.split('\n').length))}
              value={text}
              aria-label={t(approval.options.length > 0 ? 'ask.free' : 'ask.free_only')}
              placeholder={t(approval.options.length > 0 ? 'ask.free' : 'ask.free_only')}
              onChange={event => setText(event.target.value)}
              onKeyDown={event => {
                if (sends({ ...event, isComposing: event.nativeEvent.isComposing, keyCode: event.keyCode, key: event.key }, sendKey)) {
                  event.preventDefault();
                  answer();
                }
              }}
            />
          </div>
        </div>
      ) : null}
      <Origin approval={approval} />
      <div className="p said crew-sm crew-2">{fallbackWords(approval, t)}</div>
    </div>
  );
  return (
    <AskFrame
      approval={approval}
      more={more}
      onSubmit={answer}
      body={() => body}
      buttons={off => (
        <>
          <button type="submit" className="crew-btn primary" disabled={off || !ready}>
            {t('ask.answer')}
          </button>
          <button type="button" className="crew-btn" disabled={off} onClick={() => void decider.skip()}>
            {t('ask.skip')}
          </button>
        </>
      )}
    />
  );
}
