/** Acts of the venue itself on accounts: funding, liquidation, auto-deleveraging, delisting. */
import { type Decimal, dec, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { type Account, type Fill, type FundingPayment, sizeOf } from './accounts.ts';
import { bookFill, micros } from './fills.ts';
import { accountValue, notional } from './margin.ts';
import { cancelOrder, dropIdleReducers } from './matching.ts';
import type { Asset } from './universe.ts';
import type { World } from './world.ts';

export interface ForcedFill {
  readonly isBuy: boolean;
  readonly px: Decimal;
  readonly sz: Decimal;
  readonly dir?: string;
  readonly feeless?: boolean;
  readonly liquidatedUser?: string;
}

/** A fill that no order of the gateway caused. */
export function forceFill(world: World, account: Account, asset: Asset, forced: ForcedFill): void {
  bookFill(world, account, { ...forced, asset, oid: world.nextOid(), cloid: null, crossed: true });
  dropIdleReducers(world, account, asset);
}

/** A fill on a market that the gateway does not trade; it changes no position and no money here. */
export function fillElsewhere(
  world: World,
  account: Account,
  { coin, isBuy, px, sz, feeToken }: Pick<Fill, 'coin' | 'isBuy' | 'px' | 'sz' | 'feeToken'>,
): void {
  const fill: Fill = {
    ...{ coin, isBuy, px, sz, feeToken, time: world.now(), startPosition: ZERO, closedPnl: ZERO },
    ...{ dir: isBuy ? 'Buy' : 'Sell', hash: world.nextHash(), oid: world.nextOid(), cloid: null },
    ...{ crossed: true, fee: ZERO, tid: world.nextTid(), liquidation: null },
  };
  account.fills.push(fill);
  world.emit({ kind: 'fill', user: account.address, fill });
}

/** Every position pays or receives one interval's funding at the oracle's price. */
export function settleFunding(world: World, at: number): void {
  for (const account of world.accounts()) {
    const payments = [...account.positions.values()].map((position): FundingPayment => {
      const { asset, szi } = position;
      const usdc = micros(szi.mul(asset.oracle).mul(asset.fundingRate).neg());
      position.fundingPaid = position.fundingPaid.minus(usdc);
      if (position.leverage.isCross) account.cash = account.cash.plus(usdc);
      else position.margin = position.margin.plus(usdc);
      return { time: at, asset, usdc, szi, rate: asset.fundingRate, hash: `0x${'0'.repeat(64)}` };
    });
    if (payments.length === 0) continue;
    account.funding.push(...payments);
    world.emit({ kind: 'funding', user: account.address, payments });
  }
}

/** The venue takes over `sz` of a position (all of it where null) at `px`. */
export function liquidate(
  world: World,
  account: Account,
  asset: Asset,
  { px, sz }: { readonly px: Decimal; readonly sz: Decimal | null },
): void {
  for (const order of world.orders.open(account.address)) cancelOrder(world, order, 'liquidatedCanceled');
  const value = accountValue(account);
  const ntl = sum([...account.positions.values()].map(notional));
  const held = sizeOf(account, asset);
  forceFill(world, account, asset, {
    ...{ isBuy: held.isNegative(), px, sz: sz ?? held.abs() },
    liquidatedUser: account.address,
  });
  world.emit({ kind: 'liquidation', id: world.nextTid(), user: account.address, ntl, value });
}

/** The position of a winner is closed against a bankrupt one, without a fee. */
export function deleverage(
  world: World,
  account: Account,
  asset: Asset,
  { px, sz }: { readonly px: Decimal; readonly sz: Decimal | null },
): void {
  const held = sizeOf(account, asset);
  forceFill(world, account, asset, {
    ...{ isBuy: held.isNegative(), px, sz: sz ?? held.abs() },
    ...{ dir: 'Auto-Deleveraging', feeless: true },
  });
}

/** Orders are cancelled, positions settled at the mark, and the instrument stays in the list as delisted. */
export function delist(world: World, asset: Asset): void {
  asset.isDelisted = true;
  for (const order of [...world.book(asset).resting]) cancelOrder(world, order, 'delistedCanceled');
  for (const account of world.accounts()) {
    const held = sizeOf(account, asset);
    if (held.isZero()) continue;
    forceFill(world, account, asset, {
      ...{ isBuy: held.isNegative(), px: asset.mark, sz: held.abs() },
      ...{ dir: 'Settlement', feeless: true },
    });
  }
  world.book(asset).state([], [], false);
  world.emit({ kind: 'market', asset });
}

/** Levels around a price: a tick apart at least, `depth` of them on each side. */
export function levelsAround(
  asset: Asset,
  mark: Decimal,
  { depth, size, spread }: { readonly depth: number; readonly size: Decimal; readonly spread: Decimal },
) {
  const tick = tickAt(asset, mark);
  const half = mark.mul(spread).div(2);
  const step = half.lt(tick) ? tick : half.div(tick).ceil().mul(tick);
  const centre = mark.div(tick).round().mul(tick);
  // Near a power of ten the two sides have different ticks.
  const at = (n: number) => {
    const px = centre.plus(step.mul(n));
    const own = tickAt(asset, px);
    const ticks = px.div(own);
    return { px: (n < 0 ? ticks.floor() : ticks.ceil()).mul(own), sz: size };
  };
  const steps = Array.from({ length: depth }, (_, level) => level + 1);
  return {
    bids: steps.map((n) => at(-n)).filter(({ px }) => px.isPositive() && !px.isZero()),
    asks: steps.map((n) => at(n)),
  };
}

/** Smallest step of a price near `price`. */
export function tickAt(asset: Asset, price: Decimal): Decimal {
  const whole = price.toFixed().split('.')[0]?.replace(/^0+/, '').length ?? 0;
  const zeros = whole > 0 ? -whole : (price.toFixed().split('.')[1]?.match(/^0*/)?.[0].length ?? 0);
  const places = Math.min(5 + zeros, 6 - asset.szDecimals);
  return dec(10).pow(-Math.max(0, places));
}
