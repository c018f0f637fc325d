/**
 * Margin as the venue reckons it: cross positions share the account's collateral, an isolated one has its own. The
 * account's own initial fraction says what an order needs, the market's what keeps a position from liquidation.
 */
import { type Decimal, ONE, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, marginOf, open, type Position, sizeOf } from './accounts.ts';
import type { Order } from './orders.ts';

const TICK = 10_000;

export function value({ size, market }: Position): Decimal {
  return size.abs().mul(market.mark);
}

export function unrealised({ size, market, cost }: Position): Decimal {
  return size.mul(market.mark).minus(cost);
}

export function positionsOf(account: Account, isCross: boolean): Position[] {
  return open(account).filter(({ margin }) => margin.isCross === isCross);
}

export function initial(position: Position): Decimal {
  return value(position).mul(position.margin.fraction).div(TICK);
}

export function maintenance(position: Position): Decimal {
  return value(position).mul(position.market.maintenance).div(TICK);
}

/** Money that cross positions stand on. */
export function crossValue(account: Account): Decimal {
  return account.collateral.plus(sum(positionsOf(account, true).map(unrealised)));
}

export function totalValue(account: Account): Decimal {
  const isolated = positionsOf(account, false);
  return crossValue(account).plus(sum(isolated.map((one) => one.allocated.plus(unrealised(one)))));
}

/** The part of an order that opens rather than closes. */
export function opening(size: Decimal, isBuy: boolean, sz: Decimal): Decimal {
  const closable = size.isZero() || size.isPositive() === isBuy ? ZERO : size.abs();
  const rest = sz.minus(closable);
  return rest.isPositive() ? rest : ZERO;
}

/** Margin that resting orders would need if they opened what they can. */
function reserved(account: Account, orders: readonly Order[]): Decimal {
  return sum(
    orders
      .filter(({ reduceOnly }) => !reduceOnly)
      .map(({ market, isBuy, sz, limitPx }) =>
        opening(sizeOf(account, market), isBuy, sz)
          .mul(limitPx)
          .mul(marginOf(account, market).fraction)
          .div(TICK),
      ),
  );
}

/** Margin that is free for new positions; never negative. */
export function available(account: Account, orders: readonly Order[]): Decimal {
  const used = sum(positionsOf(account, true).map(initial));
  const free = crossValue(account).minus(used).minus(reserved(account, orders));
  return free.isPositive() ? free : ZERO;
}

export function needed(
  account: Account,
  market: Position['market'],
  opens: Decimal,
  price: Decimal,
): Decimal {
  return opens.mul(price).mul(marginOf(account, market).fraction).div(TICK);
}

/** 0: no price would liquidate the position. */
export function liquidationPrice(account: Account, position: Position): Decimal {
  const side = position.size.isPositive() ? 1 : -1;
  const { isCross } = position.margin;
  const kept = isCross ? sum(positionsOf(account, true).map(maintenance)) : maintenance(position);
  const owned = isCross ? crossValue(account) : position.allocated.plus(unrealised(position));
  const rate = ONE.mul(position.market.maintenance).div(TICK);
  const distance = owned
    .minus(kept)
    .div(position.size.abs())
    .div(ONE.minus(rate.mul(side)));
  const price = position.market.mark.minus(distance.mul(side));
  return price.isPositive() ? price : ZERO;
}
