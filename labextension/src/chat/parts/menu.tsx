import { type ReactNode, useRef, useState } from 'react';
import type { Layers } from '../../shared/layers';
import { moveFocus } from '../list/move';
import { IconButton } from './controls';
import { useLayer } from './hooks';

interface Props {
  layers: Layers;
  label: string;
  /** Of the place that holds button and menu. */
  className: string;
  /** Of the button alone. */
  buttonClassName?: string;
  /** The entries, each a button of the role `menuitem` or `menuitemcheckbox`. */
  children: (close: () => void) => ReactNode;
}

/** A button with three dots and the menu that it opens; closing gives the focus back (UI-22). */
export function Menu({ layers, label, className, buttonClassName, children }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useLayer(layers, open, close, [button, menu]);
  return (
    <span className={className} onClick={event => event.stopPropagation()}>
      <IconButton
        ref={button}
        icon="dots"
        className={buttonClassName}
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open ? (
        <div ref={menu} className="crew-card crew-menu" role="menu" aria-label={label} onKeyDown={event => moveFocus(event, menu.current, '[role^="menuitem"]')}>
          {children(close)}
        </div>
      ) : null}
    </span>
  );
}
