import { useMemo, useState } from 'react';
import { AppProvider, useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import { Bars } from '../../manager/costs/Bars';
import { Columns } from '../../manager/costs/Columns';
import { Tables } from '../../manager/costs/Tables';
import { Choice } from '../../manager/parts/choice';
import { failureOf } from '../../shared/api';
import type { UsageParts } from '../../shared/contract';
import { type Period, PERIODS, sumOf } from '../../shared/costs/ledger';
import { appOf, languageOf, lasting, type Named } from '../live/app';
import type { LiveModel } from '../live/model';
import { Still, Waiting } from '../live/Still';
import type { Base } from '../live/wire';

/** The state of `CostChart` as its kernel side makes it (`crewlab/widgets/costs.py`). */
export interface Shown extends Base {
  ledger: UsageParts;
  agents: Named[];
}

/** What model calls have cost, by the charts and tables of the Crew manager (UI-83, UI-84). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const parts = useMemo(() => lasting(model), [model]);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => appOf(parts, language), [parts, language]);
  const { state, kernel } = snapshot;
  return (
    <AppProvider value={app}>
      <section className="crew-costbox" lang={language} aria-label={app.t('manage.section.costs')}>
        <Still snapshot={snapshot} t={app.t} />
        {state === null ? <Waiting snapshot={snapshot} t={app.t} /> : <Body model={model} state={state} off={kernel !== 'live'} />}
      </section>
    </AppProvider>
  );
}

function Body({ model, state, off }: { model: LiveModel<Shown>; state: Shown; off: boolean }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const agents = useSelect(app.agents, now => now.agents);
  const [failure, setFailure] = useState<string | null>(null);
  const { ledger } = state;
  const pick = (period: Period): void => {
    setFailure(null);
    model.ask('period', { period }).catch((error: unknown) => setFailure(failureOf(error).message || t('widgets.kernel_away')));
  };
  return (
    <>
      <fieldset disabled={off}>
        <Choice label={t('costs.period')} value={ledger.period} options={PERIODS.map(one => ({ value: one, text: t(`costs.period.${one}`) }))} onPick={pick} />
      </fieldset>
      {failure ? (
        <div className="crew-sm crew-t-error" role="alert">
          {t('widgets.not_read', { message: failure })}
        </div>
      ) : null}
      {sumOf(ledger.parts).calls === 0 ? (
        <p className="crew-empty crew-2">{t('costs.none')}</p>
      ) : (
        <div className="crew-costs">
          <Columns ledger={ledger} agents={agents} />
          <div className="pair">
            <Bars ledger={ledger} aspect="agent" agents={agents} />
            <Bars ledger={ledger} aspect="purpose" agents={agents} />
          </div>
          <Tables ledger={ledger} agents={agents} />
        </div>
      )}
    </>
  );
}
