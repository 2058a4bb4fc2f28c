import { useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { fieldOf, inForce } from '../../shared/manage/team/fields';
import { shellVerdict } from '../../shared/manage/team/shell';
import { toWire, type Value } from '../../shared/manage/team/values';
import { useManager } from '../app';
import { useEditing } from './editing';
import { declares } from './fieldWords';
import { Shell } from './Shell';

const EXAMPLE = 'git status';

/** A command, the list it meets as the form stands now, and what would happen. It calls nothing and runs nothing (SHL-89). */
export function ShellTry(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const { agent } = useEditing();
  const { team } = useManager().manager;
  const [command, setCommand] = useState('');
  const agents = useSelect(app.agents, state => state.agents);
  const list = (key: string): readonly string[] => listNow(agents, agent, key, team.formValue(agent, key));
  useSelect(team, () => team.draft(agent.id).edits);
  const said = shellVerdict(command, { deny: list('shell_deny_patterns'), ask: list('shell_ask_patterns'), allow: list('shell_allow_patterns') });
  return (
    <Shell label={t('shell.try')} help={t('shell.try.help')} errors={[]}>
      {named => (
        <>
          <input {...named} className="crew-input crew-mono" value={command} autoComplete="off" spellCheck={false} placeholder={EXAMPLE} onChange={event => setCommand(event.target.value)} />
          {command.trim() === '' ? null : (
            <div className="help" role="status">
              <span className="crew-b">{t(`shell.result.${said.result}`)}</span>{' '}
              <span className="crew-sm crew-2">{said.list === null ? t('shell.meets.none') : t(`shell.meets.${said.list}`, { pattern: said.pattern ?? '' })}</span>
            </div>
          )}
          <Holds agent={agent} />
        </>
      )}
    </Shell>
  );
}

function Holds({ agent }: { agent: AgentView }): JSX.Element | null {
  const { t } = useApp();
  return agent.tools.includes('shell_run') ? null : <div className="crew-sm crew-2 help">{t('shell.not_held')}</div>;
}

/** The list of the form; where there is none the crew's, as an agent without a list of its own has it. */
function listNow(agents: readonly AgentView[], agent: AgentView, key: string, value: Value): readonly string[] {
  const field = fieldOf(key);
  const without = declares(agent, key) ? agents.find(other => !declares(other, key)) : agent;
  const typed = field && value !== null ? toWire(field, value) : without && inForce(without, key);
  return Array.isArray(typed) ? typed.map(String) : [];
}
