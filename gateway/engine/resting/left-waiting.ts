/**
 * Cancels the pending orders of a disconnected agent. Orders that could open or enlarge a position are cancelled as the
 * user would cancel them: opening triggers, ladders, opening schedules, trading rebalances. Closing orders stay
 * (take-profits, stop-losses, closing triggers and schedules): they protect positions that are still open.
 *
 * The revocation is on disk first, with a note that the grant's orders will be cancelled. From then on the grant opens
 * nothing (`may-open.ts`). If the process dies in between, the next start cancels the rest.
 */
import type { TradeAccount } from '../../domain/model.ts';
import type { OAuthGrant } from '../../domain/oauth.ts';
import type { Result } from '../../domain/result.ts';
import type { EngineError } from '../core/errors.ts';
import type { RestingStore, WaitingOpenings, WaitingThing } from '../ports/store.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { RestingServices } from './resting-services.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

export type WaitingCounts = { readonly [Kind in keyof WaitingOpenings]: number };

export interface LeftWaitingParts {
  readonly store: Pick<RestingStore, 'waitingOpenings'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accountOf: (id: string) => TradeAccount | undefined;
  readonly services: Pick<RestingServices, 'triggers' | 'schedules' | 'ladders' | 'rebalances'>;
}

/** Grants, as far as `LeftWaiting` uses them. */
export interface RevokedGrants {
  onRevoked(cancel: (grant: OAuthGrant) => Promise<void>): void;
  toBeCancelled(): readonly OAuthGrant[];
  /** Records that the grant has no pending order any more. False: the record could not be written. */
  cancelled(grantId: string): Promise<boolean>;
}

export class LeftWaiting {
  readonly #parts: LeftWaitingParts;
  readonly #grants: RevokedGrants;
  #isStopping = false;

  constructor(parts: LeftWaitingParts, grants: RevokedGrants) {
    this.#parts = parts;
    this.#grants = grants;
    grants.onRevoked(({ id }) => this.#end(id));
  }

  /** Cancels the orders that the previous process did not reach. To be called at start. */
  start(): void {
    for (const { id } of this.#grants.toBeCancelled()) void this.#end(id);
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Number of orders that disconnecting the agent would cancel. */
  async count(grantId: string): Promise<WaitingCounts> {
    const { triggers, ladders, schedules, autoRebalances } = await this.#parts.store.waitingOpenings(grantId);
    return {
      triggers: triggers.length,
      ladders: ladders.length,
      schedules: schedules.length,
      autoRebalances: autoRebalances.length,
    };
  }

  /**
   * Resolves after the first pass over the grant's orders. Orders that could not be cancelled are retried until they
   * are.
   */
  async #end(grantId: string): Promise<void> {
    if (!(await this.#pass(grantId))) void this.#goOn(grantId);
  }

  async #goOn(grantId: string): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !this.#isStopping; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      await this.#parts.clock.sleep(wait);
      if (this.#isStopping || (await this.#pass(grantId))) return;
    }
  }

  /** True: no order is left to cancel, and this is on disk. */
  async #pass(grantId: string): Promise<boolean> {
    try {
      await this.#cancel(await this.#parts.store.waitingOpenings(grantId));
      const left = await this.count(grantId);
      const isDone = Object.values(left).every((count) => count === 0);
      if (!isDone)
        this.#parts.logger.warn({ grantId, left }, 'What an agent left waiting is not cancelled yet');
      return isDone && (await this.#grants.cancelled(grantId));
    } catch (error) {
      if (!this.#isStopping)
        this.#parts.logger.error(
          { err: error, grantId },
          'What an agent left waiting could not be cancelled',
        );
      return this.#isStopping;
    }
  }

  async #cancel(waiting: WaitingOpenings): Promise<void> {
    const { triggers, ladders, schedules, rebalances } = this.#parts.services;
    await triggers.cancelMany(waiting.triggers.map(({ id }) => id));
    await this.#each(waiting.ladders, (account, id) => ladders.cancel(account, id));
    await this.#each(waiting.schedules, (account, id) => schedules.cancel(account, id));
    await this.#each(waiting.autoRebalances, (account, id) => rebalances.end(account, id));
  }

  /**
   * An order that ended by itself needs no cancelling. One that could not be cancelled is found again by the next
   * pass.
   */
  async #each(
    things: readonly WaitingThing[],
    cancel: (account: TradeAccount, id: string) => Promise<Result<unknown, EngineError>>,
  ): Promise<void> {
    for (const { id, tradeAccountId } of things) {
      const account = this.#parts.accountOf(tradeAccountId);
      if (account !== undefined) await cancel(account, id);
    }
  }
}
