/** Acts of the venue itself on accounts: liquidation, deleveraging, settlement of a market, ways of money. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import { sizeOf } from '../../shared/world/margin.ts';
import type { Account, TradeType } from './accounts.ts';
import { bookTrade, partyOf } from './fills.ts';
import type { Market } from './markets.ts';
import type { World } from './world.ts';

interface Forced {
  readonly isBuy: boolean;
  readonly price: Decimal;
  /** null: the whole position. */
  readonly size: Decimal | null;
  readonly type?: TradeType;
}

/** A trade of the account that no order of its own here caused. */
export function forceTrade(world: World, account: Account, market: Market, forced: Forced): void {
  const { isBuy, price, type = 'trade' } = forced;
  const size = forced.size ?? sizeOf(account, market).abs();
  const taker = partyOf(world, null, isBuy, account.index);
  const maker = partyOf(world, null, !isBuy);
  bookTrade(world, { market, price, size, takerIsBuy: isBuy, taker, maker, type });
  world.dropIdleReducers(account, market);
}

/** The venue takes over a position, or closes a winner's against a bankrupt one, without a fee. */
export function closeByVenue(
  world: World,
  account: Account,
  market: Market,
  how: { readonly price: Decimal; readonly size: Decimal | null; readonly type: TradeType },
): void {
  if (how.type === 'liquidation') {
    for (const order of world.orders.open(account)) world.cancel(order, 'canceled-liquidation');
  }
  forceTrade(world, account, market, { ...how, isBuy: sizeOf(account, market).isNegative() });
}

/** Positive: a deposit; negative: a withdrawal. */
export function moveMoney(world: World, account: Account, amount: Decimal): void {
  account.cash = account.cash.plus(amount);
  const entries = amount.isNegative() ? account.withdrawals : account.deposits;
  entries.push(moneyEntry(world, account, amount.abs()));
  world.emit({ kind: 'account', account });
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
  from.cash = from.cash.minus(amount).minus(fee);
  if (to === undefined) from.withdrawals.push(moneyEntry(world, from, amount));
  else {
    to.cash = to.cash.plus(amount);
    world.emit({ kind: 'account', account: to });
  }
  world.emit({ kind: 'account', account: from });
}
