/** Acts of the venue itself on accounts: forced fills and delisting. */
import { type Decimal, dec, ZERO } from '../../../../../gateway/domain/decimal.ts';
import { sizeOf } from '../../shared/world/margin.ts';
import type { Account, Fill } from './accounts.ts';
import type { Asset } from './universe.ts';
import type { World } from './world.ts';

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

/** Orders are cancelled, positions settled at the mark, and the instrument stays in the list as delisted. */
export function delist(world: World, asset: Asset): void {
  asset.isDelisted = true;
  for (const order of [...world.book(asset).resting]) world.cancel(order, 'delistedCanceled');
  for (const account of world.accounts()) {
    if (sizeOf(account, asset).isZero()) continue;
    world.closePosition(account, asset, { kind: 'market-settlement', price: asset.mark, size: null });
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
