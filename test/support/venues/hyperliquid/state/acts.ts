/** Acts of the venue itself on accounts: liquidation, auto-deleveraging, delisting. */
import { type Decimal, dec, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { accountValue, notional, sizeOf } from '../../shared/world/margin.ts';
import type { Account, Fill } from './accounts.ts';
import { bookFill } from './fills.ts';
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
  world.dropIdleReducers(account, asset);
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
    ...{ crossed: true, fee: ZERO, tid: world.nextTradeId(), liquidation: null },
  };
  account.fills.push(fill);
  world.emit({ kind: 'fill', account, fill });
}

/** The venue takes over `sz` of a position (all of it where null) at `px`. */
export function liquidate(
  world: World,
  account: Account,
  asset: Asset,
  { px, sz }: { readonly px: Decimal; readonly sz: Decimal | null },
): void {
  for (const order of world.orders.open(account)) world.cancel(order, 'liquidatedCanceled');
  const value = accountValue(account);
  const ntl = sum([...account.positions.values()].map(notional));
  const held = sizeOf(account, asset);
  forceFill(world, account, asset, {
    ...{ isBuy: held.isNegative(), px, sz: sz ?? held.abs() },
    liquidatedUser: account.address,
  });
  world.emit({ kind: 'liquidation', id: world.nextTradeId(), account, ntl, value });
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
  for (const order of [...world.book(asset).resting]) world.cancel(order, 'delistedCanceled');
  for (const account of world.accounts()) {
    const held = sizeOf(account, asset);
    if (held.isZero()) continue;
    forceFill(world, account, asset, {
      ...{ isBuy: held.isNegative(), px: asset.mark, sz: held.abs() },
      ...{ dir: 'Settlement', feeless: true },
    });
  }
  world.book(asset).state([], [], false);
  world.emit({ kind: 'market', market: asset });
}

/** Smallest step of a price near `price`. */
export function tickAt(asset: Asset, price: Decimal): Decimal {
  const whole = price.toFixed().split('.')[0]?.replace(/^0+/, '').length ?? 0;
  const zeros = whole > 0 ? -whole : (price.toFixed().split('.')[1]?.match(/^0*/)?.[0].length ?? 0);
  const places = Math.min(5 + zeros, 6 - asset.szDecimals);
  return dec(10).pow(-Math.max(0, places));
}
