import { useApp } from '../parts/context';
import { countdown } from '../../shared/format';
import { isUrgent, spokenMinutes } from './rules';

/** Minutes and seconds, once a second; spoken only at five minutes and at one (guide sections 6 and 14). */
export function Countdown({ left }: { left: number }): JSX.Element {
  const { t } = useApp();
  const minutes = spokenMinutes(left);
  if (left === 0) {
    return <span className="crew-label">{t('ask.expired')}</span>;
  }
  return (
    <>
      <span className={isUrgent(left) ? 'crew-sm crew-num crew-t-error' : 'crew-sm crew-num crew-2'} aria-hidden="true">
        {t('ask.left', { time: countdown(left) })}
      </span>
      <span className="crew-hidden" role="status">
        {minutes === null ? '' : t('ask.minutes_left', { n: minutes })}
      </span>
    </>
  );
}
