/** Words for an order that waits for its user's approval. */
import Big from 'big.js';
import { type Answer, Refusal, ValidationFailed } from '../../../gateway/client/client.ts';
import { legWord } from '../../../gateway/contract/mandate-words.ts';
import { moneyWord } from '../../components/badge.tsx';
import { describeError } from '../../components/describe-error.ts';

export type Approval = Answer<'GET /approvals/{id}'>;

const MONEY = {
  LIVE: 'This is REAL MONEY',
  TESTNET: 'This is play money of a test network',
  PAPER: 'This is play money',
} as const;

export function moneyWords({ account }: Approval): string {
  return MONEY[moneyWord(account)];
}

/** Caps on orders that the owner set when arming a live account. @param amount formats USD */
export function capWords(
  { opens, perOrderUsd, totalUsd }: NonNullable<Approval['account']['caps']>,
  amount: (usd: string) => string,
): string {
  return opens
    ? `orders of up to ${amount(perOrderUsd)}, ${amount(totalUsd)} in all`
    : 'nothing: it is not armed for whoever asks';
}

export const STATUS_WORDS: Readonly<Record<Approval['status'], string>> = {
  PENDING: 'Waits for you',
  APPROVED: 'Approved',
  DENIED: 'Denied',
  EXPIRED: 'Expired',
  WITHDRAWN: 'Withdrawn',
};

export const TITLES: Readonly<Record<Approval['status'], string>> = {
  PENDING: 'An order asks for your approval',
  APPROVED: 'An order that you approved',
  DENIED: 'An order that you denied',
  EXPIRED: 'An order that expired unanswered',
  WITHDRAWN: 'An order that was withdrawn',
};

type Leg = Approval['plan']['legs'][number];

/** Legs without repeated pairs of instrument and side: a ladder has a leg for each level. */
function eachOnce(legs: readonly Leg[]): readonly Leg[] {
  return [...new Map(legs.map((leg) => [`${legWord(leg)} ${leg.symbol}`, leg])).values()];
}

/** Legs with the sides of the position: a reducing order has the opposite side. */
export function legsAsHeld(legs: readonly Leg[]) {
  return eachOnce(legs).map(({ symbol, side, reduces }) => ({
    symbol,
    side: reduces ? (side === 'BUY' ? ('SELL' as const) : ('BUY' as const)) : side,
  }));
}

/**
 * `Long BTC / Short ETH`; null: the legs are not known yet.
 * @param tickerOf instrument id → ticker
 */
export function basketWords(legs: readonly Leg[], tickerOf: (symbol: string) => string): string | null {
  const words = new Map<string, string[]>();
  for (const leg of eachOnce(legs)) {
    const word = legWord(leg);
    words.set(word, [...(words.get(word) ?? []), tickerOf(leg.symbol)]);
  }
  const named = [...words].map(
    ([word, tickers]) => `${word.charAt(0)}${word.slice(1).toLowerCase()} ${tickers.join(' + ')}`,
  );
  return named.length === 0 ? null : named.join(' / ');
}

/** Margin of the opening legs at the current leverage, USD; null: no such leg, or an instrument is not listed. */
export function marginOf(legs: readonly Leg[]): string | null {
  const opening = legs.filter(({ reduces }) => !reduces);
  let margin = new Big(0);
  for (const { worstUsd, leverage } of opening) {
    if (leverage === null) return null;
    margin = margin.plus(new Big(worstUsd).div(leverage));
  }
  return opening.length === 0 ? null : margin.toFixed(2);
}

export const KIND_WORDS: Readonly<Record<Approval['kind'], string>> = {
  now: 'At once',
  when: 'Trigger',
  over_time: 'TWAP',
  ladder: 'Ladder',
  protect: 'Take-profit, stop-loss',
  rebalance: 'Rebalance',
  reverse: 'Reversal',
  margin: 'Margin',
};

/** @param amount formats USD */
export function reasonWords({ reasons, aboveUsd }: Approval, amount: (usd: string) => string): string {
  const words: Readonly<Record<Approval['reasons'][number], string>> = {
    ALWAYS: 'it has to ask about every order',
    ABOVE: `the order is above ${aboveUsd === null ? 'the size' : `the ${amount(aboveUsd)}`} up to which it may order by itself`,
    KIND: 'it has to ask about orders of this kind',
    FIRST_ON_ACCOUNT: 'it is its first order on this account',
    FIRST_OF_INSTRUMENT: 'it is its first order of an instrument',
    FIRST_LIVE: 'it is its first order with real money',
    DUPLICATE: 'it asked for the same order within the last minute',
    LOOSENS: 'a position would be protected less',
  };
  return reasons.map((reason) => words[reason]).join(', and ');
}

/** Outcome of a decided order, in words; empty: it is still pending. */
export function endWords({ status, withdrawnBecause }: Approval): string {
  switch (status) {
    case 'PENDING':
      return '';
    case 'APPROVED':
      return 'You approved it, and it was placed.';
    case 'DENIED':
      return 'You denied it. Nothing was ordered.';
    case 'EXPIRED':
      return 'Nobody answered in time. Nothing was ordered.';
    case 'WITHDRAWN':
      return `${withdrawnBecause ?? 'It was withdrawn'}. Nothing was ordered.`;
  }
}

const CHANGED = new Set<unknown>(['PRICE_MOVED', 'MANDATE_CHANGED', 'PLAN_CHANGED']);

/** Error of a decision as a sentence. The password is the only typed field. */
export function problemWords(error: unknown): string {
  const [field] = error instanceof ValidationFailed ? error.fields : [];
  const said = field?.path === 'password' ? field.message : describeError(error).text;
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** True: the refusal says that figures have changed, so the user must review them again. */
export function hasNewFigures(error: unknown): boolean {
  if (!(error instanceof Refusal) || typeof error.details !== 'object' || error.details === null)
    return false;
  return 'reason' in error.details && CHANGED.has(error.details.reason);
}
