/**
 * Requests that Hyperliquid allows an account over its life: 10,000 and one for each USDC that it has traded; beyond
 * them one in ten seconds. The venue is asked for the remainder; requests sent in between are counted here.
 */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { Budget, Cost, Lane } from '../kit/budget.ts';

/** Requests that opening orders leave to closes and cancels. */
const KEPT_FOR_CLOSES = 100;
const PER_SECOND = 0.1;
const ASK_EVERY_MS = 5 * 60_000;
/** Retry delay of the question. It weighs 20, so that no burst of refusals may repeat it. */
const ASK_AGAIN_MS = 10_000;

export interface RequestLimits {
  /** Asks for the remainder, now and repeatedly; until the first answer nothing is held back. */
  follow(user: string): Unsubscribe;
  /** Cost of an action besides that of the network address. A close never waits for it: the venue decides. */
  costOf(lane: Lane, user: string | null, legs: number): Cost;
  /** The action was let through. */
  sent(lane: Lane, user: string | null, legs: number): void;
  /**
   * Remaining requests, if too few for an opening order, and the time at which they suffice again (epoch ms); null:
   * they suffice, or nobody knows.
   */
  shortage(user: string): { readonly left: number; readonly until: number } | null;
  /** Asks the venue, because the account seems to have too few requests left. */
  lacking(user: string): void;
}

export function createRequestLimits(options: {
  readonly budget: Budget;
  readonly clock: Clock;
  /** null: no answer. */
  readonly ask: (user: string) => Promise<{ readonly used: number; readonly cap: number } | null>;
}): RequestLimits {
  const { budget, clock } = options;
  /** Uptime of the last question, by the account. */
  const followed = new Map<string, number>();
  const bucketOf = (user: string) => `requests ${user}`;

  async function ask(user: string): Promise<void> {
    followed.set(user, clock.uptime());
    const told = await options.ask(user);
    if (told === null || !followed.has(user)) return;
    const { used, cap } = told;
    const size = { capacity: cap, perSecond: PER_SECOND, limit: cap, keptForCloses: KEPT_FOR_CLOSES };
    budget.addBucket(bucketOf(user), size);
    budget.observe(bucketOf(user), used, cap);
  }

  return {
    follow(user) {
      let cancel: Unsubscribe = () => {};
      const round = () => {
        cancel = clock.after(ASK_EVERY_MS, round);
        void ask(user);
      };
      round();
      return () => {
        cancel();
        followed.delete(user);
        budget.removeBucket(bucketOf(user));
      };
    },
    costOf: (lane, user, legs) => (lane === 'close' || user === null ? {} : { [bucketOf(user)]: legs }),
    sent(lane, user, legs) {
      if (lane === 'close' && user !== null) budget.count(bucketOf(user), legs);
    },
    shortage(user) {
      const left = budget.level(bucketOf(user));
      const missing = left === null ? 0 : KEPT_FOR_CLOSES + 1 - left;
      if (left === null || missing <= 0) return null;
      return { left: Math.floor(left), until: Math.ceil(clock.now() + (missing / PER_SECOND) * 1_000) };
    },
    lacking(user) {
      const askedAt = followed.get(user);
      if (askedAt !== undefined && clock.uptime() - askedAt >= ASK_AGAIN_MS) void ask(user);
    },
  };
}
