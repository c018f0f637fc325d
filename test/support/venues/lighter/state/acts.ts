/** Ways of money into accounts, out of them and between them. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { Account } from './accounts.ts';
import type { World } from './world.ts';

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
