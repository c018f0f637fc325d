/** What a round of closing is planned from, and what its plan says. Quantities are base units, positive unless they say otherwise. */
import type { Decimal } from './decimal.ts';
import type { Instrument, LeverageSetting, Quote, Side } from './model.ts';
import type { LegProblem } from './sizing.ts';
import type { UnassignedLot } from './unassigned.ts';

/** Which orders below the venue's minimum value it takes all the same. */
export type MinimumWaiver =
  /** Every reduce-only order. */
  | 'reduce_only'
  /** A reduce-only order that closes the whole net position. */
  | 'full_close'
  | 'none';

/** One order of a closing execution. */
export interface ClosingLeg {
  /** Unique among the legs of the plan. */
  readonly key: string;
  readonly legIndex: number;
  readonly symbol: string;
  /** Of the order: SELL takes out of a long leg. */
  readonly side: Side;
  /** What the basket holds of the leg, base units. */
  readonly held: string;
  /** What is still to be taken out, base units. */
  readonly wanted: string;
  /**
   * The leg is to go altogether: too small a remainder is left over as dust. False for a part of a position, which is a share
   * of what is left once lots have been taken in, and a problem where it is too small.
   */
  readonly isWhole: boolean;
  /** Since when the basket has been there: only lots that are younger were traded against it. */
  readonly heldSince: number;
  readonly slippage: string;
  /** The worst price that was agreed to before; null: none yet, or nothing was ever executed at it. */
  readonly bound: string | null;
}

export interface ClosingInstrument {
  /** undefined: the venue does not list it any more. */
  readonly instrument: Instrument | undefined;
  readonly quote: Quote | undefined;
  readonly stale: boolean;
  readonly leverage: Pick<LeverageSetting, 'leverage' | 'marginMode'> | undefined;
  /** Signed base units that the venue holds. */
  readonly venue: string;
  /** Signed base units of all of the account's baskets, those that close included. */
  readonly baskets: string;
  /** The baskets that hold it. */
  readonly holders: readonly { readonly positionId: string; readonly side: Side }[];
  readonly lots: readonly UnassignedLot[];
  /** The difference that nothing explains has stood still for long enough to be believed. */
  readonly isGapSettled: boolean;
  /** What orders on their way may still add to `venue` or may have added already; signed base units. */
  readonly flights: { readonly low: Decimal; readonly high: Decimal };
}

export interface ClosingAccount {
  readonly freeMargin: string;
  readonly takerRate: string;
  readonly minimumWaiver: MinimumWaiver;
}

/** A part of a lot that goes into the basket, at the lot's price. */
export interface LotTaken {
  readonly lot: UnassignedLot;
  readonly quantity: string;
}

/** Two closing legs of one instrument meet: the one sells what the other buys. */
export interface LegsMatched {
  readonly sell: string;
  readonly buy: string;
  readonly symbol: string;
  readonly quantity: string;
  /** The mark. */
  readonly price: string;
}

export interface ClosingOrder {
  readonly quantity: string;
  readonly limitPrice: string;
  readonly reduceOnly: boolean;
}

export interface ClosingLegPlan {
  readonly leg: ClosingLeg;
  readonly taken: readonly LotTaken[];
  /** Base units that other closing legs take over. */
  readonly matched: string;
  /** Base units too small for an order, left to the account; and their price, the mark. */
  readonly dust: { readonly quantity: string; readonly price: string } | null;
  /** Base units that the venue does not hold any more and its history does not explain; and the price, the mark. */
  readonly adjusted: { readonly quantity: string; readonly price: string } | null;
  readonly order: ClosingOrder | null;
  /** Why something of the leg stays: null when nothing does. */
  readonly problem: LegProblem | null;
}

export interface ClosingPlan {
  readonly legs: readonly ClosingLegPlan[];
  readonly matches: readonly LegsMatched[];
  /** Keys in the order of sending: what frees margin first. */
  readonly sending: readonly string[];
}

export interface Draft {
  readonly leg: ClosingLeg;
  readonly taken: LotTaken[];
  matched: Decimal;
  dust: ClosingLegPlan['dust'];
  adjusted: ClosingLegPlan['adjusted'];
  /** What is left to be sent. */
  left: Decimal;
  order: ClosingOrder | null;
  problem: LegProblem | null;
}
