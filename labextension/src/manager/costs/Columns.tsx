import { useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useFold } from '../../chat/parts/hooks';
import type { AgentView, UsageParts } from '../../shared/contract';
import { allUnknown, type Aspect, ASPECTS, type Measure, MEASURES, rowsBy, type Stack, stackOf, sumOf } from '../../shared/costs/ledger';
import { Choice } from '../parts/choice';
import { Chart } from './Chart';
import { Series } from './Series';
import { coloursOf, nameOf } from './words';

interface Props {
  ledger: UsageParts;
  agents: readonly AgentView[];
}

/** What a chart and the table beside it are drawn from. */
export interface Drawn {
  ledger: UsageParts;
  stack: Stack;
  aspect: Aspect;
  measure: Measure;
  title: string;
  name(series: string): string;
  colour(series: string): string;
}

/** The ledger as columns by day or month, parted by agent, model or purpose; the same as a table (UI-83). */
export function Columns({ ledger, agents }: Props): JSX.Element {
  const { t } = useApp();
  const [aspect, setAspect] = useState<Aspect>('agent');
  const [measure, setMeasure] = useState<Measure>('cost');
  const [asTable, turn] = useFold();
  const stack = stackOf(ledger, aspect, measure);
  const colours = coloursOf(rowsBy(ledger.parts, aspect).map(row => row.key), aspect);
  const values = { measure: t(`costs.measure.${measure}`), by: t(`costs.chart.${aspect}`) };
  const drawn: Drawn = {
    ...{ ledger, stack, aspect, measure },
    title: t(ledger.period === 'all' ? 'costs.chart.months' : 'costs.chart.days', values),
    name: key => nameOf(key, aspect, agents, t),
    colour: key => colours.get(key) ?? ''
  };
  return (
    <section className="crew-card crew-columns" aria-label={drawn.title}>
      <div className="head">
        <h2>{drawn.title}</h2>
        <Choice label={t('costs.by')} value={aspect} options={ASPECTS.map(value => ({ value, text: t(`costs.by.${value}`) }))} onPick={setAspect} />
        <Choice label={t('costs.measure')} value={measure} options={MEASURES.map(value => ({ value, text: t(`costs.measure.${value}`) }))} onPick={setMeasure} />
      </div>
      {measure === 'cost' && allUnknown(sumOf(ledger.parts)) ? <p className="crew-sm crew-2 said">{t('costs.no_price')}</p> : null}
      <Chart drawn={drawn} />
      <div className="foot">
        <ul className="crew-legendrow crew-sm">
          {stack.series.map(key => (
            <li key={key}>
              <i aria-hidden="true" style={{ background: drawn.colour(key) }} />
              {drawn.name(key)}
            </li>
          ))}
        </ul>
        <button type="button" className="crew-link crew-sm" aria-expanded={asTable} onClick={turn}>
          {t(asTable ? 'costs.as_chart_only' : 'costs.as_table')}
        </button>
      </div>
      <Series drawn={drawn} visible={asTable} />
    </section>
  );
}
