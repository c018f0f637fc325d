/** Orders meet the book: the best price first, the script's level before an account's order at the same price. */
import { Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, sizeOf } from './accounts.ts';
import { bookFill } from './fills.ts';
import type { Order } from './orders.ts';
import { type OrderLeg, REFUSALS, type Refusal, refusalOf } from './refusals.ts';
import type { Asset } from './universe.ts';
import type { World } from './world.ts';

export type LegAnswer =
  | { readonly kind: 'resting'; readonly order: Order }
  | { readonly kind: 'filled'; readonly order: Order; readonly size: Decimal }
  | { readonly kind: 'error'; readonly text: string };

/** @param forced a refusal that the script wants, whatever the order is like */
export function placeOrder(
  world: World,
  account: Account,
  leg: OrderLeg,
  forced: Refusal | null = null,
): LegAnswer {
  const refusal = forced ?? refusalOf(world, account, leg);
  // A second order with the same client id must not hide the first one, so it is not remembered.
  if (refusal === REFUSALS.duplicate) return { kind: 'error', text: worded(refusal, leg.asset) };
  const now = world.now();
  const order: Order = {
    oid: world.nextOid(),
    ...{ cloid: leg.cloid, user: account.address, asset: leg.asset, isBuy: leg.isBuy, limitPx: leg.px },
    ...{ origSz: leg.sz, sz: leg.sz, reduceOnly: leg.reduceOnly, tif: leg.tif, timestamp: now },
    ...{ filledNtl: ZERO, status: 'open', statusTimestamp: now },
  };
  world.orders.add(order);
  if (refusal !== null) return refuse(world, order, refusal);
  // A reduce-only order is cut to the position.
  if (order.reduceOnly) order.sz = Decimal.min(order.sz, sizeOf(account, leg.asset).abs());
  const cut = leg.sz.minus(order.sz);
  match(world, account, order);
  const filled = leg.sz.minus(cut).minus(order.sz);
  world.book(leg.asset).refill();
  world.emit({ kind: 'market', asset: leg.asset });
  if (leg.tif === 'Ioc') {
    if (filled.isZero()) return refuse(world, order, REFUSALS.iocEmpty);
    order.sz = order.sz.plus(cut);
    settle(world, order, order.sz.isZero() ? 'filled' : 'canceled');
  } else if (order.sz.isZero()) {
    order.sz = cut;
    settle(world, order, cut.isZero() ? 'filled' : 'reduceOnlyCanceled');
  } else {
    world.book(leg.asset).add(order);
    settle(world, order, 'open');
  }
  dropIdleReducers(world, account, leg.asset);
  return filled.isZero() ? { kind: 'resting', order } : { kind: 'filled', order, size: filled };
}

/** The venue's text of an order's refusal names the instrument. */
export function worded({ text }: Refusal, asset: Asset): string {
  return `${text} asset=${asset.index}`;
}

/** Sets the order's state and tells it. */
export function settle(world: World, order: Order, status: string): void {
  world.orders.mark(order, status, world.now());
  world.emit({ kind: 'order', order, status });
}

export function cancelOrder(world: World, order: Order, status = 'canceled'): void {
  world.book(order.asset).remove(order);
  settle(world, order, status);
  if (status !== 'canceled') world.emit({ kind: 'venueCancel', order });
}

/** Orders that rest and that the script's new levels cross are filled at their own price, as makers. */
export function fillResting(world: World, asset: Asset): void {
  const book = world.book(asset);
  for (const isBuy of [true, false]) {
    for (;;) {
      const level = book.bestScripted(isBuy);
      const order = book.bestResting(!isBuy);
      if (level === undefined || order === undefined) break;
      if (isBuy ? level.px.gt(order.limitPx) : level.px.lt(order.limitPx)) break;
      const sz = Decimal.min(level.sz, order.sz);
      book.takeScripted(isBuy, sz);
      make(world, order, sz);
    }
  }
  book.refill();
}

function refuse(world: World, order: Order, refusal: Refusal): LegAnswer {
  settle(world, order, refusal.status);
  return { kind: 'error', text: worded(refusal, order.asset) };
}

function match(world: World, taker: Account, order: Order): void {
  const { asset, isBuy, limitPx } = order;
  const book = world.book(asset);
  const within = (px: Decimal) => (isBuy ? px.lte(limitPx) : px.gte(limitPx));
  while (!order.sz.isZero()) {
    const level = book.bestScripted(isBuy);
    const other = book.bestResting(isBuy);
    const scriptFirst =
      level !== undefined &&
      (other === undefined || (isBuy ? level.px.lte(other.limitPx) : level.px.gte(other.limitPx)));
    const px = scriptFirst ? level.px : other?.limitPx;
    if (px === undefined || !within(px)) return;
    // An account does not trade with itself: what rested goes.
    if (!scriptFirst && other?.user === taker.address) {
      cancelOrder(world, other, 'selfTradeCanceled');
      continue;
    }
    const sz = Decimal.min(order.sz, scriptFirst ? level.sz : (other?.sz ?? ZERO));
    if (scriptFirst) book.takeScripted(isBuy, sz);
    order.sz = order.sz.minus(sz);
    order.filledNtl = order.filledNtl.plus(sz.mul(px));
    bookFill(world, taker, { asset, isBuy, px, sz, oid: order.oid, cloid: order.cloid, crossed: true });
    if (!scriptFirst && other !== undefined) make(world, other, sz);
  }
}

/** Fills `sz` of an order that rests. */
function make(world: World, order: Order, sz: Decimal): void {
  const { asset, isBuy, oid, cloid } = order;
  const account = world.account(order.user);
  order.sz = order.sz.minus(sz);
  order.filledNtl = order.filledNtl.plus(sz.mul(order.limitPx));
  bookFill(world, account, { asset, isBuy, px: order.limitPx, sz, oid, cloid, crossed: false });
  if (order.sz.isZero()) world.book(asset).remove(order);
  settle(world, order, order.sz.isZero() ? 'filled' : 'open');
  dropIdleReducers(world, account, asset);
}

/** Reduce-only orders are cut to what is left of the position, and cancelled where nothing is. */
export function dropIdleReducers(world: World, account: Account, asset: Asset): void {
  const held = sizeOf(account, asset);
  for (const order of [...world.book(asset).resting]) {
    if (order.user !== account.address || !order.reduceOnly) continue;
    if (held.isZero() || held.isPositive() === order.isBuy) cancelOrder(world, order, 'reduceOnlyCanceled');
    else order.sz = Decimal.min(order.sz, held.abs());
  }
}
