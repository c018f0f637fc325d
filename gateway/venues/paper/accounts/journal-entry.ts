/**
 * Journal entries of the paper exchange. Accounts change through effects only: deciding about an order produces
 * effects, and replaying the same effects after a crash produces the same accounts, whatever the market does
 * meanwhile.
 */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { MarginMode, Side } from '../../../domain/model.ts';
import type { PlaceOrder, RejectionReason, VenueFill, VenueFunding } from '../../../engine/ports/venue.ts';

export type Effect = { readonly account: string } & (
  | { readonly kind: 'opened'; readonly deposit: DecimalString }
  /**
   * The account is set back to `deposit` without positions. Effects before this one have closed its working orders.
   */
  | { readonly kind: 'reset'; readonly deposit: DecimalString }
  | {
      readonly kind: 'leverage';
      readonly symbol: string;
      readonly leverage: number;
      readonly marginMode: MarginMode;
      /** New margin of an open isolated position; null: no isolated position is open. */
      readonly isolatedMargin: DecimalString | null;
    }
  /** USD moved into or out of an open isolated position, and the margin of the position after the change. */
  | { readonly kind: 'margin'; readonly symbol: string; readonly isolatedMargin: DecimalString }
  | {
      readonly kind: 'rejected';
      readonly order: PlaceOrder;
      readonly reason: RejectionReason;
      readonly message: string;
    }
  | { readonly kind: 'accepted'; readonly order: PlaceOrder; readonly venueOrderId: string }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'closed'; readonly clientOrderId: string; readonly state: 'filled' | 'cancelled' }
  | { readonly kind: 'funding'; readonly funding: VenueFunding }
  /** USD that the insurance fund pays when a liquidation leaves the account below zero. */
  | { readonly kind: 'insured'; readonly amount: DecimalString }
);

/**
 * Liquidity taken from the market: id, side, quantity, limit. Repeated on replay, so that the order book becomes the
 * same.
 */
export type Take = readonly [id: string, side: Side, quantity: DecimalString, limit: DecimalString];

export interface JournalEntry {
  /** Number of the entry; rises by one, without gaps. */
  readonly n: number;
  /** Wall clock, epoch ms. */
  readonly at: number;
  /** Market time of the state on which the entry was decided. */
  readonly marketAt: number;
  readonly takes: readonly Take[];
  readonly effects: readonly Effect[];
}

/** State of the market, written now and then so that a restart does not simulate all of the past again. */
export interface MarketCheckpoint {
  readonly marketAt: number;
  readonly market: string;
}
