/** Acts of the venue itself on accounts: funding, liquidation, deleveraging, settlement of a market. */
import { type Decimal, dec } from '../../../../../gateway/domain/decimal.ts';
import { type Account, type FundingPayment, open, sizeOf, type TradeType } from './accounts.ts';
import { bookTrade, micros, somebody } from './fills.ts';
import { type Market, steps } from './markets.ts';
import { cancelOrder, dropIdleReducers } from './matching.ts';
import type { World } from './world.ts';

export interface Forced {
  readonly isBuy: boolean;
  readonly price: Decimal;
  /** null: the whole position. */
  readonly size: Decimal | null;
  readonly type?: TradeType;
  /** The other side; missing: somebody. */
  readonly against?: number;
}

/** A trade of the account that no order of its own here caused. */
export function forceTrade(world: World, account: Account, market: Market, forced: Forced): void {
  const { isBuy, price, type = 'trade' } = forced;
  const size = forced.size ?? sizeOf(account, market).abs();
  const taker = somebody(world, isBuy, account.index);
  const maker =
    forced.against === undefined ? somebody(world, !isBuy) : somebody(world, !isBuy, forced.against);
  bookTrade(world, { market, price, size, takerIsBuy: isBuy, taker, maker, type });
  dropIdleReducers(world, account, market);
}

/** The venue takes over a position, or closes a winner's against a bankrupt one, without a fee. */
export function closeByVenue(
  world: World,
  account: Account,
  market: Market,
  how: { readonly price: Decimal; readonly size: Decimal | null; readonly type: TradeType },
): void {
  if (how.type === 'liquidation') {
    for (const order of world.orders.open(account.index)) cancelOrder(world, order, 'canceled-liquidation');
  }
  forceTrade(world, account, market, { ...how, isBuy: sizeOf(account, market).isNegative() });
}

/** Every position pays or receives one hour's funding at the mark price. */
export function settleFunding(world: World, at: number): void {
  for (const account of world.accounts()) {
    const payments = open(account).map((position): FundingPayment => {
      const { market, size } = position;
      const change = micros(size.mul(market.mark).mul(market.fundingRate).neg());
      position.fundingPaid = position.fundingPaid.minus(change);
      if (position.margin.isCross) account.collateral = account.collateral.plus(change);
      else position.allocated = position.allocated.plus(change);
      return { id: world.nextTradeId(), time: at, market, change, rate: market.fundingRate, size };
    });
    if (payments.length === 0) continue;
    account.funding.push(...payments);
    world.emit({ kind: 'funding', account: account.index, payments });
  }
}

/** Positive: a deposit; negative: a withdrawal. */
export function moveMoney(world: World, account: Account, amount: Decimal): void {
  account.collateral = account.collateral.plus(amount);
  const entries = amount.isNegative() ? account.withdrawals : account.deposits;
  entries.push(moneyEntry(world, account, amount.abs()));
  world.emit({ kind: 'account', account: account.index });
}

function moneyEntry(world: World, account: Account, amount: Decimal) {
  const id = `${account.index}-${account.deposits.length + account.withdrawals.length + 1}`;
  return { id, amount, time: world.now(), hash: world.nextHash() };
}

/** @param to missing: the pool of fast withdrawals, from which the owner's wallet is paid */
export function transferMoney(
  world: World,
  from: Account,
  to: Account | undefined,
  { amount, fee }: { readonly amount: Decimal; readonly fee: Decimal },
): void {
  from.collateral = from.collateral.minus(amount).minus(fee);
  if (to === undefined) from.withdrawals.push(moneyEntry(world, from, amount));
  else {
    to.collateral = to.collateral.plus(amount);
    world.emit({ kind: 'account', account: to.index });
  }
  world.emit({ kind: 'account', account: from.index });
}

/** Levels around a price: a step apart at least, `depth` of them on each side. */
export function levelsAround(
  market: Market,
  mark: Decimal,
  { depth, size, spread }: { readonly depth: number; readonly size: Decimal; readonly spread: Decimal },
) {
  const tick = steps(market).price;
  const half = mark.mul(spread).div(2);
  const step = half.lt(tick) ? tick : half.div(tick).ceil().mul(tick);
  const centre = mark.div(tick).round().mul(tick);
  const at = (n: number) => ({ px: centre.plus(step.mul(n)), sz: size });
  const distances = Array.from({ length: depth }, (_, level) => level + 1);
  return {
    bids: distances.map((n) => at(-n)).filter(({ px }) => px.gt(0)),
    asks: distances.map((n) => at(n)),
  };
}

/** A size of about `usd`, on the market's step. */
export function sizeWorth(market: Market, usd: number): Decimal {
  const { size } = steps(market);
  return dec(usd).div(market.mark).div(size).ceil().mul(size);
}
