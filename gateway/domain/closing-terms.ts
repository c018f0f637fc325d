/** Input and plan of a closing round. Quantities are base units, positive unless stated otherwise. */
import type { Decimal } from './decimal.ts';
import type { Instrument, LeverageSetting, Quote, Side } from './model.ts';
import type { AccountFacts, LegProblem } from './sizing.ts';
import type { UnassignedLot } from './unassigned.ts';

/** Orders that a venue accepts although they are below its minimum value. */
export type MinimumWaiver =
  /** Every reduce-only order. */
  | 'reduce_only'
  /** A reduce-only order that closes the whole net position. */
  | 'full_close'
  | 'none';

/**
 * True: the venue accepts the order below its minimum value.
 * @param order `closesAll`: it takes out the whole net position
 */
export function isMinimumWaived(
  waiver: MinimumWaiver,
  order: { readonly reduceOnly: boolean; readonly closesAll: boolean },
): boolean {
  return order.reduceOnly && (waiver === 'reduce_only' || (waiver === 'full_close' && order.closesAll));
}

/** One order of a closing execution. */
export interface ClosingLeg {
  /** Unique among the legs of the plan. */
  readonly key: string;
  readonly legIndex: number;
  readonly symbol: string;
  /** Side of the order: SELL takes out of a long leg. */
  readonly side: Side;
  /** Quantity of the leg in the basket, base units. */
  readonly held: string;
  /** Quantity still to be taken out, base units. */
  readonly wanted: string;
  /**
   * True: the whole leg is closed, and a remainder too small for an order is left over as dust. False: a part of a
   * position is closed, a share of the leg's quantity once lots have been taken in; too small a part is a problem.
   */
  readonly isWhole: boolean;
  /** Quantity step of the instrument, base units; null: the venue does not list it any more. */
  readonly step: string | null;
  /** Quantity that the trader named for the leg: it is closed down to this; null: none was named. */
  readonly target: string | null;
  /** Time when the basket was opened, epoch ms: only younger lots were traded against the basket. */
  readonly heldSince: number;
  readonly slippage: string;
  /** Worst price that was accepted before; null: none was, or no order was executed at it. */
  readonly bound: string | null;
}

export interface ClosingInstrument {
  /** undefined: the venue does not list the instrument any more. */
  readonly instrument: Instrument | undefined;
  readonly quote: Quote | undefined;
  readonly stale: boolean;
  /** Venue's leverage of the position, else the setting; undefined: the instrument's default. */
  readonly leverage: Pick<LeverageSetting, 'leverage' | 'marginMode'> | undefined;
  /** Signed base units that the venue holds. */
  readonly venue: string;
  /** Signed base units of all of the account's baskets, closing ones included. */
  readonly baskets: string;
  /** Baskets that hold the instrument. */
  readonly holders: readonly { readonly positionId: string; readonly side: Side }[];
  readonly lots: readonly UnassignedLot[];
  /** True: the unexplained difference has stayed the same for long enough to be believed. */
  readonly isGapSettled: boolean;
  /** Minimum and maximum that orders in flight may still add to `venue`, or have added already; signed base units. */
  readonly flights: { readonly low: Decimal; readonly high: Decimal };
}

export interface ClosingAccount extends AccountFacts {
  /** The venue does not report its positions: only orders that cannot open anything there are sent. */
  readonly onlyReduces: boolean;
  readonly minimumWaiver: MinimumWaiver;
}

/** A part of a lot that is transferred into the basket, at the lot's price. */
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
  /** Mark price. */
  readonly price: string;
}

export interface ClosingOrder {
  readonly quantity: string;
  readonly limitPrice: string;
  /** Mark of the sizing. */
  readonly price: string;
  readonly reduceOnly: boolean;
  /** Its size is allowed by the venue's last report on the net position, which orders in flight may have changed. */
  readonly reliesOnTold: boolean;
}

export interface ClosingLegPlan {
  readonly leg: ClosingLeg;
  readonly taken: readonly LotTaken[];
  /** Base units that other closing legs take over. */
  readonly matched: string;
  /** Base units too small for an order, left to the account; and their price, the mark. */
  readonly dust: { readonly quantity: string; readonly price: string } | null;
  /** Base units that the venue no longer holds, without an explanation in its history; and the price, the mark. */
  readonly adjusted: { readonly quantity: string; readonly price: string } | null;
  readonly order: ClosingOrder | null;
  /** Reason why a part of the leg stays open; null: all of it is closed. */
  readonly problem: LegProblem | null;
}

export interface ClosingPlan {
  readonly legs: readonly ClosingLegPlan[];
  readonly matches: readonly LegsMatched[];
  /** Leg keys in the order of sending: orders that free margin go first. */
  readonly sending: readonly string[];
}

export interface Draft {
  readonly leg: ClosingLeg;
  readonly taken: LotTaken[];
  matched: Decimal;
  dust: ClosingLegPlan['dust'];
  adjusted: ClosingLegPlan['adjusted'];
  /** Quantity left to be sent. */
  left: Decimal;
  order: ClosingOrder | null;
  problem: LegProblem | null;
}
