/** The user's accounts as the sentences of a mandate name them. */
import type { NamedAccount } from '../../../gateway/contract/mandate-words.ts';
import type { TradeAccount } from '../../api/session.ts';
import { moneyWord } from '../../components/badge.tsx';

export function namedAccounts(accounts: readonly TradeAccount[]): readonly NamedAccount[] {
  return accounts.map((account) => ({ id: account.id, alias: account.alias, money: moneyWord(account) }));
}
