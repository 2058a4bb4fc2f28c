import { forwardRef, type ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** Name and tooltip (guide section 11). */
  label: string;
}

/** A button that is only an icon; its name is also its tooltip. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton({ icon, label, className, children, ...rest }, ref) {
  return (
    <button ref={ref} type="button" className={className ? `crew-ib ${className}` : 'crew-ib'} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
      {children}
    </button>
  );
});

interface SwitchProps {
  on: boolean;
  label: string;
  describedBy?: string;
  onChange: (on: boolean) => void;
}

/** A switch; its state is spoken and drawn by place as well as colour. */
export function Switch({ on, label, describedBy, onChange }: SwitchProps): JSX.Element {
  return <button type="button" role="switch" className="crew-sw" aria-checked={on} aria-label={label} aria-describedby={describedBy} onClick={() => onChange(!on)} />;
}

interface MeterProps {
  /** 0 to 1; more counts as full. */
  share: number;
  text: string;
  large?: boolean;
  /** Whether what is full has a colour of its own. */
  ends?: boolean;
}

const WARN_FROM = 0.8; // guide section 5, spending card

/** A thin bar with its figure as text for screen readers. */
export function Meter({ share, text, large, ends }: MeterProps): JSX.Element {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span className={large ? 'crew-bar l' : 'crew-bar'} role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-valuetext={text} aria-label={text}>
      <span className={ends && share >= 1 ? 'e' : share >= WARN_FROM ? 'w' : undefined} style={{ width: `${percent}%` }} />
    </span>
  );
}
