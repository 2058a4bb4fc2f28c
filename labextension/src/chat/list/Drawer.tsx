import { type RefObject, useEffect, useRef } from 'react';
import { useApp } from '../parts/context';
import { ConversationList } from './ConversationList';

interface Props {
  searchRef: RefObject<HTMLInputElement>;
  onClose: () => void;
}

/** The list over the chat in the narrow layout: modal, Escape and a press outside close it (UI-113, UI-114). */
export function Drawer({ searchRef, onClose }: Props): JSX.Element {
  const { t, layers } = useApp();
  const drawer = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    searchRef.current?.focus();
    return layers.push(() => close.current());
  }, [layers, searchRef]);
  return (
    <>
      <div className="crew-scrim" onPointerDown={onClose} />
      <div ref={drawer} className="crew-drawer" role="dialog" aria-modal="true" aria-label={t('panel.conversations')}>
        <ConversationList searchRef={searchRef} onChosen={onClose} search />
      </div>
    </>
  );
}
