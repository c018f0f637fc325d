/**
 * Suspends holders of mandates that are out of control, by the rules of their mandate (`domain/runaway.ts`), at each
 * refusal and position change. Observations are in memory only and start again with the process and after a resumption.
 * The suspension is on disk.
 */
import { dec, sum } from '../../domain/decimal.ts';
import type { Execution, Position } from '../../domain/model.ts';
import {
  type Conduct,
  NO_CONDUCT,
  runawayOf,
  withFees,
  withRefusal,
  withTurn,
} from '../../domain/runaway.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { FollowUp } from '../core/follow-ups.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';

export class Runaways {
  readonly #deps: Pick<EngineDeps, 'warden' | 'clock' | 'state' | 'followUps'>;
  /** Holder → observations of its conduct. */
  readonly #seen = new Map<string, Conduct>();

  constructor(deps: Pick<EngineDeps, 'warden' | 'clock' | 'state' | 'followUps'>) {
    this.#deps = deps;
  }

  /** Follows refusals and positions. To be called before executions of the previous process continue. */
  load(): void {
    const { warden, followUps } = this.#deps;
    warden.onRefused((bound) => this.#note(bound, withRefusal));
    followUps.onPositionChanged((next, cause) => this.#changed(next, cause));
  }

  #changed(next: Position, cause: Execution | null): FollowUp | null {
    const bound = cause === null ? null : this.#deps.warden.of(cause);
    if (bound?.mandate.runaway === undefined) return null;
    const before = this.#deps.state.positions.get(next.id);
    const fees = feesOf(next).minus(before === undefined ? 0 : feesOf(before));
    const basket = `${next.tradeAccountId} ${next.basketKey}`;
    const event = next.status === 'CLOSED' ? 'closed' : before === undefined ? 'opened' : null;
    return {
      unit: {},
      committed: () =>
        this.#note(bound, (conduct, now) => {
          const paid = withFees(conduct, fees, now);
          return event === null ? paid : withTurn(paid, basket, event, now);
        }),
    };
  }

  #note(bound: BoundMandate, change: (conduct: Conduct, now: number) => Conduct): void {
    const { warden, clock } = this.#deps;
    const { runaway } = bound.mandate;
    if (runaway === undefined) return;
    const now = clock.uptime();
    const keys = warden.keysOf(bound);
    const [own = ''] = keys;
    this.#seen.set(own, change(this.#seen.get(own) ?? NO_CONDUCT, now));
    const reason = runawayOf(
      runaway,
      keys.map((key) => this.#seen.get(key) ?? NO_CONDUCT),
      now,
    );
    if (reason === null) return;
    // After a resumption by the user, only later conduct counts.
    for (const key of keys) this.#seen.delete(key);
    warden.suspend(bound, reason);
  }
}

function feesOf({ legs }: Position) {
  return sum(legs.map(({ feesPaid }) => dec(feesPaid)));
}
