/** One execution, booked: position, money, fee, history and the news of it. */
import { type Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, type Fill, leverageOf, type Position } from './accounts.ts';
import type { Asset } from './universe.ts';
import type { World } from './world.ts';

/** Amounts of money are kept to a millionth of a USD. */
export function micros(value: Decimal): Decimal {
  return value.toDecimalPlaces(6);
}

export interface Execution {
  readonly asset: Asset;
  readonly isBuy: boolean;
  readonly px: Decimal;
  readonly sz: Decimal;
  readonly oid: number;
  readonly cloid: string | null;
  /** True: it took a resting order. */
  readonly crossed: boolean;
  /** Stands in the fill's `dir` instead of what the position's change would say. */
  readonly dir?: string;
  readonly feeless?: boolean;
  readonly liquidatedUser?: string;
}

export function bookFill(world: World, account: Account, execution: Execution): Fill {
  const { asset, isBuy, px, sz } = execution;
  const signed = isBuy ? sz : sz.neg();
  const startPosition = account.positions.get(asset.index)?.szi ?? ZERO;
  const closedPnl = micros(move(account, asset, signed, px));
  const rate = execution.crossed ? account.takerRate : account.makerRate;
  const fee = execution.feeless === true ? ZERO : micros(px.mul(sz).mul(rate));
  account.cash = account.cash.plus(closedPnl).minus(fee);
  account.volume = account.volume.plus(px.mul(sz));
  asset.dayVolume = asset.dayVolume.plus(sz);
  asset.dayNotional = asset.dayNotional.plus(px.mul(sz));
  const { liquidatedUser } = execution;
  const fill: Fill = {
    ...{ coin: asset.name, px, sz, isBuy, startPosition, closedPnl, fee, feeToken: 'USDC' },
    time: world.now(),
    dir: execution.dir ?? direction(startPosition, startPosition.plus(signed)),
    hash: world.nextHash(),
    ...{ oid: execution.oid, crossed: execution.crossed },
    cloid: world.fillsNameClientIds ? execution.cloid : null,
    tid: world.nextTid(),
    liquidation: liquidatedUser === undefined ? null : { liquidatedUser, markPx: asset.mark },
  };
  account.fills.push(fill);
  world.emit({ kind: 'fill', user: account.address, fill });
  return fill;
}

/** Changes the position by `signed` and answers the result of what it closed. */
function move(account: Account, asset: Asset, signed: Decimal, px: Decimal): Decimal {
  const held = account.positions.get(asset.index);
  if (held === undefined || held.szi.isPositive() === signed.isPositive()) {
    open(account, asset, signed, px);
    return ZERO;
  }
  const closing = signed.abs().lt(held.szi.abs()) ? signed.abs() : held.szi.abs();
  const cost = held.entryNtl.mul(closing).div(held.szi.abs());
  const freed = held.margin.mul(closing).div(held.szi.abs());
  const worth = closing.mul(px).mul(held.szi.isPositive() ? 1 : -1);
  const left = signed.abs().minus(closing);
  held.szi = held.szi.plus(signed.isPositive() ? closing : closing.neg());
  held.entryNtl = held.entryNtl.minus(cost);
  if (held.szi.isZero()) {
    account.cash = account.cash.plus(held.margin);
    account.positions.delete(asset.index);
  } else {
    held.margin = held.margin.minus(micros(freed));
    account.cash = account.cash.plus(micros(freed));
  }
  if (!left.isZero()) open(account, asset, signed.isPositive() ? left : left.neg(), px);
  return worth.minus(cost);
}

function open(account: Account, asset: Asset, signed: Decimal, px: Decimal): void {
  const leverage = leverageOf(account, asset);
  const held: Position = account.positions.get(asset.index) ?? {
    ...{ asset, leverage },
    ...{ szi: ZERO, entryNtl: ZERO, margin: ZERO, fundingPaid: ZERO },
  };
  const margin = held.leverage.isCross ? ZERO : micros(signed.abs().mul(px).div(held.leverage.value));
  held.szi = held.szi.plus(signed);
  held.entryNtl = held.entryNtl.plus(signed.mul(px));
  held.margin = held.margin.plus(margin);
  account.cash = account.cash.minus(margin);
  account.positions.set(asset.index, held);
}

function direction(before: Decimal, after: Decimal): string {
  const was = before.isZero() ? null : before.isPositive() ? 'Long' : 'Short';
  const is = after.isZero() ? null : after.isPositive() ? 'Long' : 'Short';
  if (was !== null && is !== null && was !== is) return `${was} > ${is}`;
  if (was === null || after.abs().gt(before.abs())) return `Open ${is}`;
  return `Close ${was}`;
}
