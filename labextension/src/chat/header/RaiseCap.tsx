import { useApp } from '../parts/context';
import { price } from '../parts/figures';
import { useSelect } from '../parts/hooks';
import { nextCap } from './cap';

/** "Raise to $4.00": one further step, in the card and in the notice (UI-19, UI-50). */
export function RaiseCap({ primary }: { primary?: boolean }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const cap = useSelect(app.conversation, state => state.view.conversation?.cost_cap_usd ?? 0);
  const agent = useSelect(app.conversation, state => state.view.conversation?.agent_id ?? null);
  const own = useSelect(app.agents, state => state.agents.find(one => one.id === agent)?.cost_cap_usd);
  const next = nextCap(cap, own);
  return (
    <button type="button" className={primary ? 'crew-btn small primary' : 'crew-btn small'} onClick={() => void app.conversation.raiseCap(next)}>
      {t('spend.raise', { amount: price(next, t) })}
    </button>
  );
}
