/** `updateLeverage`, `updateIsolatedMargin`: null where done, else the venue's words. */
import { dec } from '../../../../../gateway/domain/decimal.ts';
import { type Account, leverageOf } from '../state/accounts.ts';
import { freeMargin, notional, unrealised } from '../state/margin.ts';
import type { World } from '../state/world.ts';
import type { ActionOf } from '../wire/actions.ts';

const MILLION = dec(1_000_000);
/** Margin cannot be taken out of a position below a tenth of its worth. */
const TRANSFER_FLOOR = dec('0.1');

export function updateLeverage(
  world: World,
  account: Account,
  { asset: index, isCross, leverage }: ActionOf<'updateLeverage'>,
): string | null {
  const asset = world.assets[index];
  if (asset === undefined) return 'Invalid asset';
  if (leverage > asset.maxLeverage) return 'Invalid leverage value';
  if (isCross && asset.onlyIsolated) return 'Cross margin is not allowed for this asset.';
  const position = account.positions.get(index);
  const open = world.orders.open(account.address);
  const before = leverageOf(account, asset);
  const busy = position !== undefined || open.some((order) => order.asset === asset);
  if (busy && before.isCross !== isCross) return 'Cannot switch leverage type with open position.';
  if (position !== undefined && leverage < position.leverage.value) {
    const needed = notional(position).div(leverage);
    if (isCross) {
      const more = needed.minus(notional(position).div(position.leverage.value));
      if (more.gt(freeMargin(account, open))) {
        return 'Cross position does not have sufficient margin available to decrease leverage. To decrease leverage, deposit more collateral.';
      }
    } else if (position.margin.plus(unrealised(position)).lt(needed)) {
      return 'Isolated position does not have sufficient margin available to decrease leverage. To decrease leverage, add margin to the position.';
    }
  }
  account.leverage.set(index, { isCross, value: leverage });
  if (position !== undefined) position.leverage = { isCross, value: leverage };
  return null;
}

export function updateIsolatedMargin(
  world: World,
  account: Account,
  { asset: index, ntli }: ActionOf<'updateIsolatedMargin'>,
): string | null {
  const position = account.positions.get(index);
  if (ntli === 0) return 'Update to isolated margin cannot be zero.';
  if (position === undefined) return 'Cannot update margin for empty position.';
  if (position.leverage.isCross) return 'Position does not use isolated margin.';
  const amount = dec(ntli).div(MILLION);
  if (amount.isPositive()) {
    if (amount.gt(freeMargin(account, world.orders.open(account.address)))) {
      return 'Account does not have sufficient margin available for increase.';
    }
  } else {
    const left = position.margin.plus(unrealised(position)).plus(amount);
    const initial = notional(position).div(position.leverage.value);
    if (left.lt(initial) || left.lt(notional(position).mul(TRANSFER_FLOOR))) {
      return 'Position does not have sufficient margin for reduction.';
    }
  }
  position.margin = position.margin.plus(amount);
  account.cash = account.cash.minus(amount);
  return null;
}
