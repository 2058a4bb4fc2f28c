/** Deciding a request through the kernel (UI-159): the cards are those of the panel and the manager. */
import { failureOf } from '../../shared/api';
import type { Decider } from '../../shared/manage/approvals';
import { Store } from '../../shared/stores/store';
import type { Failure } from '../../shared/stores/types';
import type { LiveModel } from './model';
import type { Base } from './wire';

/** Decides one request; its buttons are off while a decision is on its way, and where no kernel is (UI-160). */
export class KernelDecider<S extends Base> extends Store<{ deciding: boolean; decisionFailure: Failure | null }> implements Decider {
  private asking = false;

  constructor(
    private readonly live: LiveModel<S>,
    private readonly id: string
  ) {
    super({ deciding: live.getSnapshot().kernel !== 'live', decisionFailure: null });
    live.subscribe(() => this.follow());
  }

  decide(decision: 'approve' | 'deny', always = false): Promise<void> {
    return this.say({ decision, always });
  }

  answer(labels: readonly string[], text: string): Promise<void> {
    return this.say({ labels, text });
  }

  skip(): Promise<void> {
    return this.say({ skip: true });
  }

  /** After a decision the buttons stay off: the card goes with the state that tells of it. */
  private async say(what: Record<string, unknown>): Promise<void> {
    if (this.getSnapshot().deciding) {
      return;
    }
    this.asking = true;
    this.set({ deciding: true, decisionFailure: null });
    try {
      await this.live.ask('decide', { approval: this.id, ...what });
    } catch (error) {
      this.asking = false;
      this.set({ deciding: this.live.getSnapshot().kernel !== 'live', decisionFailure: failureOf(error) });
    }
  }

  private follow(): void {
    const now = this.getSnapshot();
    const deciding = this.asking || this.live.getSnapshot().kernel !== 'live';
    if (deciding !== now.deciding) {
      this.set({ ...now, deciding });
    }
  }
}
