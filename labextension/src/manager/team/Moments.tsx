import { useEffect, useState } from 'react';
import { ApiError } from '../../shared/api';
import { useApp } from '../../chat/parts/context';
import { useNow } from '../../chat/parts/hooks';
import type { SchedulePreview } from '../../shared/contract';
import type { When } from '../../shared/manage/team/schedules';
import { useManager } from '../app';
import { moment } from '../parts/when';

const PAUSE_MS = 250; // after the last key
const AGE_MS = 60_000;

type Shown = { preview: SchedulePreview } | { wrong: string } | null;

/** A schedule in words and its next three times, as the server would run it (UI-91). */
export function Moments({ when, line }: { when: When; line: string }): JSX.Element | null {
  const { t } = useApp();
  const shown = usePreview(when, line.trim());
  const now = useNow(true, AGE_MS);
  if (shown === null) {
    return null;
  }
  if ('wrong' in shown) {
    return (
      <div className="crew-sm crew-t-warn help" role="status">
        {shown.wrong}
      </div>
    );
  }
  const { words, next, timezone } = shown.preview;
  return (
    <div className="crew-sm help crew-moments" role="status">
      <span className="crew-b">{words}</span>
      <span className="crew-2 crew-num">
        {next.length === 0 ? t('schedule.never') : t('schedule.next', { times: next.map(one => moment(one, now, t)).join('; ') })}
        {elsewhere(timezone) ? ` ${t('schedule.zone', { zone: timezone })}` : null}
      </span>
    </div>
  );
}

/** Whether the schedules follow another clock than the viewer's, by which the times are shown (UI-125). */
function elsewhere(zone: string): boolean {
  return zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Asks the server a moment after the last key; what comes for an older line is dropped. */
function usePreview(when: When, line: string): Shown {
  const { team } = useManager().manager;
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    if (line === '') {
      setShown(null);
      return undefined;
    }
    let current = true;
    const ask = async (): Promise<void> => {
      try {
        const preview = await team.api.preview({ [when]: line });
        if (current) {
          setShown({ preview });
        }
      } catch (error) {
        if (current) {
          setShown(error instanceof ApiError && error.status === 422 ? { wrong: error.message } : null);
        }
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [team, when, line]);
  return shown;
}
