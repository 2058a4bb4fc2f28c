import { memo, useMemo } from 'react';
import { useApp } from '../parts/context';
import { printedIn } from '../../shared/scripts/printed';
import { IconButton } from '../parts/controls';
import { useSelect } from '../parts/hooks';
import type { UserItem } from './blocks';
import { PrintedByScript } from './PrintedByScript';
import { mayBranch, useBranch } from './useBranch';

/** The person's words, word for word, on a tint at the right; inserted words have an outline instead (UI-43). A message that opened the turn after a script shows its prompt, and below it what was printed (UI-53). Under them the way to branch (UI-56), whose place is kept while there is none, so that nothing moves when a turn ends. */
export const UserMessage = memo(function UserMessage({ item }: { item: UserItem }): JSX.Element {
  const { t, conversation } = useApp();
  const open = useSelect(conversation, mayBranch);
  const printed = useMemo(() => printedIn(item.text), [item.text]);
  const { branch, failure } = useBranch(item);
  return (
    <>
      <div className={`crew-user${item.steered ? ' steer' : ''}${item.sending ? ' sending' : ''}`}>
        <span className="crew-hidden">{t('thread.you')}: </span>
        {printed ? printed.prompt : item.text}
      </div>
      {printed ? <PrintedByScript text={printed.text} /> : null}
      <div className="crew-user-acts">
        {open && !item.sending ? <IconButton icon="branch" label={t('thread.branch')} onClick={event => void branch(event.currentTarget)} /> : null}
      </div>
      {failure ? (
        <div className="crew-user-acts shown crew-sm crew-t-error" role="alert">
          {t('thread.not_branched', { message: failure })}
        </div>
      ) : null}
    </>
  );
});
