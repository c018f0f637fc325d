/**
 * Evidence from a venue's books about orders whose end its lookups do not show. Some venues deny existing orders, so a
 * denial alone never frees a quantity: the order must be missing among the open orders and in the history, and the
 * venue's position must match without it.
 */
import { dec, sum } from '../../domain/decimal.ts';
import type { Order, TradeAccount } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import { SharedReading } from '../../domain/shared-reading.ts';
import { netOfLots } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { VenueFill } from '../ports/venue.ts';
import { venueAccount, venueOf } from './ask-venue.ts';
import { attemptIds } from './order-ref.ts';
import type { Evidence } from './settling-order.ts';

/** Client order ids at rest and quantities held; null: the venue did not answer. */
type Books = {
  readonly resting: ReadonlySet<string | null>;
  readonly held: ReadonlyMap<string, string>;
} | null;

export class OrderEvidence {
  readonly #deps: EngineDeps;
  readonly #pull: (account: TradeAccount) => Promise<boolean>;
  /** Readings by account and venue name. Baskets share them, because they use up most of a venue's limit. */
  readonly #books = new Map<string, SharedReading<Books>>();

  constructor(deps: EngineDeps, pull: (account: TradeAccount) => Promise<boolean>) {
    this.#deps = deps;
    this.#pull = pull;
  }

  /**
   * @param orders of one account, all past their expiry; one answer each, in order
   * @param known trade ids that the baskets contain
   */
  async of(
    account: TradeAccount,
    orders: readonly Order[],
    known: ReadonlySet<string>,
  ): Promise<readonly Evidence[]> {
    const books = await this.#booksOf(account).ask();
    if (books === null) return orders.map(() => 'unread');
    const { resting, held } = books;
    return orders.map((order) => {
      if (resting.has(order.clientOrderId ?? '')) return 'undecided';
      return this.#explains(order, orders, known, held.get(order.symbol) ?? '0');
    });
  }

  #booksOf(account: TradeAccount): SharedReading<Books> {
    const key = `${account.id} ${account.exchangeIdentifier}`;
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    const books = new SharedReading(() => this.#read(account));
    this.#books.set(key, books);
    return books;
  }

  async #read(account: TradeAccount): Promise<Books> {
    const venue = venueOf(this.#deps, account.connector);
    const atVenue = venueAccount(account);
    // In sequence, without useless requests: a rate-limited venue may refuse the second, and a retry of all would never
    // end. An order that no longer rests has filled before, so the history has its fill, which then counts as known.
    const open = await venue.openOrders(atVenue);
    if (!open.ok || !(await this.#pull(account))) return null;
    const positions = await venue.positions(atVenue);
    if (!positions.ok) return null;
    return {
      resting: new Set(open.value.map(({ clientOrderId }) => clientOrderId)),
      held: new Map(positions.value.map(({ symbol, quantity }) => [symbol, quantity])),
    };
  }

  /** Compares the venue's position with the sum of baskets, holdings outside baskets and known fills. */
  #explains(order: Order, denied: readonly Order[], known: ReadonlySet<string>, venue: string): Evidence {
    const { state } = this.#deps;
    const { tradeAccountId, symbol } = order;
    const legs = state.positions
      .of(tradeAccountId)
      .flatMap((position) => position.legs.filter((leg) => leg.symbol === symbol));
    const own = denied.filter((one) => one.symbol === symbol);
    const told = own.flatMap(attemptIds).flatMap((id) => state.liveOrders.report(id).fills);
    const fills = distinct(told).filter(({ tradeId }) => !known.has(tradeId));
    const explained = sum(legs.map(signedQuantity))
      .plus(netOfLots(state.unassigned.of(tradeAccountId, symbol)))
      .plus(sum(fills.map((fill) => (fill.side === 'BUY' ? dec(fill.quantity) : dec(fill.quantity).neg()))));
    const gap = dec(venue).minus(explained);
    if (gap.isZero()) return 'absent';
    const others = state.flights.of(
      tradeAccountId,
      symbol,
      own.map(({ clientOrderId }) => clientOrderId ?? ''),
    );
    // Other orders of the instrument are at the venue: the difference may come from them.
    const isTheirs = gap.gte(others.low) && gap.lte(others.high);
    return isTheirs ? 'undecided' : 'contradicted';
  }
}

function distinct(fills: readonly VenueFill[]): readonly VenueFill[] {
  return [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()];
}
