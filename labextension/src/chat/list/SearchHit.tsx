import { memo, type KeyboardEvent } from 'react';
import type { SearchResult } from '../../shared/contract';
import { Avatar } from '../parts/avatar';
import { useApp } from '../parts/context';
import { piecesOf } from './snippet';

interface Props {
  hit: SearchResult;
  /** Whether another agent than the current one said it: then its badge stands here (UI-14). */
  foreign: boolean;
  /** Whether Tab stops here: there is no row before it. */
  tabStop: boolean;
  onOpen: (id: string) => void;
}

/** A message that the search has found: its conversation, and its words with the matches marked. */
export const SearchHit = memo(function SearchHit({ hit, foreign, tabStop, onOpen }: Props): JSX.Element {
  const { t } = useApp();
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(hit.conversation_id);
    }
  };
  return (
    <div className="crew-hit" role="option" aria-selected={false} tabIndex={tabStop ? 0 : -1} onClick={() => onOpen(hit.conversation_id)} onKeyDown={key}>
      <span className="crew-row">
        <span className="crew-ell crew-grow">{hit.title || t('panel.untitled')}</span>
        {foreign ? (
          <span className="crew-row by crew-xs">
            <Avatar id={hit.agent_id} name={hit.agent_name} />
            {hit.agent_name}
          </span>
        ) : null}
      </span>
      <span className="words crew-sm crew-2">{piecesOf(hit.snippet).map((piece, index) => (piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text))}</span>
    </div>
  );
});
