/**
 * Limits of a live account: whether it is armed, which callers besides its owner's sessions may open, and how much.
 * They apply to openings; closes are never limited. A paper account has none.
 */
import type { Placed } from './authority.ts';
import { type Decimal, type DecimalString, dec, sum, ZERO } from './decimal.ts';

export interface AccountLimits {
  readonly tradeAccountId: string;
  readonly armed: boolean;
  /** The venue's name of the account that was armed: credentials of another account there do not inherit the arming. */
  readonly armedFor: string;
  readonly armedAt: number | null;
  /** Maximum notional of one order, USD. */
  readonly perOrderUsd: DecimalString;
  /** Maximum open notional of the account, orders in flight included, USD. */
  readonly totalUsd: DecimalString;
  /** Loss of a UTC day after which nothing is opened until the next one, USD; null: no limit. */
  readonly dayLossUsd: DecimalString | null;
  /** Instruments that may be opened; null: all. */
  readonly instruments: readonly string[] | null;
  /** Callers that may open besides the owner's sessions. */
  readonly allow: { readonly apiKeys: boolean; readonly grants: boolean };
  /** True: API keys and grants may read the venue credentials; null: never chosen, which means yes. */
  readonly programsReadCredentials: boolean | null;
  /** Time at which a person confirmed the summary of the account's first live order. */
  readonly firstOrderConfirmedAt: number | null;
  readonly updatedAt: number;
}

/** Limits of an account that nobody has armed so far, with the proposed caps. */
export function unarmedLimits(tradeAccountId: string): AccountLimits {
  return {
    tradeAccountId,
    armed: false,
    armedFor: '',
    armedAt: null,
    perOrderUsd: '100',
    totalUsd: '500',
    dayLossUsd: null,
    instruments: null,
    allow: { apiKeys: false, grants: false },
    programsReadCredentials: null,
    firstOrderConfirmedAt: null,
    updatedAt: 0,
  };
}

/** Why something may not be opened. */
export interface LimitProblem {
  readonly code: 'ACCOUNT_NOT_ARMED' | 'CALLER_NOT_ALLOWED' | 'CAP_EXCEEDED';
  readonly message: string;
}

/** An order that opens, and its notional in USD. */
export interface OpeningNotional {
  readonly symbol: string;
  readonly notional: Decimal;
}

/** Checks that the account is armed, also for the caller that placed the opening order. */
export function mayOpenBy(limits: AccountLimits, { authorityKind }: Placed): LimitProblem | null {
  if (!limits.armed) {
    return {
      code: 'ACCOUNT_NOT_ARMED',
      message:
        'The live account is not armed, so nothing is opened on it: its owner arms it on the dashboard or with `tandem venue arm`',
    };
  }
  const who = { api_key: 'apiKeys', oauth_grant: 'grants' } as const;
  if (authorityKind === null || authorityKind === 'session' || limits.allow[who[authorityKind]]) return null;
  const caller = authorityKind === 'api_key' ? 'API keys' : 'Agents';
  return {
    code: 'CALLER_NOT_ALLOWED',
    message: `${caller} may not open anything on this live account: its owner allows it by arming the account with \`allow.${who[authorityKind]}\``,
  };
}

/** The first order that is more than one order may be, or of an instrument that may not be opened. */
export function orderProblem(
  { perOrderUsd, instruments }: AccountLimits,
  orders: readonly OpeningNotional[],
): LimitProblem | null {
  const foreign = orders.find(({ symbol }) => instruments?.includes(symbol) === false);
  if (foreign !== undefined) {
    return {
      code: 'CAP_EXCEEDED',
      message: `${foreign.symbol} is not among the instruments that may be opened on this account`,
    };
  }
  const large = orders.find(({ notional }) => notional.gt(perOrderUsd));
  if (large === undefined) return null;
  return {
    code: 'CAP_EXCEEDED',
    message: `${large.symbol}: ${usd(large.notional)} USD is more than the ${perOrderUsd} USD that one order may be on this account`,
  };
}

/** @param held open notional and orders in flight, without `orders` */
export function totalProblem(
  { totalUsd }: AccountLimits,
  held: Decimal,
  orders: readonly OpeningNotional[],
): LimitProblem | null {
  const asked = sum(orders.map(({ notional }) => notional));
  if (asked.lte(ZERO) || held.plus(asked).lte(totalUsd)) return null;
  return {
    code: 'CAP_EXCEEDED',
    message: `${usd(held)} USD are open or in flight and ${usd(asked)} USD are to be opened: more than the ${totalUsd} USD that the account may hold in all`,
  };
}

/** @param lost loss of the day, USD; negative: a profit */
export function dayLossProblem({ dayLossUsd }: AccountLimits, lost: Decimal): LimitProblem | null {
  if (dayLossUsd === null || lost.lt(dec(dayLossUsd))) return null;
  return {
    code: 'CAP_EXCEEDED',
    message: `The account has lost ${usd(lost)} USD today, and its limit is ${dayLossUsd} USD: nothing is opened before the next day (UTC)`,
  };
}

function usd(value: Decimal): string {
  return value.toFixed(2);
}
