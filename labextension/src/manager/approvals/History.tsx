import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import type { Outcome } from '../../shared/manage/approvals';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { Pick, PickAgent } from '../parts/pick';
import { Decided } from './Decided';

const OUTCOMES: readonly Outcome[] = ['approved', 'denied', 'expired', 'answered'];

/** Decided requests with their outcome and every argument word for word (GATE-76, UI-60). */
export function History(): JSX.Element {
  const { t } = useApp();
  const { approvals } = useManager().manager;
  const state = useStore(approvals);
  const { decided, outcome, agent } = state;
  const filtered = outcome !== null || agent !== null;
  return (
    <>
      <div className="crew-sechead">
        <h2>{t('approvals.decided')}</h2>
        <PickAgent value={agent} onPick={value => void approvals.filter({ agent: value })} />
        <Pick
          label={t('manage.outcome')}
          all={t('approvals.any')}
          value={outcome}
          options={OUTCOMES.map(value => ({ value, text: t(`approvals.status.${value}`) }))}
          onPick={value => void approvals.filter({ outcome: value })}
        />
      </div>
      <Region state={state} has={decided.length > 0 || state.loading === 'ready'} retry={() => void approvals.load()}>
        {decided.length === 0 && !state.more ? <Empty>{t(filtered ? 'approvals.none_found' : 'approvals.none_decided')}</Empty> : <Decided decided={decided} />}
        {state.more ? (
          <button type="button" className="crew-btn small" onClick={() => void approvals.loadMore()}>
            {t('manage.more')}
          </button>
        ) : null}
      </Region>
    </>
  );
}
