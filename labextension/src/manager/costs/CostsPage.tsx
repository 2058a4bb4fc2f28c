import { useApp } from '../../chat/parts/context';
import { price } from '../../chat/parts/figures';
import { useSelect, useStore } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import type { UsageParts, UsageSums } from '../../shared/contract';
import { type Period, PERIODS, sumOf } from '../../shared/costs/ledger';
import { useManager } from '../app';
import { Choice } from '../parts/choice';
import { Empty, Page, Region } from '../parts/page';
import { Bars } from './Bars';
import { Columns } from './Columns';
import { Tables } from './Tables';

const ANALYTICS = 'crewlab:open-analytics'; // UI-130

/** What model calls have cost: by day, agent, model and purpose (UI-83, UI-84). */
export function CostsPage(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { costs } = useManager().manager;
  const period = useStore(costs.period);
  const source = costs.of(period);
  const state = useStore(source);
  return (
    <Page
      title={t('manage.section.costs')}
      note={
        <>
          <Choice label={t('costs.period')} value={period} options={PERIODS.map(one => ({ value: one, text: t(`costs.period.${one}`) }))} onPick={one => costs.show(one)} />
          {app.has(ANALYTICS) ? (
            <button type="button" className="crew-btn small" onClick={() => app.execute(ANALYTICS)}>
              <Icon name="notebook" size="s" />
              {t('costs.analytics')}
            </button>
          ) : null}
        </>
      }
    >
      <Region state={state} has={state.data !== null} rows={8} retry={() => void source.load()}>
        {state.data ? <Ledger key={period} ledger={state.data} period={period} /> : null}
      </Region>
    </Page>
  );
}

function Ledger({ ledger, period }: { ledger: UsageParts; period: Period }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const agents = useSelect(app.agents, state => state.agents);
  const sums = sumOf(ledger.parts);
  return (
    <div className="crew-costs">
      <Figures sums={sums} period={period} />
      {sums.calls === 0 ? (
        <Empty>{t('costs.none')}</Empty>
      ) : (
        <>
          <Columns ledger={ledger} agents={agents} />
          <div className="pair">
            <Bars ledger={ledger} aspect="agent" agents={agents} />
            <Bars ledger={ledger} aspect="purpose" agents={agents} />
          </div>
          <Tables ledger={ledger} agents={agents} />
          <p className="crew-sm crew-2">{t('costs.note')}</p>
        </>
      )}
    </div>
  );
}

/** Three figures, and a fourth when some prices are estimates (EST-4). Unknown prices are a figure of their own. */
function Figures({ sums, period }: { sums: UsageSums; period: Period }): JSX.Element {
  const { t } = useApp();
  const known = sums.unknown < sums.calls || sums.calls === 0;
  return (
    <dl className="crew-figures">
      <Figure name={t(`costs.spent.${period}`)} large>
        {known ? price(sums.cost_usd, t, sums.estimated > 0) : t('price.unknown')}
      </Figure>
      <Figure name={t('costs.calls')}>{new Intl.NumberFormat(t.language).format(sums.calls)}</Figure>
      <Figure name={t('costs.unknown')}>{t('costs.n_calls', { n: sums.unknown })}</Figure>
      {sums.estimated > 0 ? <Figure name={t('costs.estimated')}>{t('costs.n_calls', { n: sums.estimated })}</Figure> : null}
    </dl>
  );
}

function Figure({ name, large, children }: { name: string; large?: boolean; children: string }): JSX.Element {
  return (
    <div>
      <dt className="crew-sm crew-2">{name}</dt>
      <dd className={large ? 'crew-num large' : 'crew-num'}>{children}</dd>
    </div>
  );
}
