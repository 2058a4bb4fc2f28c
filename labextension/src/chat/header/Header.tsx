import { type RefObject, useRef, useState } from 'react';
import { useApp } from '../parts/context';
import { IconButton, Meter } from '../parts/controls';
import { price } from '../parts/figures';
import { useSelect, useStore } from '../parts/hooks';
import { Icon, type IconName } from '../parts/icon';
import { Pop } from '../parts/pop';
import { CrewCard } from './CrewCard';
import { shareOf } from './cap';
import { OptionsCard } from './OptionsCard';
import { SpendingCard } from './SpendingCard';

type Card = 'spending' | 'options' | 'crew';

interface Props {
  wide: boolean;
  menu: RefObject<HTMLButtonElement>;
  drawer: boolean;
  onMenu: () => void;
}

/** Title and three pills (UI-18); in the narrow layout also the menu, in the panel the way to the main area. */
export function Header({ wide, menu, drawer, onMenu }: Props): JSX.Element {
  const app = useApp();
  const { t } = app;
  const title = useSelect(app.conversation, state => state.view.conversation?.title ?? '');
  const back = useSelect(app.conversation, state => state.back);
  const fork = useSelect(app.conversation, state => state.view.conversation?.forked_from ?? null);
  const original = useSelect(app.list, state => state.conversations.find(one => one.id === fork?.id)?.title ?? null); // UI-24
  const waiting = useSelect(app.activity, state => state.view.pending > 0);
  const name = <h2 className="crew-title crew-ell crew-grow">{title || t('panel.untitled')}</h2>;
  const branched = fork ? (
    <button type="button" className="crew-link crew-sm crew-ell" onClick={() => app.conversation.open(fork.id)}>
      {original !== null ? t('head.branched', { title: original || t('panel.untitled') }) : t('head.branched_unknown')}
    </button>
  ) : null;
  const goBack = back ? <IconButton icon="undo" label={t('panel.back', { title: t('panel.conversations') })} onClick={() => app.conversation.goBack()} /> : null;
  if (wide) {
    return (
      <header className="crew-head wide">
        {goBack}
        {name}
        {branched}
        <Pills />
        <ToManager />
      </header>
    );
  }
  return (
    <header className="crew-head">
      <div className="crew-row">
        <IconButton ref={menu} icon="menu" label={waiting ? t('panel.conversations_waiting') : t('panel.conversations')} aria-expanded={drawer} onClick={onMenu}>
          {waiting ? <span className="crew-dot warn" /> : null}
        </IconButton>
        {goBack}
        {name}
        <IconButton icon="plus" label={t('panel.new')} onClick={() => app.conversation.open(null)} />
        <ToManager />
        {app.place === 'panel' ? <IconButton icon="open" label={t('panel.main')} onClick={() => app.execute('crewlab:open-chat-main')} /> : null}
      </div>
      <div className="crew-row pills">
        <Pills />
      </div>
      {branched ? <div className="crew-branched">{branched}</div> : null}
    </header>
  );
}

/** Opens the manager: at the approvals while a request waits (UI-77). */
function ToManager(): JSX.Element {
  const app = useApp();
  const waiting = useSelect(app.activity, state => state.view.pending);
  const label = waiting > 0 ? app.t('manage.open_waiting', { n: waiting }) : app.t('manage.open');
  return (
    <IconButton icon="activity" label={label} onClick={() => app.execute('crewlab:open-manager', waiting > 0 ? { section: 'approvals' } : {})}>
      {waiting > 0 ? <span className="crew-dot warn" /> : null}
    </IconButton>
  );
}

function Pills(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [open, setOpen] = useState<Card | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const spent = useSelect(app.conversation, state => state.view.spent_usd);
  const cap = useSelect(app.conversation, state => state.view.conversation?.cost_cap_usd ?? null);
  const own = useSelect(app.agents, state => state.agents.find(agent => agent.master)?.cost_cap_usd ?? 0);
  const count = useStore(app.agents).agents.length;
  const limit = cap ?? own;
  const figure = limit > 0 ? t('head.spent', { spent: price(spent, t), cap: price(limit, t) }) : price(spent, t);
  const turn = (card: Card, button: HTMLElement): void => {
    opener.current = button;
    setOpen(open === card ? null : card);
  };
  const close = (): void => setOpen(null);
  return (
    <>
      <Pill card="spending" open={open} label={t('head.spending', { text: figure })} onTurn={turn}>
        <Meter share={shareOf(spent, limit)} text={figure} />
        <span className="crew-num">
          {price(spent, t)}
          {limit > 0 ? <span className="cap"> {t('head.cap', { cap: price(limit, t) })}</span> : null}
        </span>
      </Pill>
      <Pill card="options" open={open} label={t('head.options')} onTurn={turn} icon="sliders">
        <span className="word">{t('head.options')}</span>
      </Pill>
      <Pill card="crew" open={open} label={t('head.crew', { n: count })} onTurn={turn} icon="crew">
        <span>
          <span className="word">{t('head.crew_word')}</span> {count}
        </span>
      </Pill>
      {open === 'spending' ? (
        <Pop label={t('head.spending', { text: figure })} opener={opener} onClose={close}>
          <SpendingCard />
        </Pop>
      ) : null}
      {open === 'options' ? (
        <Pop label={t('head.options')} opener={opener} onClose={close}>
          <OptionsCard />
        </Pop>
      ) : null}
      {open === 'crew' ? (
        <Pop label={t('head.crew', { n: count })} opener={opener} onClose={close}>
          <CrewCard />
        </Pop>
      ) : null}
    </>
  );
}

interface PillProps {
  card: Card;
  open: Card | null;
  label: string;
  icon?: IconName;
  onTurn: (card: Card, button: HTMLElement) => void;
  children: React.ReactNode;
}

function Pill({ card, open, label, icon, onTurn, children }: PillProps): JSX.Element {
  return (
    <button type="button" className={`crew-pill ${card}`} aria-haspopup="dialog" aria-expanded={open === card} aria-label={label} title={label} onClick={event => onTurn(card, event.currentTarget)}>
      {icon ? <Icon name={icon} size="s" /> : null}
      {children}
    </button>
  );
}
