import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { type Field } from '../../shared/manage/team/fields';
import { useField } from './editing';
import { helpOf, labelOf } from './fieldWords';
import { Shell } from './Shell';

/** Names to tick: the agents it may give work to, or the MCP servers. A name of the file that nobody knows keeps its row (UI-90). */
export function TicksField({ field }: { field: Field }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const one = useField(field.key);
  const agents = useSelect(app.agents, state => state.agents);
  const servers = useSelect(app.agents, state => state.connections?.mcp_servers);
  const known = field.key === 'mcp' ? (servers ?? []) : agents.map(agent => agent.id).filter(id => id !== one.agent.id);
  const ticked = Array.isArray(one.value) ? (one.value as readonly string[]) : [];
  const said = Array.isArray(one.agent.declared[field.key]) ? (one.agent.declared[field.key] as unknown[]).map(String) : [];
  const rows = [...new Set([...known, ...said, ...ticked])];
  const turn = (name: string, on: boolean): void => {
    const next = on ? [...ticked, name] : ticked.filter(other => other !== name);
    one.set(next.length === 0 && field.key === 'mcp' ? null : next);
  };
  const all = field.key === 'delegates' && one.value === null && one.agent.master;
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={helpOf(field, t)} errors={one.errors} onDefault={field.key === 'mcp' || one.value === null || one.locked ? null : () => one.set(null)}>
      {named => (
        <div className="crew-ticks" role="group" {...named}>
          {rows.length === 0 ? <span className="crew-sm crew-2">{t(field.key === 'mcp' ? 'team.no_servers' : 'crew.alone')}</span> : null}
          {all ? <span className="crew-sm crew-2">{t('team.all_agents')}</span> : null}
          {rows.map(name => (
            <label key={name} className="crew-tick">
              <input type="checkbox" checked={ticked.includes(name)} disabled={one.locked} onChange={event => turn(name, event.target.checked)} />
              <span className={field.key === 'mcp' ? 'crew-mono' : ''}>{agents.find(agent => agent.id === name && field.key !== 'mcp')?.name ?? name}</span>
              {known.includes(name) ? null : <span className="crew-label warn">{t('team.unknown')}</span>}
            </label>
          ))}
        </div>
      )}
    </Shell>
  );
}
