import { useApp } from '../../chat/parts/context';
import { IconButton, Switch } from '../../chat/parts/controls';
import type { Errors } from '../../shared/manage/team/errors';
import { type ScheduleForm, WHATS, WHENS } from '../../shared/manage/team/schedules';
import { Radios } from './ChoiceField';
import { Moments } from './Moments';
import { Shell } from './Shell';

interface Props {
  entry: ScheduleForm;
  place: number;
  errors: Errors;
  locked: boolean;
  onChange: (entry: ScheduleForm) => void;
  onRemove: () => void;
}

const TEXT_ROWS = 3;

/** One schedule: when, with the words and the next moments while it is typed, and what it does (UI-91). */
export function ScheduleEntry({ entry, place, errors, locked, onChange, onRemove }: Props): JSX.Element {
  const { t } = useApp();
  const name = entry.name || entry.id || t('team.schedule_n', { n: place + 1 });
  const at = (key: string): string[] => sentences(errors, `schedules[${place + 1}]${key === '' ? '' : `.${key}`}`);
  const set = (change: Partial<ScheduleForm>): void => onChange({ ...entry, ...change });
  const text = (key: 'id' | 'name' | 'skills' | 'approval_ttl_seconds' | 'timeout_s', help?: string): JSX.Element => (
    <Shell label={t(`schedule.${key}`)} help={help ?? null} errors={at(key)}>
      {named => <input {...named} className="crew-input" value={entry[key]} readOnly={locked} autoComplete="off" onChange={event => set({ [key]: event.target.value })} />}
    </Shell>
  );
  return (
    <fieldset className="crew-card crew-schedule">
      <legend className="crew-hidden">{name}</legend>
      <div className="crew-row top">
        <span className="crew-b crew-grow crew-ell">{name}</span>
        <Switch on={entry.enabled} label={t('schedule.enabled_of', { name })} onChange={enabled => (locked ? undefined : set({ enabled }))} />
        {locked ? null : <IconButton icon="delete" label={t('schedule.remove_of', { name })} onClick={onRemove} />}
      </div>
      <Shell label={t('schedule.when')} errors={at('')}>
        {named => <Radios named={named} options={WHENS.map(value => ({ value, text: t(`schedule.when.${value}`) }))} value={entry.when} locked={locked} onPick={when => set({ when })} />}
      </Shell>
      <Shell label={t(`schedule.${entry.when}`)} help={t(`schedule.${entry.when}.help`)} errors={at(entry.when)}>
        {named => (
          <>
            <input {...named} className="crew-input crew-mono" value={entry[entry.when]} readOnly={locked} autoComplete="off" spellCheck={false} onChange={event => set({ [entry.when]: event.target.value })} />
            <Moments when={entry.when} line={entry[entry.when]} />
          </>
        )}
      </Shell>
      <Shell label={t('schedule.what')} errors={[]}>
        {named => <Radios named={named} options={WHATS.map(value => ({ value, text: t(`schedule.what.${value}`) }))} value={entry.what} locked={locked} onPick={what => set({ what })} />}
      </Shell>
      <Shell label={t(`schedule.${entry.what}`)} help={t(`schedule.${entry.what}.help`)} errors={at(entry.what)}>
        {named => <textarea {...named} className={entry.what === 'prompt' ? 'crew-input' : 'crew-input crew-mono'} rows={TEXT_ROWS} value={entry.text} readOnly={locked} onChange={event => set({ text: event.target.value })} />}
      </Shell>
      {entry.what === 'script' ? (
        <Shell label={t('schedule.then_prompt')} help={t('schedule.then_prompt.help')} errors={at('then_prompt')}>
          {named => <textarea {...named} className="crew-input" rows={2} value={entry.then_prompt} readOnly={locked} onChange={event => set({ then_prompt: event.target.value })} />}
        </Shell>
      ) : null}
      <details>
        <summary>{t('schedule.more')}</summary>
        {text('name')}
        {text('id', t('schedule.id.help'))}
        {text('skills', t('schedule.skills.help'))}
        {text('approval_ttl_seconds')}
        {entry.what === 'command' ? text('timeout_s') : null}
      </details>
    </fieldset>
  );
}

function sentences(errors: Errors, path: string): string[] {
  const own = errors[path];
  return own === undefined ? [] : [own];
}
