import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { type Field } from '../../shared/manage/team/fields';
import { heldRows, toolRows } from '../../shared/manage/team/tools';
import { useManager } from '../app';
import { Radios } from './ChoiceField';
import { useField } from './editing';
import { labelOf } from './fieldWords';
import { Shell } from './Shell';

/** The allow-list: every suitable tool, or only the selected ones (UI-87, TOOL-48). */
export function ToolsField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const one = useField(field.key);
  const known = useSelect(manager.tools, state => state.data?.tools);
  const list = Array.isArray(one.value) ? (one.value as readonly string[]) : null;
  const rows = toolRows(one.agent, list);
  const mode = list === null ? 'all' : 'only';
  const options = [
    { value: 'all' as const, text: t('team.every_tool') },
    { value: 'only' as const, text: t('team.only_selected') }
  ];
  const choose = (next: 'all' | 'only'): void => {
    const said = one.agent.declared['tools'];
    one.set(next === 'all' ? null : Array.isArray(said) ? said.map(String) : heldRows(one.agent));
  };
  return (
    <Shell label={labelOf(field, t)} fileKey={field.key} help={t(list === null ? 'team.every_tool_says' : 'team.only_selected_says')} errors={one.errors} full>
      {named => (
        <>
          <div className="crew-row crew-wrap">
            <Radios named={named} options={options} value={mode} locked={one.locked} onPick={choose} />
            <span className="crew-sm crew-2 crew-num count">{t('team.selected', { n: list === null ? heldRows(one.agent).length : list.length, all: rows.length })}</span>
          </div>
          {list === null ? null : (
            <div className="crew-toolrows" role="group" aria-label={t('team.selected_tools')}>
              {rows.map(({ name, listed }) => (
                <label key={name} className="crew-tick">
                  <input
                    type="checkbox"
                    checked={list.includes(name)}
                    disabled={one.locked}
                    onChange={event => one.set(event.target.checked ? [...list, name] : list.filter(other => other !== name))}
                  />
                  <span className="crew-mono">{name}</span>
                  <span className="crew-sm crew-2 crew-ell">{listed ? firstSentence(known?.find(tool => tool.name === name)?.description ?? '') : t('team.tool_unknown')}</span>
                  {listed ? null : <span className="crew-label warn">{t('team.unknown')}</span>}
                </label>
              ))}
            </div>
          )}
        </>
      )}
    </Shell>
  );
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
