import { memo } from 'react';
import { useApp } from '../parts/context';
import type { UserItem } from './blocks';

/** The person's words, word for word, on a tint at the right; inserted words have an outline instead (UI-43). */
export const UserMessage = memo(function UserMessage({ item }: { item: UserItem }): JSX.Element {
  const { t } = useApp();
  return (
    <div className={`crew-user${item.steered ? ' steer' : ''}${item.sending ? ' sending' : ''}`}>
      <span className="crew-hidden">{t('thread.you')}: </span>
      {item.text}
    </div>
  );
});
