/** Orders at an exchange, their outcomes, and an account's holdings. Times: epoch ms, amounts: decimal strings. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { LIQUIDITIES } from '../../domain/enumerations.ts';
import type { ForcedCause, MarginMode, Side } from '../../domain/model.ts';

export interface PlaceOrder {
  /** Unique per account forever: a venue that knows the id returns the first outcome without executing again. */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: DecimalString;
  readonly limitPrice: DecimalString;
  readonly timeInForce: 'IOC' | 'GTC';
  readonly reduceOnly: boolean;
  /** Epoch ms; the venue refuses an order that arrives later. */
  readonly expiresAt: number;
}

/** An order that may be at the venue, with everything that venues need to find it. */
export interface OrderRef {
  readonly clientOrderId: string;
  /** The venue's own id; null: not reported. */
  readonly venueOrderId: string | null;
  /** null: the order was placed outside Tandem, and only its ids are known. */
  readonly sent: SentOrder | null;
}

export interface SentOrder {
  readonly symbol: string;
  readonly side: Side;
  /** Base units, at most; an attempt may be for less than the order's open quantity. */
  readonly quantity: DecimalString;
  /** Time of the first possible sending, epoch ms. */
  readonly sentAt: number;
  readonly expiresAt: number;
}

export interface VenueFill {
  /** Unique per account. */
  readonly tradeId: string;
  /** True: the venue's id was unreadable. `tradeId` comes from the content, and may be stored under the real id. */
  readonly isUnnamed?: true;
  readonly clientOrderId: string | null;
  readonly venueOrderId: string | null;
  readonly symbol: string;
  readonly side: Side;
  readonly price: DecimalString;
  readonly quantity: DecimalString;
  readonly fee: DecimalString;
  readonly feeAsset: string;
  readonly liquidity: (typeof LIQUIDITIES)[number];
  readonly isLiquidation: boolean;
  /** Set if the venue closed a holding for a reason other than lack of margin. */
  readonly forced?: ForcedCause;
  readonly timestamp: number;
}

export type RejectionReason =
  | 'margin'
  | 'minimum'
  | 'tick'
  | 'reduce_only'
  | 'not_tradable'
  | 'expired'
  | 'price'
  /** The venue temporarily accepts only post-only orders. */
  | 'post_only'
  | 'other';

/** State of an order at the venue. Trust `filledQuantity`: `fills` may lag behind it. */
export type OrderOutcome =
  | {
      readonly kind: 'done';
      /** `filled`: completely. `cancelled`: the IOC remainder found no more liquidity inside the limit. */
      readonly state: 'filled' | 'cancelled';
      readonly clientOrderId: string;
      readonly venueOrderId: string;
      readonly filledQuantity: DecimalString;
      readonly fills: readonly VenueFill[];
    }
  | {
      readonly kind: 'resting';
      readonly clientOrderId: string;
      readonly venueOrderId: string;
      readonly filledQuantity: DecimalString;
      readonly fills: readonly VenueFill[];
    }
  | {
      readonly kind: 'rejected';
      readonly clientOrderId: string;
      readonly reason: RejectionReason;
      readonly message: string;
    }
  /** The venue lists the order with a status that says neither that it rests nor how it ended. */
  | { readonly kind: 'listed'; readonly clientOrderId: string; readonly message: string }
  /** The venue has accepted the request without an outcome: the account stream reports the order's end. */
  | { readonly kind: 'accepted'; readonly clientOrderId: string; readonly venueOrderId: string | null }
  /**
   * The venue cannot have the order: no byte of it was sent, or the venue refused to process it (rate limit, nonce). It
   * may be sent again with the same client order id from `retryAt` (epoch ms) on, until it expires.
   */
  | {
      readonly kind: 'not_sent';
      readonly clientOrderId: string;
      readonly retryAt: number;
      readonly message: string;
    }
  /** No answer: the order may or may not have executed. Ask `ordersByClientIds`, never send again. */
  | { readonly kind: 'unknown'; readonly clientOrderId: string; readonly message: string };

export type OrderLookup =
  | OrderOutcome
  /** The venue answers that it does not know this id. Final once `expiresAt + settleMs` has passed. */
  | { readonly kind: 'not_found'; readonly clientOrderId: string };

export interface VenuePosition {
  readonly symbol: string;
  /** Signed base units: positive is long, negative is short. */
  readonly quantity: DecimalString;
  readonly entryPrice: DecimalString;
  /** USD, unsigned: what it was opened for, where the venue tells it with more digits than `entryPrice` × quantity has. */
  readonly entryNotional?: DecimalString;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  /** USD. Cross: margin set aside at the mark; isolated: the position's own margin, including its profit and loss. */
  readonly marginUsed: DecimalString;
  /** USD, at the same marks as the equity of the same reading. */
  readonly unrealizedPnl: DecimalString;
  /** null: no liquidation price applies. */
  readonly liquidationPrice: DecimalString | null;
}

export interface VenueBalances {
  readonly asset: string;
  readonly balance: DecimalString;
  /** balance + unrealised PnL */
  readonly equity: DecimalString;
  readonly marginUsed: DecimalString;
  /** Amount available as initial margin of new positions. */
  readonly freeMargin: DecimalString;
  /**
   * Deposits minus withdrawals in USD over the account's whole life, including payments by the venue's insurance fund.
   * Equity is this sum plus the result of all fills and funding payments. A reset of a paper account withdraws the
   * balance and deposits the starting balance. Missing if the venue does not report it.
   */
  readonly deposits?: DecimalString;
}

export interface VenueFunding {
  /** Unique per account. */
  readonly venueId: string;
  readonly symbol: string;
  /** Funding rate per interval; positive: longs pay. */
  readonly rate: DecimalString;
  readonly markPrice: DecimalString;
  /** Signed position quantity on which the payment was computed. */
  readonly quantity: DecimalString;
  /** USD; positive = received by the account. */
  readonly amount: DecimalString;
  readonly timestamp: number;
}

/** All events of an account after `cursor`, oldest first; `cursor` is opaque. */
export interface VenueHistory {
  readonly fills: readonly VenueFill[];
  readonly funding: readonly VenueFunding[];
  readonly nextCursor: string;
  /** Fills from this time on (epoch ms) are repeated with `nextCursor`. Default: none. */
  readonly toldAgainFrom?: number;
  /** True: call again with `nextCursor`. */
  readonly more: boolean;
}

export type AccountEvent =
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'funding'; readonly funding: VenueFunding }
  /** The order's state as the venue reports it: its end, with or without its fills, or that it rests. */
  | { readonly kind: 'order'; readonly outcome: OrderOutcome }
  /** The stream was interrupted and is back. Events in between must be read with `history`. */
  | { readonly kind: 'reconnected' };
