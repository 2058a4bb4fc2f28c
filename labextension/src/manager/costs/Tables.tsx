import { useState } from 'react';
import { useApp } from '../../chat/parts/context';
import type { AgentView, UsageParts, UsageSums } from '../../shared/contract';
import { type Aspect, type Row, rowsBy, rowsByTime, sumOf } from '../../shared/costs/ledger';
import { Choice } from '../parts/choice';
import { longSpanName, nameOf, spent } from './words';

const SHOWN = ['model', 'agent', 'purpose', 'time'] as const;
type Shown = (typeof SHOWN)[number];

interface Props {
  ledger: UsageParts;
  agents: readonly AgentView[];
}

/** Calls, tokens and prices by model, agent, purpose or time, with their sum (UI-83, UI-84). */
export function Tables({ ledger, agents }: Props): JSX.Element {
  const { t } = useApp();
  const [shown, setShown] = useState<Shown>('model');
  const rows = shown === 'time' ? rowsByTime(ledger).reverse() : rowsBy(ledger.parts, shown);
  const name = (row: Row): string => (shown === 'time' ? longSpanName(row.key, ledger.period, t) : nameOf(row.key, shown satisfies Aspect, agents, t));
  return (
    <>
      <div className="crew-sechead">
        <h2>{t(`costs.table.${shown}`)}</h2>
        <Choice label={t('costs.tables')} value={shown} options={SHOWN.map(value => ({ value, text: t(`costs.table.${value}`) }))} onPick={setShown} />
      </div>
      <div className="crew-wide" tabIndex={0} role="region" aria-label={t(`costs.table.${shown}`)}>
        <table className="crew-table crew-num crew-usage">
          <thead>
            <tr>
              <th scope="col">{firstColumn(shown, ledger, t)}</th>
              <Heads />
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.key}>
                <th scope="row" className={shown === 'model' ? 'crew-mono' : undefined}>
                  {name(row)}
                </th>
                <Cells sums={row.sums} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('costs.sum')}</th>
              <Cells sums={sumOf(ledger.parts)} />
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}

function firstColumn(shown: Shown, ledger: UsageParts, t: ReturnType<typeof useApp>['t']): string {
  return shown === 'time' ? t(ledger.period === 'all' ? 'costs.month' : 'costs.day') : t(`costs.by.${shown}`);
}

const COUNTS = [
  ['calls', 'costs.calls'],
  ['prompt_tokens', 'costs.prompt'],
  ['cached_tokens', 'costs.cached'],
  ['completion_tokens', 'costs.completion'],
  ['reasoning_tokens', 'costs.reasoning']
] as const satisfies readonly (readonly [keyof UsageSums, string])[];

function Heads(): JSX.Element {
  const { t } = useApp();
  return (
    <>
      {COUNTS.map(([field, key]) => (
        <th key={field} scope="col" className="r">
          {t(key)}
        </th>
      ))}
      <th scope="col" className="r">
        {t('costs.usd')}
      </th>
    </>
  );
}

/** Figures of a row. A price that nobody knows says so; no call has no price (UI-83). */
function Cells({ sums }: { sums: UsageSums }): JSX.Element {
  const { t } = useApp();
  const count = new Intl.NumberFormat(t.language);
  return (
    <>
      {COUNTS.map(([field]) => (
        <td key={field} className={field === 'cached_tokens' || field === 'reasoning_tokens' ? 'r crew-2' : 'r'}>
          {count.format(sums[field])}
        </td>
      ))}
      <td className="r">{sums.calls === 0 ? '–' : spent(sums, t)}</td>
    </>
  );
}
