/** Money of an account: real, a venue's play money on its test network, or paper, which never leaves the gateway. */

import type { ACCOUNT_MODES, NETWORKS } from './enumerations.ts';
export interface Money {
  readonly mode: (typeof ACCOUNT_MODES)[number];
  /** null: a paper account, or one whose connector is gone. */
  readonly network: (typeof NETWORKS)[number] | null;
}

/** Real money first: the order in which accounts are acted on when something has to stop. */
const MONEY_WORDS = ['LIVE', 'TESTNET', 'PAPER'] as const;
export type MoneyWord = (typeof MONEY_WORDS)[number];

/** A live account whose network is not known counts as real money. */
export function moneyWord({ mode, network }: Money): MoneyWord {
  return mode === 'LIVE' && network === 'testnet' ? 'TESTNET' : mode;
}

/** Accounts of each kind together, real money first; within a kind they stay in their order. */
export function realMoneyFirst<Account>(
  accounts: readonly Account[],
  moneyOf: (account: Account) => Money,
): (readonly Account[])[] {
  return MONEY_WORDS.map((word) => accounts.filter((account) => moneyWord(moneyOf(account)) === word)).filter(
    (kind) => kind.length > 0,
  );
}

/** Kinds of money among accounts, real money first; none: PAPER. */
export function moneyAmong(all: Iterable<Money>): readonly MoneyWord[] {
  const there = new Set([...all].map(moneyWord));
  return there.size === 0 ? ['PAPER'] : MONEY_WORDS.filter((word) => there.has(word));
}

/** One word for all kinds of money together. */
export function moneyMode(among: readonly MoneyWord[]): MoneyWord | 'MIXED' {
  const [word = 'PAPER', ...others] = among;
  return others.length === 0 ? word : 'MIXED';
}
