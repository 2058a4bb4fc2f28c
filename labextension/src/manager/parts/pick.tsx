import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';

interface Props<V extends string> {
  label: string;
  /** What stands for no filter. */
  all: string;
  value: V | null;
  options: readonly { value: V; text: string }[];
  onPick: (value: V | null) => void;
}

/** A filter in the shape of a pill. */
export function Pick<V extends string>({ label, all, value, options, onPick }: Props<V>): JSX.Element {
  return (
    <select
      className={value === null ? 'crew-pick' : 'crew-pick on'}
      aria-label={label}
      value={value ?? ''}
      onChange={event => onPick(options.find(one => one.value === event.target.value)?.value ?? null)}
    >
      <option value="">{all}</option>
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

/** The filter by agent; with one agent there is nothing to choose. */
export function PickAgent({ value, onPick }: { value: string | null; onPick: (id: string | null) => void }): JSX.Element | null {
  const app = useApp();
  const agents = useSelect(app.agents, state => state.agents);
  if (agents.length < 2 && value === null) {
    return null;
  }
  const options = agents.map(agent => ({ value: agent.id, text: agent.name }));
  return <Pick label={app.t('manage.agent')} all={app.t('manage.all_agents')} value={value} options={options} onPick={onPick} />;
}
