import { useApp } from '../../chat/parts/context';
import { useManager } from '../app';
import { useEditing, useField } from './editing';
import { textOf } from './fieldWords';
import { Moments } from './Moments';

/** When the memory is gone over, and the way to what the agent keeps. */
export function MemoryLinks(): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const { agent } = useEditing();
  const { value } = useField('memory_consolidate');
  return (
    <>
      <Moments when="cron" line={textOf(value)} />
      <p>
        <button type="button" className="crew-link" onClick={() => manager.go('memory', 'agents')}>
          {t('team.memory_link', { name: agent.name })}
        </button>
      </p>
    </>
  );
}
