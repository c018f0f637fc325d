/** `updateLeverage`, `updateIsolatedMargin`: null where done, else the venue's words. */
import { dec } from '../../../../../gateway/domain/decimal.ts';
import { freeMargin, initial, isolatedValue, marginOf, notional } from '../../shared/world/margin.ts';
import type { MarginSetting } from '../../shared/world/parts.ts';
import type { Account } from '../state/accounts.ts';
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
  const asset = world.at(index);
  if (asset === undefined) return 'Invalid asset';
  if (leverage > asset.maxLeverage) return 'Invalid leverage value';
  if (isCross && asset.onlyIsolated) return 'Cross margin is not allowed for this asset.';
  const position = account.positions.get(index);
  const open = world.orders.open(account);
  const before = marginOf(account, asset);
  const busy = position !== undefined || open.some((order) => order.market === asset);
  if (busy && before.isCross !== isCross) return 'Cannot switch leverage type with open position.';
  if (position !== undefined && leverage < position.margin.initial[1]) {
    const needed = notional(position).div(leverage);
    if (isCross) {
      const more = needed.minus(initial(position));
      if (more.gt(freeMargin(account, open))) {
        return 'Cross position does not have sufficient margin available to decrease leverage. To decrease leverage, deposit more collateral.';
      }
    } else if (isolatedValue(position).lt(needed)) {
      return 'Isolated position does not have sufficient margin available to decrease leverage. To decrease leverage, add margin to the position.';
    }
  }
  const setting: MarginSetting = { isCross, initial: [1, leverage] };
  account.margins.set(index, setting);
  if (position !== undefined) position.margin = setting;
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
  if (position.margin.isCross) return 'Position does not use isolated margin.';
  const amount = dec(ntli).div(MILLION);
  if (amount.isPositive()) {
    if (amount.gt(freeMargin(account, world.orders.open(account)))) {
      return 'Account does not have sufficient margin available for increase.';
    }
  } else {
    const left = isolatedValue(position).plus(amount);
    if (left.lt(initial(position)) || left.lt(notional(position).mul(TRANSFER_FLOOR))) {
      return 'Position does not have sufficient margin for reduction.';
    }
  }
  position.allocated = position.allocated.plus(amount);
  account.cash = account.cash.minus(amount);
  return null;
}
