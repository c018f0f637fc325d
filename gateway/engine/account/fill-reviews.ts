/**
 * Fills whose trade id the venue has used for another trade before: the venue lost its history and restarted its trade
 * numbers.
 *
 * Such a fill did happen: its order ends, its position takes it, and the account's sums count it. It is recorded under
 * an id that the gateway makes, and is under review until somebody has compared the account with the venue. A fill
 * reported twice with the same content stays one trade.
 */
import { createHash } from 'node:crypto';
import { dec, text } from '../../domain/decimal.ts';
import { contentOf, type FillReview, isSameFill, reviewedId } from '../../domain/fill-review.ts';
import type { Fill, TradeAccount } from '../../domain/model.ts';
import { historyLostNotification } from '../../domain/notification.ts';
import { ok, type Result } from '../../domain/result.ts';
import { lotOf, type UnassignedLot } from '../../domain/unassigned.ts';
import type { AmendedUnit } from '../core/deps.ts';
import { type EngineError, storeFailed } from '../core/errors.ts';
import type { UnassignedLots } from '../core/unassigned-lots.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { notice } from '../notices/notify.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids, Logger } from '../ports/system.ts';
import type { FillChange, UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueFill } from '../ports/venue.ts';

/** Problem code of accounts with a fill under review, in `/ready` and in notifications. */
export const VENUE_HISTORY_LOST = 'VENUE_HISTORY_LOST' as const;

export interface FillReviewDeps {
  readonly store: Pick<Store, 'commit' | 'fillReviews' | 'fillsByTradeId'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly accountOf: (id: string) => TradeAccount | undefined;
  readonly lots: Pick<UnassignedLots, 'lot' | 'put'>;
}

export class FillReviews {
  readonly #deps: FillReviewDeps;
  /** Open reviews by id. */
  readonly #open = new Map<string, FillReview>();

  constructor(deps: FillReviewDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const review of await this.#deps.store.fillReviews()) this.#open.set(review.id, review);
  }

  /** Open reviews of all accounts, oldest first. */
  get all(): readonly FillReview[] {
    return [...this.#open.values()];
  }

  of(tradeAccountId: string): readonly FillReview[] {
    return this.all.filter((review) => review.tradeAccountId === tradeAccountId);
  }

  /** The account's problem in words; null: no fill of the account is under review. */
  problemOf(tradeAccountId: string): string | null {
    const count = this.of(tradeAccountId).length;
    if (count === 0) return null;
    const fills = count === 1 ? 'a fill' : `${count} fills`;
    return `${VENUE_HISTORY_LOST}: the venue gave ${fills} the id of an earlier one. They are counted; compare positions and balance with the venue, then resolve`;
  }

  /** @param ids reviews to resolve, null: all of the account's. Ids of reviews that are not open are ignored. */
  async resolve(
    account: TradeAccount,
    ids: readonly string[] | null,
  ): Promise<Result<readonly FillReview[], EngineError>> {
    const open = this.of(account.id).filter(({ id }) => ids === null || ids.includes(id));
    if (open.length === 0) return ok([]);
    const resolvedAt = this.#deps.clock.now();
    const fillReviews = open.map((review) => ({ ...review, resolvedAt }));
    const committed = await this.#deps.store.commit({ fillReviews });
    if (!committed.ok) return storeFailed(committed.error);
    for (const { id } of open) this.#open.delete(id);
    return ok(fillReviews);
  }

  /**
   * Amends a unit that the store refused because a key existed already. Fills whose trade id belongs to another trade
   * get an id of their own and come under review. A fill recorded without a position gets its position. null: the unit
   * has no such fill.
   */
  async amend(unit: UnitOfWork): Promise<AmendedUnit | null> {
    const fills = unit.fills ?? [];
    const [first] = fills;
    if (first === undefined) return null;
    const recorded = await this.#recorded(fills);
    const kept: Fill[] = [];
    const taken: FillChange[] = [];
    const reviews: FillReview[] = [];
    const unassignedLots: UnassignedLot[] = [];
    for (const fill of fills) {
      const known = recorded.get(fill.tradeId);
      if (known === undefined) kept.push(fill);
      else if (!isSameFill(contentOf(fill), contentOf(known))) {
        const renamed = { ...fill, tradeId: reviewedId(fill.tradeId, digest(fill, fill.cloid)) };
        kept.push(renamed);
        reviews.push(this.#review(fill, renamed.tradeId, known));
      } else if (known.positionId === null && known.executionId === null) {
        const { id, timestamp, realizedPnl } = known;
        const owned = { ...fill, id, timestamp };
        taken.push({ fill: owned, realizedBefore: realizedPnl });
        if (owned.positionId !== null) unassignedLots.push(this.#withoutFill(owned));
      } else return null;
    }
    if (reviews.length + taken.length === 0) return null;
    const amended = oneUnit(
      { ...unit, fills: kept },
      { fillReviews: reviews, changedFills: taken, unassignedLots },
      this.#notice(reviews),
    );
    return {
      unit: amended,
      committed: () => {
        this.#deps.lots.put(unassignedLots);
        for (const review of reviews) {
          this.#open.set(review.id, review);
          this.#deps.logger.error(
            { ...review },
            'the venue gave a trade the id of another one: it is recorded under review',
          );
        }
      },
    };
  }

  async #recorded(fills: readonly Fill[]): Promise<ReadonlyMap<string, Fill>> {
    const accounts = [...new Set(fills.map(({ tradeAccountId }) => tradeAccountId))];
    const found = await Promise.all(
      accounts.map((id) => {
        const own = fills.filter(({ tradeAccountId }) => tradeAccountId === id);
        return this.#deps.store.fillsByTradeId(
          id,
          own.map(({ tradeId }) => tradeId),
        );
      }),
    );
    return new Map(found.flat().map((fill) => [fill.tradeId, fill]));
  }

  /**
   * The lot of the fill less the whole fill, which a basket now owns. A part that a closing basket took before leaves
   * a lot on the opposite side.
   */
  #withoutFill(fill: Fill): UnassignedLot {
    const whole = lotOf(fill, 'OUTSIDE');
    const left = this.#deps.lots.lot(fill.tradeAccountId, fill.symbol, fill.id)?.quantity ?? '0';
    return { ...whole, quantity: text(dec(left).minus(whole.quantity)) };
  }

  #review(fill: Fill, recordedAs: string, known: Fill): FillReview {
    const { tradeAccountId, connector, tradeId, executionId } = fill;
    return {
      id: this.#deps.ids.next(),
      ...{ tradeAccountId, connector, tradeId, recordedAs, executionId },
      ...tradeOf(fill),
      known: tradeOf(known),
      createdAt: this.#deps.clock.now(),
      resolvedAt: null,
    };
  }

  /**
   * @param ids reviews to resolve; null: all open reviews of the account. Ids of reviews that are not open are
   * ignored.
   */
  #notice(reviews: readonly FillReview[]): UnitOfWork {
    const accounts = [...new Set(reviews.map(({ tradeAccountId }) => tradeAccountId))].flatMap((id) => {
      const account = this.of(id).length > 0 ? undefined : this.#deps.accountOf(id);
      return account === undefined ? [] : [account];
    });
    return oneUnit(
      ...accounts.map(({ id, userId, connector }) => {
        const reason =
          'The venue gave a trade the id of an earlier one: its history is not the one that is kept here. The trade is counted';
        return notice(
          this.#deps,
          historyLostNotification({ tradeAccountId: id, connector }, reason),
          userId,
          [id],
        );
      }),
    );
  }
}

function tradeOf({ symbol, side, price, quantity, timestamp }: Fill): FillReview['known'] {
  return { symbol, side, price, quantity, timestamp };
}

/** Id under which a venue's fill is recorded if its trade id already belongs to another trade. */
export function reviewedIdOf(fill: VenueFill, tradeId = fill.tradeId): string {
  return reviewedId(tradeId, digest(fill, fill.clientOrderId));
}

/**
 * Digest of a fill without quantity and time, so that it is the same for parts of one trade and for one trade
 * reported by two sources.
 */
function digest(
  fill: Pick<Fill, 'venueOrderId' | 'symbol' | 'side' | 'price'>,
  clientOrderId: string | null,
): string {
  const { venueOrderId, symbol, side, price } = fill;
  const content = JSON.stringify([venueOrderId, clientOrderId, symbol, side, text(dec(price))]);
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
