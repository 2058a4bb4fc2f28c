import { useRef, useState } from 'react';
import type { ConversationSummary } from '../../shared/contract';
import { useApp } from '../parts/context';
import { IconButton } from '../parts/controls';
import { useLayer } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { moveFocus } from './move';

const EXPORT = 'crewlab:export-conversation';

interface Props {
  conversation: ConversationSummary;
  title: string;
  /** Told when a change was refused, to be said beside the list. */
  onFailure: (message: string) => void;
}

/** Rename, export, delete (UI-16). */
export function RowMenu({ conversation, title, onFailure }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useLayer(app.layers, open, close, [button, menu]);
  const rename = async (): Promise<void> => {
    const next = await app.askText({ title: t('list.title'), value: title, accept: t('list.rename') });
    if (next && next.trim() !== '' && next !== title) {
      await app.list.rename(conversation.id, next.trim());
    }
  };
  const remove = async (): Promise<void> => {
    const sure = await app.confirm({ title: t('list.delete'), body: t('list.delete_ask', { title }), accept: t('list.delete'), danger: true });
    if (sure) {
      const wasOpen = app.conversation.getSnapshot().id === conversation.id;
      const next = await app.list.remove(conversation.id);
      if (wasOpen) {
        app.conversation.open(next); // UI-17
      }
    }
  };
  const act = (run: () => void | Promise<void>) => (): void => {
    setOpen(false);
    Promise.resolve(run()).catch((error: unknown) => onFailure(error instanceof Error ? error.message : String(error)));
  };
  return (
    <span className="menu" onClick={event => event.stopPropagation()}>
      <IconButton
        ref={button}
        icon="dots"
        className="more"
        label={t('list.menu', { title })}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open ? (
        <div ref={menu} className="crew-card crew-menu" role="menu" onKeyDown={event => moveFocus(event, menu.current, '[role="menuitem"]')}>
          <button type="button" role="menuitem" autoFocus onClick={act(rename)}>
            <Icon name="edit" />
            {t('list.rename')}
          </button>
          {app.has(EXPORT) ? (
            <button type="button" role="menuitem" onClick={act(() => app.execute(EXPORT, { id: conversation.id }))}>
              <Icon name="download" />
              {t('list.export')}
            </button>
          ) : null}
          <button type="button" role="menuitem" onClick={act(remove)}>
            <Icon name="delete" />
            {t('list.delete')}
          </button>
        </div>
      ) : null}
    </span>
  );
}
