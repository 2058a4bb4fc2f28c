import { memo, type KeyboardEvent } from 'react';
import type { ConversationSummary } from '../../shared/contract';
import { Bead } from '../parts/bead';
import { useApp } from '../parts/context';
import { age } from '../parts/figures';
import { RowMenu } from './RowMenu';

interface Props {
  conversation: ConversationSummary;
  open: boolean;
  unread: boolean;
  /** Whether Tab stops at this row: one row of the list at a time. */
  tabStop: boolean;
  now: number;
  onOpen: (id: string) => void;
  onFailure: (message: string) => void;
}

/** One conversation: mark, title, age; the menu takes the place of the age on hover and focus (UI-16). */
export const ConversationRow = memo(function ConversationRow({ conversation, open, unread, tabStop, now, onOpen, onFailure }: Props): JSX.Element {
  const { t } = useApp();
  const title = conversation.title || t('panel.untitled');
  const mark = conversation.pending ? 'waiting' : conversation.running ? 'running' : unread ? 'unread' : null;
  const key = (event: KeyboardEvent): void => {
    if (event.target === event.currentTarget && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onOpen(conversation.id);
    }
  };
  return (
    <div
      className={`crew-conv${open ? ' on' : ''}${unread ? ' unread' : ''}`}
      role="option"
      aria-selected={open}
      aria-label={mark ? `${title}, ${t(`list.${mark}`)}` : title}
      tabIndex={tabStop ? 0 : -1}
      title={title}
      onClick={() => onOpen(conversation.id)}
      onKeyDown={key}
    >
      <span className="mark">
        {mark === 'waiting' ? <Bead kind="wait" free /> : null}
        {mark === 'running' ? <Bead kind="run" free /> : null}
        {mark === 'unread' ? <span className="crew-dot" /> : null}
      </span>
      <span className="crew-ell crew-grow">{title}</span>
      <span className="age">{age(conversation.updated_at, now, t)}</span>
      <RowMenu conversation={conversation} title={title} onFailure={onFailure} />
    </div>
  );
});
