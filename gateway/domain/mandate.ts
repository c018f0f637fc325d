/**
 * A mandate: a user's permission for an agent (a grant) or a program (an API key) to trade. Pure: `judge` decides from
 * its arguments and has neither clock nor I/O. A holder without a mandate is not limited by one.
 */
import type { DecimalString } from './decimal.ts';
import type { APPROVAL_REASONS, MANDATE_KINDS, MANDATE_RIGHTS } from './enumerations.ts';
import type { AuthorityKind } from './model.ts';
import type { RunawayRules } from './runaway.ts';

/** Ways in which an order can be asked for; `protect` is a take-profit, stop-loss or trailing stop. */
export type MandateKind = (typeof MANDATE_KINDS)[number];

export type MandateRight = (typeof MANDATE_RIGHTS)[number];

/** Hours in which the holder may open; `days` are 1 (Monday) to 7, `from` and `to` are HH:MM of `zone`, an IANA name. */
export interface MandateHours {
  readonly zone: string;
  readonly days: readonly number[];
  readonly from: string;
  /** Excluded. Not after `from`: the hours go on over midnight and belong to the day on which they began. */
  readonly to: string;
}

export interface MandateApproval {
  readonly when: 'never' | 'above' | 'always';
  /** Worst-price notional above which an approval is needed, with `above`; null otherwise. */
  readonly aboveUsd: DecimalString | null;
  /** Kinds that always need an approval, at any size. */
  readonly kinds: readonly MandateKind[];
  /** Notional above which the password is required again; null: never because of the size. */
  readonly passwordAboveUsd: DecimalString | null;
  /** Lifetime of an approval request. */
  readonly lifeSeconds: number;
  /** Largest move of the marks after which an approval needs no new review. */
  readonly driftBps: number;
  /** First-time orders that need an approval: on an account, of an instrument, on a live account. */
  readonly firsts: 'off' | 'live' | 'all';
  /** `ask`: an order repeated within a minute needs an approval. Left out, as in earlier versions: `allow`. */
  readonly duplicates?: 'ask' | 'allow' | undefined;
}

/** Amounts are USD. null: not limited. */
export interface Mandate {
  /** Trade accounts that it may trade. */
  readonly accounts: readonly string[];
  /** Instrument IDs that it may open; `any`: all that are tradable. */
  readonly instruments: 'any' | readonly string[];
  /** Instrument IDs that it may not open, even if `instruments` lists them. */
  readonly deny: readonly string[];
  readonly kinds: readonly MandateKind[];
  /** It may only make positions smaller. */
  readonly reduceOnly: boolean;
  /** `OWN`: it may change only what it placed itself. */
  readonly manage: 'OWN' | 'ALL';
  /** One basket, gross, at the worst allowed price. */
  readonly maxOrderUsd: DecimalString | null;
  /** Opened gross in any 24 hours, rolling, at the worst allowed price. */
  readonly maxOpenedUsd24h: DecimalString | null;
  /** Positions, reservations and the worst case of everything pending of the holder. */
  readonly maxGrossUsd: DecimalString | null;
  readonly maxLeverage: number | null;
  readonly maxPositions: number | null;
  readonly maxResting: number | null;
  /** A fraction: 0.01 is one per cent. */
  readonly maxSlippage: DecimalString | null;
  readonly hours: MandateHours | null;
  /** Epoch ms from which on it opens nothing. */
  readonly validUntil: number | null;
  /** Loss in rolling 24 hours, realised and unrealised, of the holder's own, at which it is suspended. */
  readonly lossStop: { readonly usd: DecimalString; readonly then: 'SUSPEND' | 'SUSPEND_AND_CLOSE' } | null;
  readonly approval: MandateApproval;
  /** Maximum number of orders; after three refusals within a minute the holder waits `coolDownSeconds`. */
  readonly rate: { readonly perMinute: number; readonly perDay: number; readonly coolDownSeconds: number };
  readonly rights: { readonly [right in MandateRight]: boolean };
  /** Behaviour besides a loss for which it is suspended; left out: none. Mandates of earlier versions have none. */
  readonly runaway?: RunawayRules | undefined;
}

/** The money fields, over all holders of a user together. null: not limited. */
export type HouseLimits = Pick<
  Mandate,
  'maxOrderUsd' | 'maxOpenedUsd24h' | 'maxGrossUsd' | 'maxPositions' | 'maxResting'
> & { readonly lossUsd24h: DecimalString | null };

/** Holder of a mandate. */
export interface MandateHolder {
  readonly kind: Exclude<AuthorityKind, 'session'>;
  readonly id: string;
}

/** Name of a limit, as answers and the audit log give it. */
export type MandateLimit =
  | 'accounts'
  | 'instruments'
  | 'kinds'
  | 'reduceOnly'
  | 'manage'
  | 'maxOrderUsd'
  | 'maxOpenedUsd24h'
  | 'maxGrossUsd'
  | 'maxLeverage'
  | 'changeLeverage'
  | 'attributeTrades'
  | 'maxPositions'
  | 'maxResting'
  | 'maxSlippage'
  | 'hours'
  | 'validUntil'
  | 'lossStop'
  | 'suspended'
  | 'rate'
  | 'house.maxOrderUsd'
  | 'house.maxOpenedUsd24h'
  | 'house.maxGrossUsd'
  | 'house.maxPositions'
  | 'house.maxResting'
  | 'house.lossUsd24h';

/**
 * A limit that an order would break. Texts, USD where the limit is one of money; null where there is no figure. `used` of
 * `manage` is how much the holder owns of something that has to be all its own.
 */
export interface BrokenLimit {
  readonly limit: MandateLimit;
  readonly allowed: string | null;
  readonly used: string | null;
  readonly asked: string | null;
}

/** Reason for an approval. */
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

/** `reserveUsd` is the worst-price notional that counts from now on until the order ends. */
export type Judgement =
  | { readonly verdict: 'allowed'; readonly reserveUsd: DecimalString }
  | {
      readonly verdict: 'needs_approval';
      readonly reserveUsd: DecimalString;
      readonly reasons: readonly ApprovalReason[];
    }
  | { readonly verdict: 'refused'; readonly broken: readonly BrokenLimit[] };
