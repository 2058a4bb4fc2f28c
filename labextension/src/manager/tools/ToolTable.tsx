import { memo } from 'react';
import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import type { AgentView, ToolRow } from '../../shared/contract';
import { cellOf, comesWith, SIGNS } from '../../shared/manage/marks';
import type { Translate } from '../../shared/texts';

/** Tools against agents; the first column and the head stay in sight (guide section 8). */
export const ToolTable = memo(function ToolTable({ rows, agents }: { rows: readonly ToolRow[]; agents: readonly AgentView[] }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-toolbox" tabIndex={0} role="region" aria-label={t('tools.caption')}>
      <table className="crew-table tools" aria-label={t('tools.caption')}>
        <thead>
          <tr>
            <th scope="col">{t('tools.tool')}</th>
            {agents.map(agent => (
              <th key={agent.id} scope="col">
                <span className="crew-row">
                  <Avatar id={agent.id} name={agent.name} />
                  <span className="crew-ell">{agent.name}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.name}>
              <th scope="row" title={row.description}>
                <span className="crew-mono">{row.name}</span>
                <Labels row={row} />
              </th>
              {agents.map(agent => (
                <MarkCell key={agent.id} row={row} agent={agent} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

function Labels({ row }: { row: ToolRow }): JSX.Element {
  const { t } = useApp();
  const label = withWords(row, t);
  return (
    <>
      {row.requires_approval ? (
        <span className="crew-label" title={t('tools.asks_hint')}>
          {t('tools.asks')}
        </span>
      ) : null}
      {label ? <span className="crew-label">{label}</span> : null}
    </>
  );
}

function withWords(row: ToolRow, t: Translate): string | null {
  const from = comesWith(row);
  if (from === 'server') {
    const server = t('tools.with.server', { server: row.server ?? '' });
    return row.exposure === null ? server : `${server}, ${row.exposure}`;
  }
  return from === null ? null : t(`tools.with.${from}`);
}

function MarkCell({ row, agent }: { row: ToolRow; agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const { mark, key } = cellOf(row, agent);
  const why = mark === 'off' && key !== null ? t('tools.mark.off_key', { key }) : t(`tools.mark.${mark}`);
  return (
    <td className={mark} title={t('tools.cell', { agent: agent.name, why })}>
      <span aria-hidden="true">{SIGNS[mark]}</span>
      <span className="crew-hidden">{why}</span>
    </td>
  );
}
