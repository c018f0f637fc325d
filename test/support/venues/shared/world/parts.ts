/** Markets, accounts, positions and orders that every emulated venue has. Each venue adds fields of its own. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';

/** Numerator and denominator. */
export type Fraction = readonly [number, number];

export interface Market {
  readonly index: number;
  readonly name: string;
  readonly onlyIsolated: boolean;
  /** Initial margin of accounts that have not set another one, of the notional. */
  readonly defaultInitial: Fraction;
  /** Margin below which positions are liquidated, of the notional. */
  readonly maintenance: Fraction;
  mark: Decimal;
  oracle: Decimal;
  prevDay: Decimal;
  /** Funding rate of the current hour, a fraction; positive: longs pay. */
  fundingRate: Decimal;
  openInterest: Decimal;
}

export interface MarginSetting {
  readonly isCross: boolean;
  /** Initial margin, of the notional. */
  readonly initial: Fraction;
}

export interface Position<M extends Market = Market> {
  readonly market: M;
  /** Signed: positive is long. */
  size: Decimal;
  /** Cost of the position, signed like `size`: the entry price is this over `size`. */
  cost: Decimal;
  margin: MarginSetting;
  /** Money that lies in an isolated position; 0 where the margin is cross. */
  allocated: Decimal;
  realised: Decimal;
  fundingPaid: Decimal;
}

export interface FundingPayment<M extends Market = Market> {
  readonly id: number;
  readonly time: number;
  readonly market: M;
  /** Positive: received. */
  readonly change: Decimal;
  readonly rate: Decimal;
  readonly size: Decimal;
}

export interface Account<M extends Market = Market> {
  /** Money outside isolated positions, with all realised results. */
  cash: Decimal;
  readonly positions: Map<number, Position<M>>;
  readonly margins: Map<number, MarginSetting>;
  readonly funding: FundingPayment<M>[];
  volume: Decimal;
}

export interface Order<M extends Market = Market, A extends Account = Account> {
  /** The venue's number of it. */
  readonly oid: number;
  /** Its client's name of it; null: none. */
  readonly client: string | number | null;
  readonly owner: A;
  readonly market: M;
  readonly isBuy: boolean;
  readonly reduceOnly: boolean;
  /** False: what does not fill at once is cancelled. */
  readonly rests: boolean;
  readonly limitPx: Decimal;
  readonly origSz: Decimal;
  readonly createdAt: number;
  /** Quantity left to fill. */
  sz: Decimal;
  filledBase: Decimal;
  filledQuote: Decimal;
  status: string;
  updatedAt: number;
}
