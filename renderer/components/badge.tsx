/** A state in a word. Colour repeats what the word says. */
import type { ReactNode } from 'react';
import css from './badge.module.css';
import { classNames } from './class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'warn' | 'danger' | 'quiet';

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: BadgeTone;
  readonly children: ReactNode;
}) {
  return <span className={classNames(css['badge'], css[tone])}>{children}</span>;
}

/** Kind of money that an account or a connector trades with. */
export interface Money {
  readonly mode: 'PAPER' | 'LIVE';
  /** Missing or null: a paper account. */
  readonly network?: 'mainnet' | 'testnet' | null | undefined;
}

/** Fields of an account that its mark and name need. */
export interface NamedAccount extends Money {
  readonly alias: string;
}

/** LIVE is real money; TESTNET is the venue's play money; PAPER never leaves this gateway. */
export function moneyWord({ mode, network }: Money): 'LIVE' | 'TESTNET' | 'PAPER' {
  return mode === 'LIVE' && network === 'testnet' ? 'TESTNET' : mode;
}

const MONEY_ORDER = ['LIVE', 'TESTNET', 'PAPER'];

/** Sorts by urgency in a stop: real money first, then testnet, then paper. */
export function realMoneyFirst<Account extends Money>(accounts: readonly Account[]): readonly Account[] {
  const place = (account: Account) => MONEY_ORDER.indexOf(moneyWord(account));
  return [...accounts].sort((a, b) => place(a) - place(b));
}

const MONEY_CLASS = { LIVE: 'live', TESTNET: 'testnet', PAPER: 'paper' } as const;

/** The mark of an account, from the gateway's answer only: a word, a shape of its own and a colour. */
export function ModeBadge(money: Money) {
  const word = moneyWord(money);
  return <span className={classNames(css['badge'], css[MONEY_CLASS[word]])}>{word}</span>;
}

/** Picks the three fields of the mark from a larger object. */
export function markOf({ mode, network, alias }: NamedAccount): NamedAccount {
  return { mode, network, alias };
}

export function AccountMark({ mode, network, alias }: NamedAccount) {
  return (
    <span className={css['account']}>
      <ModeBadge mode={mode} network={network} /> <bdi>{alias}</bdi>
    </span>
  );
}
