import { memo, useMemo, useState } from 'react';
import { formatBytes } from '../../shared/format';
import { path } from '../../shared/urls';
import { useApp } from '../parts/context';
import { printedIn } from '../../shared/scripts/printed';
import { IconButton } from '../parts/controls';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
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
        {printed ? printed.prompt : (item.typed ?? item.text)}
        <Brought files={item.files} />
      </div>
      {printed ? <PrintedByScript text={printed.text} /> : null}
      {item.typed === null || printed ? null : <Expanded text={item.text} />}
      <div className="crew-user-acts">
        {open && !item.sending ? (
          <IconButton icon="branch" label={t('thread.branch')} onClick={event => void branch(event.currentTarget)} />
        ) : null}
      </div>
      {failure ? (
        <div className="crew-user-acts shown crew-sm crew-t-error" role="alert">
          {t('thread.not_branched', { message: failure })}
        </div>
      ) : null}
    </>
  );
});

/** What a command of a kit has made of the words (UI-54). */
function Expanded({ text }: { text: string }): JSX.Element {
  const { t } = useApp();
  const [open, setOpen] = useState(false);
  return (
    <div className="crew-user-full">
      <button type="button" className="crew-link crew-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'thread.hide_full' : 'thread.show_full')}
      </button>
      {open ? <div className="crew-user sent">{text}</div> : null}
    </div>
  );
}

/** The files that the message brought (PTL-91). */
function Brought({ files }: { files: UserItem['files'] }): JSX.Element | null {
  const app = useApp();
  const id = useSelect(app.conversation, state => state.id);
  if (files.length === 0 || id === null) {
    return null;
  }
  return (
    <span className="crew-brought">
      {files.map(file => {
        const name = (
          <>
            <Icon name="document" size="s" />
            <span className="crew-ell">{file.name}</span>
          </>
        );
        const title = `${file.name}, ${formatBytes(file.size, app.language)}`;
        return app.attached.takes ? (
          <a
            key={file.id}
            className="crew-chip"
            href={app.apiUrl(path('conversations', id, 'attachments', file.id))}
            target="_blank"
            rel="noopener noreferrer"
            title={title}
          >
            {name}
          </a>
        ) : (
          <span key={file.id} className="crew-chip" title={title}>
            {name}
          </span>
        );
      })}
    </span>
  );
}
