import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { SearchResult } from '../../shared/contract';
import type { ListState } from '../../shared/stores/types';
import type { ChatApp } from '../app';
import { useApp } from '../parts/context';
import { IconButton } from '../parts/controls';
import { useNow, useStore } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Failed, Skeleton } from '../parts/loading';
import { filterTitles, groupByDay, hasSearch } from './groups';
import { ConversationRow } from './ConversationRow';
import { InMessages } from './InMessages';
import { moveFocus } from './move';
import { type Found, useSearch } from './useSearch';

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
  const searched = useSearch(text);
  const openHit = useCallback(
    (id: string): void => {
      setRefused(null);
      openFound(app, id);
      onChosen?.();
    },
    [app, onChosen]
  );
  const first = found.some(conversation => conversation.id === open) ? open : groups[0]?.conversations[0]?.id;
  return (
    <nav className="crew-list" aria-label={t('panel.conversations')}>
      <div className="top">
        <Top searchRef={searchRef} search={search || hasSearch(list.conversations.length)} text={text} onText={setText} />
        <IconButton icon="plus" label={t('panel.new')} onClick={() => choose(null)} />
      </div>
      <div className="rows" ref={rows} role="listbox" aria-label={t('panel.conversations')} onKeyDown={event => moveFocus(event, rows.current)}>
        {refused ? (
          <div className="crew-none crew-sm crew-t-error" role="alert">
            {t('options.not_saved', { message: refused })}
          </div>
        ) : null}
        <Standing list={list} searched={searched} matches={found.length} searching={text.trim() !== ''} />
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
        <InMessages hits={searched?.hits ?? NONE} tabStop={groups.length === 0} onOpen={openHit} />
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

/** A conversation that is not in the list opens with a way back (UI-11). */
function openFound({ conversation, list }: ChatApp, id: string): void {
  if (conversation.getSnapshot().id === null || list.getSnapshot().conversations.some(one => one.id === id)) {
    conversation.open(id);
  } else {
    conversation.openChild(id);
  }
}

interface TopProps {
  searchRef: RefObject<HTMLInputElement>;
  search: boolean;
  text: string;
  onText: (text: string) => void;
}

/** The search box, or the heading of a list that is short enough without one. */
function Top({ searchRef, search, text, onText }: TopProps): JSX.Element {
  const { t } = useApp();
  return search ? (
    <label className="crew-field crew-grow">
      <Icon name="search" size="s" />
      <input ref={searchRef} value={text} placeholder={t('list.search')} aria-label={t('list.search_titles')} onChange={event => onText(event.target.value)} />
      <kbd className="crew-kbd">{ACCEL_K}</kbd>
    </label>
  ) : (
    <span className="crew-grow crew-b">{t('panel.conversations')}</span>
  );
}

interface StandingProps {
  list: ListState;
  searched: Found | null;
  /** Number of titles that match. */
  matches: number;
  searching: boolean;
}

/** What stands in the place of rows: grey bars, a failure, or one grey sentence (guide section 9). */
function Standing({ list, searched, matches, searching }: StandingProps): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  if (list.failure) {
    return <Failed title={t('fault.list')} failure={list.failure} retry={() => void app.list.load()} />;
  }
  if (searched?.failure) {
    return <div className="crew-sm crew-t-error crew-none">{t('list.not_searched', { message: searched.failure })}</div>;
  }
  if (searched && matches === 0 && searched.hits.length === 0) {
    return <div className="crew-sm crew-2 crew-none">{t('list.no_match', { text: searched.text })}</div>; // UI-15: only when nothing at all was found
  }
  if (list.conversations.length > 0 || searching) {
    return null;
  }
  return list.loading === 'ready' ? <div className="crew-sm crew-2 crew-none">{t('list.empty')}</div> : <Skeleton rows={5} />;
}

const NONE: readonly SearchResult[] = [];
const ACCEL_K = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') ? '⌘ K' : 'Ctrl K';
