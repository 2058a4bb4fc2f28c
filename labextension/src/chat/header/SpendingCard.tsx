import { type FormEvent, useState } from 'react';
import { useApp } from '../parts/context';
import { Meter } from '../parts/controls';
import { price } from '../parts/figures';
import { useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Line } from '../parts/pop';
import { amountOf, shareOf } from './cap';
import { RaiseCap } from './RaiseCap';

/** Bar, what is left, delegated work, unknown prices, and the place to raise the cap (UI-19). */
export function SpendingCard(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { view, patchFailure } = useStore(app.conversation);
  const cap = view.conversation?.cost_cap_usd ?? 0;
  const estimated = view.estimated_cost_calls > 0;
  const share = shareOf(view.spent_usd, cap);
  return (
    <>
      {cap > 0 ? (
        <div className="pad">
          <Meter share={share} large text={t('spend.meter', { percent: Math.round(share * 100) })} />
        </div>
      ) : null}
      <Line icon="costs" label={cap > 0 ? t('spend.left') : t('spend.spent')}>
        {cap > 0 ? t('spend.left_of', { left: price(Math.max(0, cap - view.spent_usd), t, estimated), cap: price(cap, t) }) : price(view.spent_usd, t, estimated)}
      </Line>
      <Line icon="crew" label={t('spend.delegated')}>
        {price(view.conversation?.delegated_usd ?? 0, t)}
      </Line>
      <Calls label={t('spend.unknown')} n={view.unknown_cost_calls} />
      <Calls label={t('spend.estimated')} n={view.estimated_cost_calls} />
      {view.conversation ? <CapForm refusal={patchFailure?.message ?? null} /> : null}
    </>
  );
}

/** How many calls have a price that is not the provider's word; nothing when all have. */
function Calls({ label, n }: { label: string; n: number }): JSX.Element | null {
  const { t } = useApp();
  return n > 0 ? (
    <Line icon="info" label={label}>
      {t('spend.calls', { n })}
    </Line>
  ) : null;
}

function CapForm({ refusal }: { refusal: string | null }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [text, setText] = useState('');
  const [bad, setBad] = useState(false);
  const set = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const amount = amountOf(text);
    setBad(amount === null);
    if (amount !== null && (await app.conversation.raiseCap(amount))) {
      setText('');
    }
  };
  const wrong = bad ? t('spend.bad') : refusal === null ? null : t('options.not_saved', { message: refusal });
  return (
    <>
      <div className="hr" />
      <form className="acts" onSubmit={event => void set(event)}>
        <RaiseCap />
        <div className={wrong ? 'crew-field bad' : 'crew-field'}>
          <input value={text} inputMode="decimal" placeholder={t('spend.other')} aria-label={t('spend.other')} aria-invalid={wrong !== null} onChange={event => setText(event.target.value)} />
        </div>
        <button type="submit" className="crew-btn small">
          {t('spend.set')}
        </button>
      </form>
      {wrong ? (
        <div className="pad crew-sm crew-t-error crew-row" role="alert">
          <Icon name="warning" size="s" />
          {wrong}
        </div>
      ) : (
        <div className="pad crew-sm crew-2">{t('spend.zero')}</div>
      )}
    </>
  );
}
