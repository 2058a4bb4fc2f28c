import { type KeyboardEvent, useId, useState } from 'react';
import type { CommandView } from '../../shared/contract';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { type Hint, offered, STEER } from './keys';

const NONE: readonly CommandView[] = [];

/** What is offered now, and which of it is chosen. */
export interface HintState {
  offered: readonly Hint[];
  active: number;
  id: string;
  activeId: string;
  choose: (place: number) => void;
  dismiss: () => void;
}

/** Commands that may follow a slash: those of the kit, and `/steer` while the agent works (UI-51, KIT-12). */
export function useHints(text: string, busy: boolean): HintState {
  const app = useApp();
  const { t } = app;
  const id = useId();
  const agentId = useSelect(app.conversation, state => state.view.conversation?.agent_id ?? null);
  const commands = useSelect(
    app.agents,
    state => state.agents.find(one => (agentId === null ? one.master : one.id === agentId))?.commands ?? NONE
  );
  const [dismissed, setDismissed] = useState('');
  const [active, choose] = useState({ text: '', place: 0 });
  const steer: Hint[] = busy ? [{ name: STEER, hint: '', description: t('composer.steer_hint') }] : [];
  const all = [...steer, ...commands.map(one => ({ name: `/${one.name}`, hint: one.argument_hint, description: one.description }))];
  const found = dismissed === text ? [] : offered(text, all);
  const place = active.text === text ? Math.min(active.place, Math.max(0, found.length - 1)) : 0;
  return {
    offered: found,
    active: place,
    id,
    activeId: `${id}-${place}`,
    choose: next => choose({ text, place: next }),
    dismiss: () => setDismissed(text)
  };
}

/** Whether a key was meant for the list: arrows choose, Tab and Enter take, Escape closes. */
export function hintKey(event: KeyboardEvent, hints: HintState, take: (text: string) => void): boolean {
  const chosen = hints.offered[hints.active];
  return !held(event) && chosen !== undefined && act(event, hints, () => take(`${chosen.name} `));
}

function held({ nativeEvent, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || shiftKey || ctrlKey || metaKey || altKey;
}

function act(event: KeyboardEvent, hints: HintState, take: () => void): boolean {
  const { key } = event;
  if (key === 'Tab' || key === 'Enter') {
    take();
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const count = hints.offered.length;
    hints.choose((hints.active + (key === 'ArrowDown' ? 1 : count - 1)) % count);
  } else if (key === 'Escape') {
    event.stopPropagation();
    hints.dismiss();
  } else {
    return false;
  }
  return true;
}

/** What may follow a slash. */
export function Hints({ hints, onChoose }: { hints: HintState; onChoose: (text: string) => void }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-card crew-hints" role="listbox" id={hints.id} aria-label={t('composer.commands')}>
      {hints.offered.map((one, place) => (
        <div
          key={one.name}
          id={`${hints.id}-${place}`}
          role="option"
          aria-selected={place === hints.active}
          ref={place === hints.active ? element => element?.scrollIntoView?.({ block: 'nearest' }) : undefined}
          onPointerDown={event => {
            event.preventDefault();
            onChoose(`${one.name} `);
          }}
        >
          <code>
            {one.name}
            {one.hint ? <span className="crew-2"> {one.hint}</span> : null}
          </code>
          <span className="crew-2 crew-ell" title={one.description}>
            {one.description}
          </span>
        </div>
      ))}
    </div>
  );
}
