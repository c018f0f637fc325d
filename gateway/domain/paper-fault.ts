/** Faults that a user puts on a paper account, to see what a bot does about them. They live in memory and always end. */
import type { DecimalString } from './decimal.ts';

/** Most faults on one account at a time. */
export const MOST_PAPER_FAULTS = 20;

export type PaperFaultTerms =
  /** The venue refuses the order. */
  | { readonly kind: 'REJECT' }
  /** `fraction` of the quantity fills, the rest is cancelled. */
  | { readonly kind: 'PARTIAL_FILL'; readonly fraction: DecimalString }
  /** The whole quantity fills at the mark price, whatever the book holds. */
  | { readonly kind: 'FILL' }
  /**
   * The venue's answer is lost, and it says nothing of the account for `silentSeconds`. `executed`: whether the order had
   * arrived.
   */
  | { readonly kind: 'UNKNOWN_OUTCOME'; readonly executed: boolean; readonly silentSeconds: number }
  /** The venue sends no market data: of one instrument, or none at all. */
  | { readonly kind: 'STALE_FEED' };

export interface NewPaperFault {
  readonly id: string;
  readonly terms: PaperFaultTerms;
  /** Only orders, or the feed, of this instrument; null: of any. */
  readonly symbol: string | null;
  /** Orders that it still hits; null for STALE_FEED, which ends by time alone. */
  readonly times: number | null;
  /** Ends after so many seconds at the latest. */
  readonly seconds: number;
}

export interface PaperFault extends NewPaperFault {
  /** Epoch ms. */
  readonly createdAt: number;
  readonly endsAt: number;
}
