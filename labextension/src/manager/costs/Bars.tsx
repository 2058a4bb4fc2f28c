import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import type { AgentView, UsageParts } from '../../shared/contract';
import { type Aspect, rowsBy, sumOf } from '../../shared/costs/ledger';
import { coloursOf, nameOf, spent } from './words';

interface Props {
  ledger: UsageParts;
  aspect: Extract<Aspect, 'agent' | 'purpose'>;
  agents: readonly AgentView[];
}

/** A row for each agent or purpose with its share of the sum; the figure stands beside the bar. */
export function Bars({ ledger, aspect, agents }: Props): JSX.Element {
  const { t } = useApp();
  const rows = rowsBy(ledger.parts, aspect);
  const whole = sumOf(ledger.parts).cost_usd;
  const colours = coloursOf(rows.map(row => row.key), aspect);
  const title = t(`costs.card.${aspect}`);
  return (
    <section className="crew-card crew-bars" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {rows.map(({ key, sums }) => {
          const name = nameOf(key, aspect, agents, t);
          const percent = whole > 0 ? Math.round((sums.cost_usd / whole) * 100) : 0;
          const colour = aspect === 'agent' ? colours.get(key) : undefined;
          return (
            <li key={key}>
              <span className="name">
                {aspect === 'agent' ? <Avatar id={key} name={name} /> : null}
                <span className="crew-ell" title={name}>
                  {name}
                </span>
              </span>
              <span className="crew-bar l" title={t('costs.share', { percent })} aria-hidden="true">
                <span style={{ width: `${percent}%`, background: colour }} />
              </span>
              <span className="crew-num fig">{spent(sums, t)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
