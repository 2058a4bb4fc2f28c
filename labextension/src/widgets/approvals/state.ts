/** The state of `Approvals` as its kernel side makes it (`crewlab/widgets/approvals.py`). */
import type { Approval } from '../../shared/contract';
import type { Named } from '../live/app';
import type { Base } from '../live/wire';

export interface Shown extends Base {
  pending: Approval[];
  /** Requests that wait and for which there was no room yet. */
  hidden: number;
  /** The newest last. */
  decided: Approval[];
  agents: Named[];
}
