import type { Task } from '../../shared/contract';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { Bead } from '../parts/bead';

/** The task list: one card that updates in place; its boxes are not for pressing (UI-38). */
export function Tasks({ tasks }: { tasks: readonly Task[] }): JSX.Element | null {
  const { t } = useApp();
  if (tasks.length === 0) {
    return null;
  }
  return (
    <div className="crew-card" role="group" aria-label={t('thread.tasks')}>
      {tasks.map((task, index) => (
        <div className="crew-line" key={index}>
          {task.status === 'done' ? <Icon name="check" /> : <Bead kind={task.status === 'in_progress' ? 'run' : 'note'} free />}
          <span className={task.status === 'done' ? 'crew-2' : undefined}>{task.text}</span>
          <span className="crew-hidden">{t(`thread.task_${task.status}`)}</span>
        </div>
      ))}
    </div>
  );
}
