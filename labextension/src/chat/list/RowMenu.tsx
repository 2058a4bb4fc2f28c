import type { ConversationSummary } from '../../shared/contract';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { Menu } from '../parts/menu';

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
  const act = (close: () => void, run: () => void | Promise<void>) => (): void => {
    close();
    Promise.resolve(run()).catch((error: unknown) => onFailure(error instanceof Error ? error.message : String(error)));
  };
  return (
    <Menu layers={app.layers} label={t('list.menu', { title })} className="menu" buttonClassName="more">
      {close => (
        <>
          <button type="button" role="menuitem" autoFocus onClick={act(close, rename)}>
            <Icon name="edit" />
            {t('list.rename')}
          </button>
          {app.has(EXPORT) ? (
            <button type="button" role="menuitem" onClick={act(close, () => app.execute(EXPORT, { id: conversation.id }))}>
              <Icon name="download" />
              {t('list.export')}
            </button>
          ) : null}
          <button type="button" role="menuitem" onClick={act(close, remove)}>
            <Icon name="delete" />
            {t('list.delete')}
          </button>
        </>
      )}
    </Menu>
  );
}
