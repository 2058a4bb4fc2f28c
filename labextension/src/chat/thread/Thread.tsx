import { memo, useMemo, useRef } from 'react';
import type { ThreadItem } from '../../shared/view';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Failed, Skeleton } from '../parts/loading';
import { Announcer } from './Announcer';
import { CanvasDrafts } from './CanvasDrafts';
import { type Block, blocksOf, sameBlock, showsLife } from './blocks';
import { Notice } from './Notice';
import { Tasks } from './Tasks';
import { useAgent } from './useAgent';
import { useFigures } from './useFigures';
import { useFollow } from './useFollow';
import { useOneStop } from './useOneStop';
import { useWindow } from './useWindow';
import { UserMessage } from './UserMessage';
import { WorkBlock } from './WorkBlock';

/** The thread of the open conversation (UI-26 to UI-31). */
export function Thread(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const view = useSelect(app.conversation, state => state.view);
  const id = useSelect(app.conversation, state => state.id);
  const loading = useSelect(app.conversation, state => state.loading);
  const failure = useSelect(app.conversation, state => state.failure);
  const blocks = useMemo(() => blocksOf(view.items), [view.items]);
  const agent = useAgent();
  const figures = useFigures();
  const pulse = pulseOf(view);
  const resumed = useSelect(app.activity, state => view.running && id !== null && (state.history[id]?.find(run => run.conversation_id === id)?.resumed ?? false));
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLSpanElement>(null);
  const follow = useFollow(box, content, id);
  const stop = useOneStop(box, after);
  const shown = useWindow(box, blocks.length, id);
  const onScroll = (): void => {
    follow.onScroll();
    shown.onScroll();
  };
  return (
    <div className="crew-view">
      <div ref={box} className="crew-scroll" role="log" aria-live="off" aria-label={t('thread.name')} tabIndex={0} onScroll={onScroll} onWheel={follow.onHand} onTouchMove={follow.onHand} onKeyDownCapture={follow.onHand} data-following={follow.following} {...stop}>
        <div ref={content} className="crew-thread">
          {loading === 'loading' && blocks.length === 0 ? <Skeleton rows={4} /> : null}
          {loading === 'failed' ? <Failed title={t('fault.load')} failure={failure} retry={() => void app.conversation.reload()} /> : null}
          {shown.hidden > 0 ? (
            <button type="button" className="crew-link crew-sm" onClick={shown.earlier}>
              {t('thread.earlier')}
            </button>
          ) : null}
          {blocks.slice(shown.hidden).map((block, index, all) => {
            const last = index === all.length - 1;
            return <Entry key={block.key} block={block} agent={agent} far={index < all.length - NEAR} pulse={last ? pulse : null} busy={last && view.running} figures={last ? figures : null} />;
          })}
          {pulse !== null && blocks[blocks.length - 1]?.kind === 'user' ? (
            <div className="crew-entry" tabIndex={-1}>
              <WorkBlock items={NOTHING} agent={agent} pulse={pulse} busy figures={null} />
            </div>
          ) : null}
          <CanvasDrafts />
          {resumed ? <div className="crew-sm crew-2">{t('thread.continued')}</div> : null}
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

const NEAR = 20;

interface EntryProps {
  block: Block;
  agent: { id: string; name: string };
  /** Far from the end: laid out only when it comes near the view. */
  far: boolean;
  /** The rest is said of the last entry only. */
  pulse: Pulsing;
  busy: boolean;
  figures: string | null;
}

const Entry = memo(
  function Entry({ block, agent, far, pulse, busy, figures }: EntryProps): JSX.Element {
    return (
      <div className={far ? 'crew-entry far' : 'crew-entry'} tabIndex={-1}>
        {block.kind === 'user' ? <UserMessage item={block.item} /> : <WorkBlock items={block.items} agent={agent} pulse={pulse} busy={busy} figures={figures} />}
      </div>
    );
  },
  (before, after) =>
    before.far === after.far &&
    before.pulse === after.pulse &&
    before.busy === after.busy &&
    before.figures === after.figures &&
    before.agent === after.agent &&
    sameBlock(before.block, after.block)
);

/** While the agent has not shown anything yet, its block holds only the line that it works. */
const NOTHING: readonly ThreadItem[] = [];

type Pulsing = 'thinking' | 'working' | null;

function pulseOf(view: { running: boolean; thinking: boolean; pending: unknown; items: readonly ThreadItem[] }): Pulsing {
  if (!view.running || view.pending !== null) {
    return null;
  }
  return view.thinking ? 'thinking' : showsLife(view.items) ? null : 'working';
}
