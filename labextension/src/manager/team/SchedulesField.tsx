import { useApp } from '../../chat/parts/context';
import { type Field } from '../../shared/manage/team/fields';
import { newSchedule, type ScheduleForm } from '../../shared/manage/team/schedules';
import { useField } from './editing';
import { ScheduleEntry } from './ScheduleEntry';

/** The schedules of the profile, each a form of its own (UI-91, JOB-3). */
export function SchedulesField({ field }: { field: Field }): JSX.Element {
  const { t } = useApp();
  const one = useField(field.key);
  const entries = Array.isArray(one.value) ? (one.value as readonly ScheduleForm[]) : [];
  const put = (place: number, entry: ScheduleForm): void => one.set(entries.map((old, at) => (at === place ? entry : old)));
  const whole = Object.entries(one.all).filter(([path]) => path === 'schedules');
  return (
    <div className="crew-schedules" data-key={field.key}>
      {entries.length === 0 ? <p className="crew-2">{t('team.no_schedules')}</p> : null}
      {entries.map((entry, place) => (
        <ScheduleEntry
          key={entry.mark}
          entry={entry}
          place={place}
          errors={one.all}
          locked={one.locked}
          onChange={next => put(place, next)}
          onRemove={() => one.set(entries.filter((_old, at) => at !== place))}
        />
      ))}
      {whole.map(([path, sentence]) => (
        <div key={path} className="crew-f bad crew-sm crew-t-error">
          {sentence}
        </div>
      ))}
      {one.locked ? null : (
        <button type="button" className="crew-btn small" onClick={() => one.set([...entries, newSchedule(1 + Math.max(-1, ...entries.map(entry => entry.mark)))])}>
          {t('team.add_schedule')}
        </button>
      )}
    </div>
  );
}
