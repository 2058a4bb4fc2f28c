import { useMemo, useRef, useState } from 'react';
import type { ThreadItem } from '../../shared/view';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Failed, Skeleton } from '../parts/loading';
import { Announcer } from './Announcer';
import { type Block, blocksOf, showsLife } from './blocks';
import { Notice } from './Notice';
import { Tasks } from './Tasks';
import { useAgent } from './useAgent';
import { useFigures } from './useFigures';
import { useFollow } from './useFollow';
import { useOneStop } from './useOneStop';
import { UserMessage } from './UserMessage';
import { WorkBlock } from './WorkBlock';

const WINDOW = 60; // entries in the document at first; more come as the reader goes up
const EARLIER_PX = 600;

/** The thread of the open conversation (UI-26 to UI-31). */
export function Thread(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const view = useSelect(app.conversation, state => state.view);
  const id = useSelect(app.conversation, state => state.id);
  const loading = useSelect(app.conversation, state => state.loading);
  const failure = useSelect(app.conversation, state => state.failure);
  const blocks = useMemo(() => blocksOf(view.items), [view.items]);
  const [shown, setShown] = useState(WINDOW);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLSpanElement>(null);
  const follow = useFollow(box, content, id);
  const stop = useOneStop(box, after);
  const hidden = Math.max(0, blocks.length - shown);
  const onScroll = (): void => {
    follow.onScroll();
    if (hidden > 0 && box.current && box.current.scrollTop < EARLIER_PX) {
      setShown(shown + WINDOW);
    }
  };
  return (
    <div className="crew-view">
      <div ref={box} className="crew-scroll" role="log" aria-live="off" aria-label={t('thread.name')} tabIndex={0} onScroll={onScroll} {...stop}>
        <div ref={content} className="crew-thread">
          {loading === 'loading' && blocks.length === 0 ? <Skeleton rows={4} /> : null}
          {loading === 'failed' ? <Failed title={t('fault.load')} failure={failure} retry={() => void app.conversation.reload()} /> : null}
          {hidden > 0 ? (
            <button type="button" className="crew-link crew-sm" onClick={() => setShown(shown + WINDOW)}>
              {t('thread.earlier')}
            </button>
          ) : null}
          {blocks.slice(hidden).map((block, index, all) => (
            <Entry key={block.key} block={block} last={index === all.length - 1} />
          ))}
          <Pulse items={view.items} blocks={blocks} />
          <Tasks tasks={view.tasks} />
          <Notice end={view.running ? null : view.end} />
        </div>
      </div>
      {follow.following ? null : (
        <div className="crew-latest">
          <button type="button" className="crew-btn small" onClick={follow.toEnd}>
            <Icon name="arrow-down" size="s" />
            {t('thread.latest')}
          </button>
        </div>
      )}
      <span ref={after} tabIndex={-1} />
      <Announcer items={view.items} />
    </div>
  );
}

function Entry({ block, last }: { block: Block; last: boolean }): JSX.Element {
  const app = useApp();
  const agent = useAgent();
  const pulse = useSelect(app.conversation, state => (last ? pulseOf(state.view) : null));
  const busy = useSelect(app.conversation, state => last && state.view.running);
  const figures = useFigures(last);
  return (
    <div className={last ? 'crew-entry live' : 'crew-entry'} tabIndex={-1}>
      {block.kind === 'user' ? <UserMessage item={block.item} /> : <WorkBlock items={block.items} agent={agent} pulse={pulse} busy={busy} figures={figures} />}
    </div>
  );
}

/** While the agent has not shown anything yet, its block holds only the line that it works. */
function Pulse({ items, blocks }: { items: readonly ThreadItem[]; blocks: readonly Block[] }): JSX.Element | null {
  const app = useApp();
  const agent = useAgent();
  const pulse = useSelect(app.conversation, state => pulseOf(state.view));
  if (pulse === null || items.length === 0 || blocks[blocks.length - 1]?.kind === 'work') {
    return null;
  }
  return (
    <div className="crew-entry live" tabIndex={-1}>
      <WorkBlock items={NOTHING} agent={agent} pulse={pulse} busy figures={null} />
    </div>
  );
}

const NOTHING: readonly ThreadItem[] = [];

function pulseOf(view: { running: boolean; thinking: boolean; pending: unknown; items: readonly ThreadItem[] }): 'thinking' | 'working' | null {
  if (!view.running || view.pending !== null) {
    return null;
  }
  return view.thinking ? 'thinking' : showsLife(view.items) ? null : 'working';
}
