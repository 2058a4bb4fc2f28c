import { useApp } from '../../chat/parts/context';
import type { Column } from '../../shared/costs/ledger';
import type { Drawn } from './Columns';
import { figure, longSpanName } from './words';

/** What the columns show, as a table: always there for a screen reader, and for the eye when asked for. */
export function Series({ drawn, visible }: { drawn: Drawn; visible: boolean }): JSX.Element {
  const { t } = useApp();
  const { stack, ledger, measure } = drawn;
  return (
    <div className={visible ? 'crew-wide inside' : 'crew-hidden'} tabIndex={visible ? 0 : undefined} role="region" aria-label={t('costs.as_table')}>
      <table className="crew-table crew-num crew-usage">
        <caption className="crew-hidden">{drawn.title}</caption>
        <thead>
          <tr>
            <th scope="col">{t(ledger.period === 'all' ? 'costs.month' : 'costs.day')}</th>
            {stack.series.map(key => (
              <th key={key} scope="col" className="r">
                {drawn.name(key)}
              </th>
            ))}
            <th scope="col" className="r">
              {t('costs.sum')}
            </th>
          </tr>
        </thead>
        <tbody>
          {stack.columns.map(column => (
            <tr key={column.span}>
              <th scope="row">{longSpanName(column.span, ledger.period, t)}</th>
              {stack.series.map(key => (
                <td key={key} className="r">
                  {piece(column, key)}
                </td>
              ))}
              <td className="r">{column.sums.calls === 0 ? '–' : figure(column.sums, measure, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

  function piece(column: Column, key: string): string {
    const found = column.pieces.find(one => one.key === key);
    return found ? figure(found.sums, measure, t) : '–';
  }
}
