/** One execution, booked: position, money, fee, history and the news of it. */
import { type Decimal, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { TradeKind } from '../../shared/world/exchange.ts';
import { sizeOf } from '../../shared/world/margin.ts';
import { changePosition, micros } from '../../shared/world/positions.ts';
import type { Account, Fill } from './accounts.ts';
import type { Asset } from './universe.ts';
import type { World } from './world.ts';

export interface Execution {
  readonly asset: Asset;
  readonly isBuy: boolean;
  readonly px: Decimal;
  readonly sz: Decimal;
  readonly oid: number;
  readonly cloid: string | null;
  /** True: it took a resting order. */
  readonly crossed: boolean;
  readonly kind: TradeKind;
}

/** Stand in a fill's `dir` instead of what the position's change would say. No fee is taken for these. */
const DIRECTIONS: Partial<Record<TradeKind, string>> = {
  deleverage: 'Auto-Deleveraging',
  'market-settlement': 'Settlement',
};

export function bookFill(world: World, account: Account, execution: Execution): void {
  const { asset, isBuy, px, sz, kind } = execution;
  const signed = isBuy ? sz : sz.neg();
  const startPosition = sizeOf(account, asset);
  const closedPnl = changePosition(account, asset, signed, px);
  if (sizeOf(account, asset).isZero()) account.positions.delete(asset.index);
  const rate = execution.crossed ? account.takerRate : account.makerRate;
  const fee = kind in DIRECTIONS ? ZERO : micros(px.mul(sz).mul(rate));
  account.cash = account.cash.minus(fee);
  account.volume = account.volume.plus(px.mul(sz));
  asset.dayVolume = asset.dayVolume.plus(sz);
  asset.dayNotional = asset.dayNotional.plus(px.mul(sz));
  const fill: Fill = {
    ...{ coin: asset.name, px, sz, isBuy, startPosition, closedPnl, fee, feeToken: 'USDC' },
    time: world.now(),
    dir: DIRECTIONS[kind] ?? direction(startPosition, startPosition.plus(signed)),
    hash: world.nextHash(),
    ...{ oid: execution.oid, crossed: execution.crossed },
    cloid: world.fillsNameClientIds ? execution.cloid : null,
    tid: world.nextTradeId(),
    liquidation: kind === 'liquidation' ? { liquidatedUser: account.address, markPx: asset.mark } : null,
  };
  account.fills.push(fill);
  world.emit({ kind: 'fill', account, fill });
}

function direction(before: Decimal, after: Decimal): string {
  const was = before.isZero() ? null : before.isPositive() ? 'Long' : 'Short';
  const is = after.isZero() ? null : after.isPositive() ? 'Long' : 'Short';
  if (was !== null && is !== null && was !== is) return `${was} > ${is}`;
  if (was === null || after.abs().gt(before.abs())) return `Open ${is}`;
  return `Close ${was}`;
}
