/** Orders meet the book: the best price first, the script's level before an account's order at the same price. */
import { Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, sizeOf } from './accounts.ts';
import { bookTrade, type Party, somebody } from './fills.ts';
import type { Market } from './markets.ts';
import { IOC, POST_ONLY, type Wanted } from './order-checks.ts';
import type { Order } from './orders.ts';
import type { World } from './world.ts';

const MARKET = 1;

/** Enters an order that was checked. @param refused a state that the script wants, whatever the order is like */
export function placeOrder(
  world: World,
  account: Account,
  wanted: Wanted,
  refused: string | null = null,
): Order {
  const now = world.now();
  const order: Order = {
    ...wanted,
    ...{
      oid: world.nextOrderIndex(wanted.isBuy),
      createdAt: now,
      filledBase: ZERO,
      filledQuote: ZERO,
      status: 'in-progress',
    },
    ...{ updatedAt: now, nonce: 0, block: world.height },
  };
  world.orders.add(order);
  if (refused !== null) {
    world.settle(order, refused);
    return order;
  }
  // A reduce-only order is cut to the position.
  if (order.reduceOnly) order.sz = Decimal.min(order.sz, sizeOf(account, order.market).abs());
  const cut = order.origSz.minus(order.sz);
  enter(world, account, order, cut);
  return order;
}

/** Matches what is left of the order; what then is left rests or is cancelled. @param cut what must not be filled */
function enter(world: World, account: Account, order: Order, cut: Decimal = ZERO): void {
  const { market } = order;
  const book = world.book(market);
  const hadRoom = book.levels(!order.isBuy).length > 0;
  if (order.timeInForce === POST_ONLY && wouldMatch(world, order)) {
    world.settle(order, 'canceled-post-only');
    return;
  }
  match(world, account, order);
  book.refill();
  const isFilled = order.sz.isZero();
  order.sz = order.sz.plus(cut);
  if (isFilled) world.settle(order, cut.isZero() ? 'filled' : 'canceled-reduce-only');
  else if (order.timeInForce !== IOC) {
    order.sz = order.sz.minus(cut);
    book.add(order);
    world.settle(order, 'open');
  } else world.settle(order, unfilled(order, hadRoom));
  world.emit({ kind: 'market', market });
  dropIdleReducers(world, account, market);
}

/** The state of an order that found no more at its price. */
function unfilled({ type }: Order, hadRoom: boolean): string {
  if (type !== MARKET) return 'canceled';
  return hadRoom ? 'canceled-too-much-slippage' : 'canceled-not-enough-liquidity';
}

export function cancelOrder(world: World, order: Order, status = 'canceled'): void {
  world.book(order.market).remove(order);
  world.settle(order, status);
  world.emit({ kind: 'market', market: order.market });
}

/** Orders that rest and that the script's new levels cross are filled at their own price, as makers. */
export function fillResting(world: World, market: Market): void {
  const book = world.book(market);
  for (const isBuy of [true, false]) {
    for (;;) {
      const level = book.bestScripted(isBuy);
      const order = book.bestResting(!isBuy);
      if (level === undefined || order === undefined) break;
      if (isBuy ? level.px.gt(order.limitPx) : level.px.lt(order.limitPx)) break;
      const size = Decimal.min(level.sz, order.sz);
      book.takeScripted(isBuy, size);
      fillMaker(world, order, size, somebody(world, !order.isBuy), !order.isBuy);
      settleMaker(world, order);
    }
  }
  book.refill();
}

/** Cancels orders whose time is over. */
export function dropExpired(world: World): void {
  const now = world.now();
  for (const order of world.orders.allOpen()) {
    if (order.expiry !== 0 && order.expiry <= now) cancelOrder(world, order, 'canceled-expired');
  }
}

function wouldMatch(world: World, { market, isBuy, limitPx }: Order): boolean {
  const [best] = world.book(market).levels(!isBuy);
  return best !== undefined && (isBuy ? best.px.lte(limitPx) : best.px.gte(limitPx));
}

/** An order of the same account that it meets is cancelled. */
function match(world: World, taker: Account, order: Order): void {
  const { market, isBuy, limitPx } = order;
  const book = world.book(market);
  const within = (price: Decimal) => (isBuy ? price.lte(limitPx) : price.gte(limitPx));
  while (!order.sz.isZero()) {
    const level = book.bestScripted(isBuy);
    const other = book.bestResting(isBuy);
    const scriptFirst =
      level !== undefined &&
      (other === undefined || (isBuy ? level.px.lte(other.limitPx) : level.px.gte(other.limitPx)));
    const price = scriptFirst ? level.px : other?.limitPx;
    if (price === undefined || !within(price)) return;
    if (!scriptFirst && other?.account === taker.index) {
      cancelOrder(world, other, 'canceled-self-trade');
      continue;
    }
    const size = Decimal.min(order.sz, scriptFirst ? level.sz : (other?.sz ?? ZERO));
    order.sz = order.sz.minus(size);
    order.filledBase = order.filledBase.plus(size);
    order.filledQuote = order.filledQuote.plus(size.mul(price));
    if (!scriptFirst && other !== undefined) {
      fillMaker(world, other, size, party(order), isBuy);
      settleMaker(world, other);
    } else {
      book.takeScripted(isBuy, size);
      const maker = somebody(world, !isBuy);
      bookTrade(world, { market, price, size, takerIsBuy: isBuy, taker: party(order), maker });
    }
  }
}

function party({ account, oid, clientIndex, integrator, integratorFees }: Order): Party {
  return { account, orderIndex: oid, clientIndex, integrator, integratorFees };
}

function fillMaker(world: World, order: Order, size: Decimal, taker: Party, takerIsBuy: boolean): void {
  const { market, limitPx: price } = order;
  order.sz = order.sz.minus(size);
  order.filledBase = order.filledBase.plus(size);
  order.filledQuote = order.filledQuote.plus(size.mul(price));
  bookTrade(world, { market, price, size, takerIsBuy, taker, maker: party(order) });
}

function settleMaker(world: World, order: Order): void {
  if (order.sz.isZero()) world.book(order.market).remove(order);
  world.settle(order, order.sz.isZero() ? 'filled' : 'open');
  dropIdleReducers(world, world.account(order.account), order.market);
}

/** Reduce-only orders are cut to what is left of the position, and cancelled where nothing is. */
export function dropIdleReducers(world: World, account: Account, market: Market): void {
  const held = sizeOf(account, market);
  for (const order of [...world.book(market).resting]) {
    if (order.account !== account.index || !order.reduceOnly) continue;
    if (held.isZero() || held.isPositive() === order.isBuy) cancelOrder(world, order, 'canceled-reduce-only');
    else order.sz = Decimal.min(order.sz, held.abs());
  }
}
