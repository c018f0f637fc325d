/** Orders meet the book: the best price first, the script's level before an account's order at the same price. */
import { Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { sizeOf } from './margin.ts';
import type { Account, Market, Order } from './parts.ts';
import { World } from './world.ts';

/** null: somebody without an account stands behind the script's level. */
export interface Trade<M extends Market, O extends Order> {
  readonly market: M;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly takerIsBuy: boolean;
  readonly taker: O | null;
  readonly maker: O | null;
}

export type TradeKind = 'trade' | 'liquidation' | 'deleverage' | 'market-settlement';

/** A trade of an account that none of its orders here caused. */
export interface ForcedTrade {
  readonly kind: TradeKind;
  readonly isBuy: boolean;
  readonly price: Decimal;
  readonly size: Decimal;
}

/** The venue's words for ends of orders. */
interface Words {
  readonly selfTrade: string;
  readonly reduceOnly: string;
  readonly liquidation: string;
}

export abstract class Exchange<
  M extends Market,
  A extends Account<M>,
  O extends Order<M, A>,
  Event extends { readonly kind: string },
> extends World<M, A, O, Event> {
  protected abstract readonly words: Words;

  /** Books a trade: positions, money, fees, history and the news of it. */
  protected abstract trade(trade: Trade<M, O>): void;
  protected abstract bookForced(account: A, market: M, forced: ForcedTrade): void;
  /** State of an order that ends at once. @param isCut true: it filled, but for what a reduce-only order must not fill */
  protected abstract endAtOnce(order: O, isCut: boolean, hadRoom: boolean): string;

  /** Sets the order's state and tells it. */
  settle(order: O, status: string): void {
    this.orders.mark(order, status, this.now());
    this.emit({ kind: 'order', order, status });
  }

  cancel(order: O, status = 'canceled'): void {
    this.book(order.market).remove(order);
    this.settle(order, status);
    this.emit({ kind: 'market', market: order.market });
  }

  force(account: A, market: M, forced: ForcedTrade): void {
    this.bookForced(account, market, forced);
    this.dropIdleReducers(account, market);
  }

  /** The venue closes a position, whatever its owner wants. @param close `size` null: all of it */
  closePosition(
    account: A,
    market: M,
    { kind, price, size }: Omit<ForcedTrade, 'isBuy' | 'size'> & { readonly size: Decimal | null },
  ): void {
    if (kind === 'liquidation') {
      for (const order of this.orders.open(account)) this.cancel(order, this.words.liquidation);
    }
    const held = sizeOf(account, market);
    this.force(account, market, { kind, isBuy: held.isNegative(), price, size: size ?? held.abs() });
  }

  wouldMatch({ market, isBuy, limitPx }: Pick<O, 'market' | 'isBuy' | 'limitPx'>): boolean {
    const [best] = this.book(market).levels(!isBuy);
    return best !== undefined && (isBuy ? best.px.lte(limitPx) : best.px.gte(limitPx));
  }

  /** Matches an order that was checked; what then is left rests or is cancelled. */
  protected enter(order: O): void {
    const { market, owner } = order;
    const book = this.book(market);
    const hadRoom = book.levels(!order.isBuy).length > 0;
    // A reduce-only order is cut to the position.
    if (order.reduceOnly) order.sz = Decimal.min(order.sz, sizeOf(owner, market).abs());
    const cut = order.origSz.minus(order.sz);
    this.#match(order);
    book.refill();
    const isFilled = order.sz.isZero();
    if (!isFilled && order.rests) {
      book.add(order);
      this.settle(order, 'open');
    } else {
      order.sz = order.sz.plus(cut);
      this.settle(order, order.sz.isZero() ? 'filled' : this.endAtOnce(order, isFilled, hadRoom));
    }
    this.emit({ kind: 'market', market });
    this.dropIdleReducers(owner, market);
  }

  /** Orders that rest and that the script's new levels cross are filled at their own price, as makers. */
  fillResting(market: M): void {
    const book = this.book(market);
    for (const isBuy of [true, false]) {
      for (;;) {
        const level = book.bestScripted(isBuy);
        const order = book.bestResting(!isBuy);
        if (level === undefined || order === undefined) break;
        if (isBuy ? level.px.gt(order.limitPx) : level.px.lt(order.limitPx)) break;
        const size = Decimal.min(level.sz, order.sz);
        book.takeScripted(isBuy, size);
        this.#fill(order, size, order.limitPx);
        this.#trade({
          market,
          price: order.limitPx,
          size,
          takerIsBuy: !order.isBuy,
          taker: null,
          maker: order,
        });
      }
    }
    book.refill();
  }

  /** Reduce-only orders are cut to what is left of the position, and cancelled where nothing is. */
  dropIdleReducers(account: A, market: M): void {
    const held = sizeOf(account, market);
    for (const order of [...this.book(market).resting]) {
      if (order.owner !== account || !order.reduceOnly) continue;
      if (held.isZero() || held.isPositive() === order.isBuy) this.cancel(order, this.words.reduceOnly);
      else order.sz = Decimal.min(order.sz, held.abs());
    }
  }

  #match(order: O): void {
    const { market, isBuy, limitPx } = order;
    const book = this.book(market);
    const within = (price: Decimal) => (isBuy ? price.lte(limitPx) : price.gte(limitPx));
    while (!order.sz.isZero()) {
      const level = book.bestScripted(isBuy);
      const other = book.bestResting(isBuy);
      const scriptFirst =
        level !== undefined &&
        (other === undefined || (isBuy ? level.px.lte(other.limitPx) : level.px.gte(other.limitPx)));
      const price = scriptFirst ? level.px : other?.limitPx;
      if (price === undefined || !within(price)) return;
      // An account does not trade with itself: the order that rests goes.
      if (!scriptFirst && other?.owner === order.owner) {
        this.cancel(other, this.words.selfTrade);
        continue;
      }
      const maker = scriptFirst ? null : (other ?? null);
      const size = Decimal.min(order.sz, scriptFirst ? level.sz : (other?.sz ?? ZERO));
      if (scriptFirst) book.takeScripted(isBuy, size);
      this.#fill(order, size, price);
      if (maker !== null) this.#fill(maker, size, price);
      this.#trade({ market, price, size, takerIsBuy: isBuy, taker: order, maker });
    }
  }

  #fill(order: O, size: Decimal, price: Decimal): void {
    order.sz = order.sz.minus(size);
    order.filledBase = order.filledBase.plus(size);
    order.filledQuote = order.filledQuote.plus(size.mul(price));
  }

  #trade(trade: Trade<M, O>): void {
    this.trade(trade);
    const { maker } = trade;
    if (maker === null) return;
    if (maker.sz.isZero()) this.book(maker.market).remove(maker);
    this.settle(maker, maker.sz.isZero() ? 'filled' : 'open');
    this.dropIdleReducers(maker.owner, maker.market);
  }
}
