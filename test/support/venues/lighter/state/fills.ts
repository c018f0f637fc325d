/** One trade, booked: positions, money, fees, history and the news of it. */
import { type Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import {
  type Account,
  marginOf,
  type Position,
  type Trade,
  type TradeSide,
  type TradeType,
} from './accounts.ts';
import type { Market } from './markets.ts';
import type { World } from './world.ts';

const MILLION = 1_000_000;
const SOMEBODY = 281_474_976_639_642;

/** Amounts of money are kept to a millionth of a USDC. */
export function micros(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(6);
}

export interface Party {
  readonly account: number;
  readonly orderIndex: number;
  readonly clientIndex: number;
  /** Account that collects a fee beside the venue's, with its millionths as a taker and as a maker; 0: nobody. */
  readonly integrator: number;
  readonly integratorFees: readonly [taker: number, maker: number];
}

/** Whoever stands behind the script's levels and the venue's own trades. */
export function somebody(world: World, isBuy: boolean, account = SOMEBODY): Party {
  return {
    account,
    orderIndex: world.nextOrderIndex(isBuy),
    clientIndex: 0,
    integrator: 0,
    integratorFees: [0, 0],
  };
}

export interface Execution {
  readonly market: Market;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly takerIsBuy: boolean;
  readonly taker: Party;
  readonly maker: Party;
  readonly type?: TradeType;
  readonly feeless?: boolean;
}

export function bookTrade(world: World, execution: Execution): Trade {
  const { market, price, size, takerIsBuy, type = 'trade', feeless = type !== 'trade' } = execution;
  const quote = price.mul(size);
  const taker = side(world, execution, execution.taker, { isBuy: takerIsBuy, isTaker: true, feeless });
  const maker = side(world, execution, execution.maker, { isBuy: !takerIsBuy, isTaker: false, feeless });
  market.last = price;
  market.dayTrades += 1;
  market.dayBase = market.dayBase.plus(size);
  market.dayQuote = market.dayQuote.plus(quote);
  const trade: Trade = {
    ...{ id: world.nextTradeId(), hash: world.nextHash(), type, market, size, price },
    ...{ ask: takerIsBuy ? maker : taker, bid: takerIsBuy ? taker : maker, isMakerAsk: takerIsBuy },
    ...{ block: world.nextBlock(), time: world.now() },
  };
  const involved = new Set([taker.account, maker.account]);
  for (const index of involved) world.find(index)?.trades.push(trade);
  world.trades.push(trade);
  world.emit({ kind: 'trade', trade, accounts: [...involved] });
  return trade;
}

function side(
  world: World,
  { market, price, size }: Execution,
  party: Party,
  how: { readonly isBuy: boolean; readonly isTaker: boolean; readonly feeless: boolean },
): TradeSide {
  const { integratorFees, ...named } = party;
  const account = world.find(party.account);
  const nothing = {
    sizeBefore: ZERO,
    costBefore: ZERO,
    allocatedBefore: ZERO,
    allocatedAfter: ZERO,
    pnl: ZERO,
  };
  if (account === undefined) {
    return {
      ...named,
      fee: 0,
      integratorFee: 0,
      ...nothing,
      fractionBefore: market.defaultInitial,
      signChanged: false,
    };
  }
  const held = account.positions.get(market.index);
  const before = {
    ...{ sizeBefore: held?.size ?? ZERO, costBefore: held?.cost ?? ZERO },
    fractionBefore: marginOf(account, market).fraction,
    allocatedBefore: held?.allocated ?? ZERO,
  };
  const fee = how.feeless ? 0 : how.isTaker ? account.takerFee : account.makerFee;
  const integratorFee = how.feeless ? 0 : integratorFees[how.isTaker ? 0 : 1];
  const pnl = micros(move(account, market, how.isBuy ? size : size.neg(), price));
  const position = account.positions.get(market.index);
  if (position !== undefined) position.realised = position.realised.plus(pnl);
  const paid = micros(
    price
      .mul(size)
      .mul(fee + integratorFee)
      .div(MILLION),
  );
  account.collateral = account.collateral.plus(pnl).minus(paid);
  account.volume = account.volume.plus(price.mul(size));
  const after = position?.size ?? ZERO;
  const signChanged = !before.sizeBefore.isZero() && before.sizeBefore.mul(after).isNegative();
  return {
    ...named,
    fee,
    integratorFee,
    ...before,
    allocatedAfter: position?.allocated ?? ZERO,
    pnl,
    signChanged,
  };
}

/** Changes the position by `signed` and answers the result of what it closed. */
function move(account: Account, market: Market, signed: Decimal, price: Decimal): Decimal {
  const held = account.positions.get(market.index);
  if (held === undefined || held.size.isZero() || held.size.isPositive() === signed.isPositive()) {
    enlarge(account, market, signed, price);
    return ZERO;
  }
  const closing = signed.abs().lt(held.size.abs()) ? signed.abs() : held.size.abs();
  const isWhole = closing.eq(held.size.abs());
  const cost = isWhole ? held.cost : held.cost.mul(closing).div(held.size.abs());
  const freed = isWhole ? held.allocated : micros(held.allocated.mul(closing).div(held.size.abs()));
  const worth = closing.mul(price).mul(held.size.isPositive() ? 1 : -1);
  const left = signed.abs().minus(closing);
  held.size = held.size.plus(signed.isPositive() ? closing : closing.neg());
  held.cost = held.cost.minus(cost);
  held.allocated = held.allocated.minus(freed);
  account.collateral = account.collateral.plus(freed);
  if (!left.isZero()) enlarge(account, market, signed.isPositive() ? left : left.neg(), price);
  return worth.minus(cost);
}

function enlarge(account: Account, market: Market, signed: Decimal, price: Decimal): void {
  const margin = marginOf(account, market);
  const held: Position = account.positions.get(market.index) ?? {
    ...{ market, margin, size: ZERO, cost: ZERO, allocated: ZERO, realised: ZERO, fundingPaid: ZERO },
  };
  held.margin = margin;
  const allocated = margin.isCross ? ZERO : micros(signed.abs().mul(price).mul(margin.fraction).div(10_000));
  held.size = held.size.plus(signed);
  held.cost = held.cost.plus(signed.mul(price));
  held.allocated = held.allocated.plus(allocated);
  account.collateral = account.collateral.minus(allocated);
  account.positions.set(market.index, held);
}
