import { hueOf } from './hue';

/** The initial of an agent on the colour of its id (UI-124). The name always stands beside it. */
export function Avatar({ id, name, size }: { id: string; name: string; size?: 'l' | 'xl' }): JSX.Element {
  const letter = [...name.trim()][0] ?? '?';
  return (
    <span className={size ? `crew-av ${size}` : 'crew-av'} aria-hidden="true" style={{ '--h': `var(--crew-h${hueOf(id)})` } as React.CSSProperties}>
      {letter.toLocaleUpperCase()}
    </span>
  );
}
