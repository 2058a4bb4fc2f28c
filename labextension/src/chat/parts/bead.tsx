import { memo } from 'react';
import { Icon } from './icon';

/** Shape tells the kind, colour the state (guide section 4). */
export type BeadKind = 'model' | 'tool' | 'run' | 'error' | 'fallback' | 'escalation' | 'steer' | 'note' | 'wait' | 'compaction';

/** The mark of a step; `free` stands in a row instead of on the rail. */
export const Bead = memo(function Bead({ kind, free }: { kind: BeadKind; free?: boolean }): JSX.Element {
  return (
    <span className={`crew-bead ${kind}${free ? ' free' : ''}`} aria-hidden="true">
      {kind === 'error' ? <Icon name="close" /> : null}
    </span>
  );
});
