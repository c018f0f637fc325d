/** One trade, booked: positions, money, fees, history and the news of it. */
import { type Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { TradeKind } from '../../shared/world/exchange.ts';
import { marginOf } from '../../shared/world/margin.ts';
import { changePosition, micros } from '../../shared/world/positions.ts';
import type { Trade, TradeSide } from './accounts.ts';
import type { Market } from './markets.ts';
import type { Order } from './orders.ts';
import type { World } from './world.ts';

const MILLION = 1_000_000;
const SOMEBODY = 281_474_976_639_642;

export interface Party {
  readonly account: number;
  readonly orderIndex: number;
  readonly clientIndex: number;
  /** Account that collects a fee beside the venue's, with its millionths as a taker and as a maker; 0: nobody. */
  readonly integrator: number;
  readonly integratorFees: readonly [taker: number, maker: number];
}

/** Whoever has no order here stands behind the script's levels and the venue's own trades. */
export function partyOf(
  world: World,
  order: Order | null,
  isBuy: boolean,
  account = order?.owner.index ?? SOMEBODY,
): Party {
  return {
    account,
    orderIndex: order?.oid ?? world.nextOrderIndex(isBuy),
    clientIndex: order?.client ?? 0,
    integrator: order?.integrator ?? 0,
    integratorFees: order?.integratorFees ?? [0, 0],
  };
}

export interface Execution {
  readonly market: Market;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly takerIsBuy: boolean;
  readonly taker: Party;
  readonly maker: Party;
  readonly type: TradeKind;
}

export function bookTrade(world: World, execution: Execution): void {
  const { market, price, size, takerIsBuy, type } = execution;
  const quote = price.mul(size);
  const taker = side(world, execution, execution.taker, { isBuy: takerIsBuy, isTaker: true });
  const maker = side(world, execution, execution.maker, { isBuy: !takerIsBuy, isTaker: false });
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
}

/** A side that has no account here. */
const UNTOUCHED = {
  ...{ fee: 0, integratorFee: 0, pnl: ZERO, signChanged: false },
  ...{ sizeBefore: ZERO, costBefore: ZERO, allocatedBefore: ZERO, allocatedAfter: ZERO },
};

function side(
  world: World,
  { market, price, size, type }: Execution,
  party: Party,
  how: { readonly isBuy: boolean; readonly isTaker: boolean },
): TradeSide {
  const { integratorFees, ...named } = party;
  const account = world.find(party.account);
  if (account === undefined) return { ...named, ...UNTOUCHED, fractionBefore: market.defaultInitial[0] };
  const held = account.positions.get(market.index);
  const before = {
    ...{ sizeBefore: held?.size ?? ZERO, costBefore: held?.cost ?? ZERO },
    fractionBefore: marginOf(account, market).initial[0],
    allocatedBefore: held?.allocated ?? ZERO,
  };
  const isFree = type !== 'trade';
  const fee = isFree ? 0 : how.isTaker ? account.takerFee : account.makerFee;
  const integratorFee = isFree ? 0 : integratorFees[how.isTaker ? 0 : 1];
  const pnl = changePosition(account, market, how.isBuy ? size : size.neg(), price);
  const { size: after = ZERO, allocated: allocatedAfter = ZERO } = account.positions.get(market.index) ?? {};
  const quote = price.mul(size);
  account.cash = account.cash.minus(micros(quote.mul(fee + integratorFee).div(MILLION)));
  account.volume = account.volume.plus(quote);
  const signChanged = !before.sizeBefore.isZero() && before.sizeBefore.mul(after).isNegative();
  return { ...named, fee, integratorFee, ...before, allocatedAfter, pnl, signChanged };
}
