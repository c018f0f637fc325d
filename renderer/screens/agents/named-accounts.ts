/** The user's accounts in the form that sentences about a mandate need. */
import type { NamedAccount } from '../../../gateway/contract/mandate-words.ts';
import type { TradeAccount } from '../../api/session.ts';
import { moneyWord } from '../../components/badge.tsx';

export function namedAccounts(accounts: readonly TradeAccount[]): readonly NamedAccount[] {
  return accounts.map((account) => ({ id: account.id, alias: account.alias, money: moneyWord(account) }));
}
