/**
 * Margin as the venue reckons it. Cross positions share the account's money; an isolated one has its own.
 * Maintenance is half of the initial margin at the instrument's highest leverage.
 */
import { type Decimal, ONE, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, leverageOf, type Position, sizeOf } from './accounts.ts';
import type { Order } from './orders.ts';

export function notional({ szi, asset }: Position): Decimal {
  return szi.abs().mul(asset.mark);
}

export function unrealised({ szi, asset, entryNtl }: Position): Decimal {
  return szi.mul(asset.mark).minus(entryNtl);
}

export function positionsOf(account: Account, isCross: boolean): Position[] {
  return [...account.positions.values()].filter(({ leverage }) => leverage.isCross === isCross);
}

export function marginUsed(position: Position): Decimal {
  return position.leverage.isCross
    ? notional(position).div(position.leverage.value)
    : position.margin.plus(unrealised(position));
}

export function maintenance(position: Position): Decimal {
  return notional(position).div(2 * position.asset.maxLeverage);
}

/** Money that cross positions stand on. */
export function crossValue(account: Account): Decimal {
  return account.cash.plus(sum(positionsOf(account, true).map(unrealised)));
}

export function accountValue(account: Account): Decimal {
  const isolated = positionsOf(account, false);
  return crossValue(account).plus(
    sum(isolated.map((position) => position.margin.plus(unrealised(position)))),
  );
}

/** Margin that resting orders would need if they opened what they can. */
function reserved(account: Account, open: readonly Order[]): Decimal {
  return sum(
    open
      .filter(({ reduceOnly }) => !reduceOnly)
      .map(({ asset, isBuy, sz, limitPx }) =>
        opening(sizeOf(account, asset), isBuy, sz).mul(limitPx).div(leverageOf(account, asset).value),
      ),
  );
}

/** The part of an order that opens rather than closes. */
export function opening(szi: Decimal, isBuy: boolean, sz: Decimal): Decimal {
  const closable = szi.isZero() || szi.isPositive() === isBuy ? ZERO : szi.abs();
  const rest = sz.minus(closable);
  return rest.isPositive() ? rest : ZERO;
}

/** Initial margin that is free for new positions; never negative. */
export function freeMargin(account: Account, open: readonly Order[]): Decimal {
  const used = sum(positionsOf(account, true).map(marginUsed));
  const free = crossValue(account).minus(used).minus(reserved(account, open));
  return free.isPositive() ? free : ZERO;
}

/** null: no price would liquidate the position. */
export function liquidationPrice(account: Account, position: Position): Decimal | null {
  const side = position.szi.isPositive() ? 1 : -1;
  const needed = position.leverage.isCross
    ? sum(positionsOf(account, true).map(maintenance))
    : maintenance(position);
  const owned = position.leverage.isCross ? crossValue(account) : position.margin.plus(unrealised(position));
  const rate = ONE.div(2 * position.asset.maxLeverage);
  const distance = owned
    .minus(needed)
    .div(position.szi.abs())
    .div(ONE.minus(rate.mul(side)));
  const price = position.asset.mark.minus(distance.mul(side));
  return price.isPositive() && !price.isZero() ? price : null;
}
