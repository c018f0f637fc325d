/**
 * Margin as the venues reckon it: cross positions share the account's money, an isolated one has its own. The account's
 * own initial fraction says what an order needs, the market's what keeps a position from liquidation.
 */
import { type Decimal, ONE, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { Account, Fraction, MarginSetting, Market, Order, Position } from './parts.ts';

export function share(amount: Decimal, [numerator, denominator]: Fraction): Decimal {
  return amount.mul(numerator).div(denominator);
}

export function marginOf(account: Account, market: Market): MarginSetting {
  const { onlyIsolated, defaultInitial } = market;
  return account.margins.get(market.index) ?? { isCross: !onlyIsolated, initial: defaultInitial };
}

export function sizeOf(account: Account, market: Market): Decimal {
  return account.positions.get(market.index)?.size ?? ZERO;
}

/** Positions that are not closed. */
export function open<M extends Market>(account: Account<M>): Position<M>[] {
  return [...account.positions.values()].filter(({ size }) => !size.isZero());
}

export function positionsOf<M extends Market>(account: Account<M>, isCross: boolean): Position<M>[] {
  return open(account).filter(({ margin }) => margin.isCross === isCross);
}

export function notional({ size, market }: Position): Decimal {
  return size.abs().mul(market.mark);
}

export function unrealised({ size, market, cost }: Position): Decimal {
  return size.mul(market.mark).minus(cost);
}

export function initial(position: Position): Decimal {
  return share(notional(position), position.margin.initial);
}

export function maintenance(position: Position): Decimal {
  return share(notional(position), position.market.maintenance);
}

/** Money of an isolated position, with its result. */
export function isolatedValue(position: Position): Decimal {
  return position.allocated.plus(unrealised(position));
}

/** Money that cross positions stand on. */
export function crossValue(account: Account): Decimal {
  return account.cash.plus(sum(positionsOf(account, true).map(unrealised)));
}

export function accountValue(account: Account): Decimal {
  return crossValue(account).plus(sum(positionsOf(account, false).map(isolatedValue)));
}

/** The part of an order that opens rather than closes. */
function opening(size: Decimal, isBuy: boolean, sz: Decimal): Decimal {
  const closable = size.isZero() || size.isPositive() === isBuy ? ZERO : size.abs();
  const rest = sz.minus(closable);
  return rest.isPositive() ? rest : ZERO;
}

type Wanted = Pick<Order, 'market' | 'isBuy' | 'sz' | 'limitPx'>;

/** Initial margin that an order needs if it opens what it can. */
export function neededFor(account: Account, { market, isBuy, sz, limitPx }: Wanted): Decimal {
  const opens = opening(sizeOf(account, market), isBuy, sz);
  return share(opens.mul(limitPx), marginOf(account, market).initial);
}

/** Initial margin that is free for new positions; never negative. @param orders that rest */
export function freeMargin(account: Account, orders: readonly Order[]): Decimal {
  const used = sum(positionsOf(account, true).map(initial));
  const opens = orders.filter(({ reduceOnly }) => !reduceOnly);
  const reserved = sum(opens.map((order) => neededFor(account, order)));
  const free = crossValue(account).minus(used).minus(reserved);
  return free.isPositive() ? free : ZERO;
}

/** null: no price would liquidate the position. */
export function liquidationPrice(account: Account, position: Position): Decimal | null {
  const { market, size, margin } = position;
  const side = size.isPositive() ? 1 : -1;
  const kept = margin.isCross ? sum(positionsOf(account, true).map(maintenance)) : maintenance(position);
  const owned = margin.isCross ? crossValue(account) : isolatedValue(position);
  const distance = owned
    .minus(kept)
    .div(size.abs())
    .div(ONE.minus(share(ONE, market.maintenance).mul(side)));
  const price = market.mark.minus(distance.mul(side));
  return price.isPositive() && !price.isZero() ? price : null;
}
