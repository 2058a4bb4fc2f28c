import { memo } from 'react';
import { type IconName, svgs } from './svgs';

export type { IconName } from './svgs';

/** A line icon in the colour of the text around it. It never speaks: the control around it has the name. */
export const Icon = memo(function Icon({ name, size }: { name: IconName; size?: 's' | 'xs' }): JSX.Element {
  return <span className={size ? `crew-i ${size}` : 'crew-i'} aria-hidden="true" dangerouslySetInnerHTML={{ __html: svgs[name] }} />;
});
