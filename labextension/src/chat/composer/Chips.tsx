import type { QueuedItem } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';

/** Words that wait: for the end of the turn, or for a place in it (UI-42 to UI-44). They have no button of their own. */
export function Chips(): JSX.Element | null {
  const app = useApp();
  const queued = useSelect(app.conversation, state => state.view.queued);
  const shown = queued.filter(item => item.text !== '' || item.attachments.length > 0);
  if (shown.length === 0) {
    return null;
  }
  return (
    <>
      {[...shown.filter(item => item.kind === 'steer'), ...shown.filter(item => item.kind !== 'steer')].map(item => (
        <div key={item.item_id} className={item.kind === 'steer' ? 'crew-queue steer' : 'crew-queue'}>
          <Icon name={item.kind === 'steer' ? 'steer' : 'queue'} size="s" />
          <div className="crew-grow">
            <div className="crew-ell" title={wordsOf(item)}>
              {wordsOf(item)}
            </div>
            <div className="crew-2">{app.t(item.kind === 'steer' ? 'chip.steer' : 'chip.queued')}</div>
          </div>
        </div>
      ))}
    </>
  );
}

/** The words that wait, and the files that they bring. */
function wordsOf({ text, attachments }: QueuedItem): string {
  const names = attachments.map(file => file.name).join(', ');
  return text === '' ? names : names === '' ? text : `${text} · ${names}`;
}
