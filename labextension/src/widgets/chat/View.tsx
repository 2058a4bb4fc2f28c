import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { ApprovalBar } from '../../chat/approval/ApprovalBar';
import { Chips } from '../../chat/composer/Chips';
import { Composer } from '../../chat/composer/Composer';
import { Boundary } from '../../chat/parts/boundary';
import { AppProvider, useApp } from '../../chat/parts/context';
import { price } from '../../chat/parts/figures';
import { useStore } from '../../chat/parts/hooks';
import { Thread } from '../../chat/thread/Thread';
import { useAgent } from '../../chat/thread/useAgent';
import { Cell } from '../../shared/stores/store';
import { appOf, languageOf, lasting } from '../live/app';
import type { LiveModel, Snapshot } from '../live/model';
import { Still, Waiting } from '../live/Still';
import { KernelConversation } from './conversation';
import type { Shown } from './state';

/** One conversation with its composer, by the views of the panel (UI-155, UI-156). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const width = useMemo(() => new Cell(0), []);
  const parts = useMemo(() => lasting(model, width), [model, width]);
  const conversation = useMemo(() => new KernelConversation(model), [model]);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => appOf(parts, language, conversation), [parts, language, conversation]);
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(() => width.put(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  const keys = (event: KeyboardEvent): void => {
    event.stopPropagation(); // what is typed here is no shortcut of the notebook
  };
  return (
    <AppProvider value={app}>
      <section ref={root} className="crew-card crew-chatbox" lang={language} aria-label={app.t('widgets.chat')} onKeyDown={keys}>
        <Boundary t={app.t} copy={text => app.copy(text)}>
          {snapshot.state === null ? <Waiting snapshot={snapshot} t={app.t} /> : <Body snapshot={snapshot} state={snapshot.state} />}
        </Boundary>
      </section>
    </AppProvider>
  );
}

function Body({ snapshot, state }: { snapshot: Snapshot<Shown>; state: Shown }): JSX.Element {
  const { t } = useApp();
  const agent = useAgent(state.conversation?.agent_id ?? state.agent ?? undefined);
  const foot = useRef<HTMLFieldSetElement>(null);
  const dropped = state.dropped ?? 0;
  return (
    <>
      <Still snapshot={snapshot} t={t} />
      <div className="h">
        <h3 className="crew-b crew-ell">{state.conversation?.title || t('widgets.chat_with', { agent: agent.name })}</h3>
        <span className="crew-grow" />
        <span className="crew-2 crew-num crew-sm">{state.conversation === null ? '' : spent(state, t)}</span>
      </div>
      {dropped > 0 ? <div className="crew-sm crew-2 p">{t('widgets.dropped_items', { n: dropped })}</div> : null}
      <Middle state={state} agent={agent.name} />
      <div className="crew-foot">
        <ApprovalBar onEnd={() => foot.current?.querySelector('textarea')?.focus()} />
        <fieldset ref={foot} disabled={snapshot.kernel !== 'live' || state.gone}>
          <Chips />
          <Composer />
        </fieldset>
      </div>
    </>
  );
}

/** The thread, or a sentence while there is none. */
function Middle({ state, agent }: { state: Shown; agent: string }): JSX.Element {
  const { t } = useApp();
  if (state.gone || (state.items.length === 0 && state.id === null)) {
    return <p className="crew-empty crew-2">{state.gone ? t('thread.gone') : t('widgets.chat_empty', { agent })}</p>;
  }
  return <Thread />;
}

/** What was spent; unknown prices are counted beside it, never taken for 0 (UI-125). */
function spent(state: Shown, t: ReturnType<typeof useApp>['t']): string {
  const known = price(state.spent_usd, t, state.estimated_cost_calls > 0);
  return state.unknown_cost_calls > 0 ? t('timeline.unknown', { cost: known, n: state.unknown_cost_calls }) : known;
}
