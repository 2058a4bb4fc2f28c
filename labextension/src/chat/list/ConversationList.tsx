import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { ListState } from '../../shared/stores/types';
import { useApp } from '../parts/context';
import { IconButton } from '../parts/controls';
import { useNow, useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Failed, Skeleton } from '../parts/loading';
import { filterTitles, groupByDay, hasSearch } from './groups';
import { ConversationRow } from './ConversationRow';
import { moveFocus } from './move';

const AGE_EVERY_MS = 60_000;

interface Props {
  searchRef: RefObject<HTMLInputElement>;
  /** Called when a conversation was chosen or a new one begun (closes the drawer). */
  onChosen?: () => void;
  /** In the drawer the search box is there however short the list is, since Accel K leads to it (UI-115). */
  search?: boolean;
}

/** The master's conversations, newest first, by day (UI-10, UI-13, UI-14, UI-16). */
export function ConversationList({ searchRef, onChosen, search }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const list = useStore(app.list);
  const open = useStore(app.conversation).id;
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const now = useNow(true, AGE_EVERY_MS);
  const rows = useRef<HTMLDivElement>(null);
  const found = useMemo(() => filterTitles(list.conversations, text), [list.conversations, text]);
  const groups = useMemo(() => groupByDay(found, new Date(now)), [found, now]);
  const choose = useCallback(
    (id: string | null): void => {
      setRefused(null);
      app.conversation.open(id);
      onChosen?.();
    },
    [app, onChosen]
  );
  const first = found.some(conversation => conversation.id === open) ? open : groups[0]?.conversations[0]?.id;
  return (
    <nav className="crew-list" aria-label={t('panel.conversations')}>
      <div className="top">
        {search || hasSearch(list.conversations.length) ? (
          <label className="crew-field crew-grow">
            <Icon name="search" size="s" />
            <input ref={searchRef} value={text} placeholder={t('list.search')} aria-label={t('list.search_titles')} onChange={event => setText(event.target.value)} />
            <kbd className="crew-kbd">{ACCEL_K}</kbd>
          </label>
        ) : (
          <span className="crew-grow crew-b">{t('panel.conversations')}</span>
        )}
        <IconButton icon="plus" label={t('panel.new')} onClick={() => choose(null)} />
      </div>
      <div className="rows" ref={rows} role="listbox" aria-label={t('panel.conversations')} onKeyDown={event => moveFocus(event, rows.current)}>
        {refused ? (
          <div className="crew-none crew-sm crew-t-error" role="alert">
            {t('options.not_saved', { message: refused })}
          </div>
        ) : null}
        <Standing list={list} noMatch={list.conversations.length > 0 && found.length === 0 ? text.trim() : null} />
        {groups.map(group => (
          <div key={group.name} role="group" aria-label={t(`list.${group.name}`)}>
            <div className="crew-sec" aria-hidden="true">
              {t(`list.${group.name}`)}
            </div>
            {group.conversations.map(conversation => (
              <ConversationRow
                key={conversation.id}
                conversation={conversation}
                open={conversation.id === open}
                unread={list.unread.has(conversation.id)}
                tabStop={conversation.id === first}
                now={now}
                onOpen={choose}
                onFailure={setRefused}
              />
            ))}
          </div>
        ))}
        {list.more ? (
          <div className="crew-none">
            <button type="button" className="crew-link crew-sm" onClick={() => void app.list.loadMore()}>
              {t('list.more')}
            </button>
          </div>
        ) : null}
      </div>
    </nav>
  );
}

/** What stands in the place of rows: grey bars, a failure, or one grey sentence (guide section 9). */
function Standing({ list, noMatch }: { list: ListState; noMatch: string | null }): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  if (list.failure) {
    return <Failed title={t('fault.list')} failure={list.failure} retry={() => void app.list.load()} />;
  }
  if (noMatch !== null) {
    return <div className="crew-sm crew-2 crew-none">{t('list.no_match', { text: noMatch })}</div>;
  }
  if (list.conversations.length > 0) {
    return null;
  }
  return list.loading === 'ready' ? <div className="crew-sm crew-2 crew-none">{t('list.empty')}</div> : <Skeleton rows={5} />;
}

const ACCEL_K = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K';
