import { isKey, type TextKey } from '../../shared/texts';
import type { TurnEnd } from '../../shared/view';
import { RaiseCap } from '../header/RaiseCap';
import { useApp } from '../parts/context';
import { price } from '../parts/figures';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Words } from '../parts/words';

/** How the turn ended when it did not end well: why, in a sentence, and one way on (UI-39). */
export function Notice({ end }: { end: TurnEnd | null }): JSX.Element | null {
  if (end?.type === 'halted') {
    return <Halted reason={end.reason} />;
  }
  if (end?.type === 'error') {
    return <Failure code={end.code} message={end.message} />;
  }
  return end?.type === 'done' ? <Suggestions end={end} /> : null;
}

function Halted({ reason }: { reason: string }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const spent = useSelect(app.conversation, state => state.view.spent_usd);
  const cap = useSelect(app.conversation, state => state.view.conversation?.cost_cap_usd ?? 0);
  const title: string = `notice.${reason}`;
  const text: string = `notice.${reason}_text`;
  return (
    <div className="crew-card warn crew-notice" role="status">
      <div className="crew-row">
        <Icon name="warning" />
        <span className="crew-b">{isKey(title) ? t(title) : t('run.halted', { why: reason })}</span>
      </div>
      {isKey(text) ? <div className="crew-sm msg">{t(text, { spent: price(spent, t), cap: price(cap, t) })}</div> : null}
      {reason === 'budget' ? (
        <div>
          <RaiseCap primary />
        </div>
      ) : null}
    </div>
  );
}

function Failure({ code, message }: { code: string; message: string }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const last = useSelect(app.conversation, state => lastWords(state.view.items));
  const title: string = `notice.${code}`;
  return (
    <div className="crew-card error crew-notice error" role="alert">
      <div className="crew-row">
        <Icon name="warning" />
        <span className="crew-b crew-grow">{t(isKey(title) ? title : ('notice.error' satisfies TextKey))}</span>
        <span className="crew-xs crew-2">{t('notice.code', { code })}</span>
      </div>
      <div className="crew-sm msg">
        <Words text={message} />
      </div>
      {last === null ? null : (
        <div>
          <button type="button" className="crew-btn small" onClick={() => void app.conversation.send(last)}>
            {t('composer.send_again')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Follow-ups under the finished answer, sent with one click (PTL-63). */
function Suggestions({ end }: { end: Extract<TurnEnd, { type: 'done' }> }): JSX.Element | null {
  const app = useApp();
  if (end.suggestions.length === 0) {
    return null;
  }
  return (
    <div className="crew-row crew-wrap">
      {end.suggestions.map((suggestion, index) => (
        <button key={index} type="button" className="crew-chip" onClick={() => void app.conversation.send(suggestion.message)}>
          {suggestion.label}
        </button>
      ))}
    </div>
  );
}

function lastWords(items: readonly { kind: string; steered?: boolean; text?: string }[]): string | null {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind === 'user' && !item.steered) {
      return item.text ?? null;
    }
  }
  return null;
}
