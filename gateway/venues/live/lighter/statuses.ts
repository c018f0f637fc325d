/** Lighter's order statuses and their meaning here. Source: its OpenAPI 1.0.272, `Order.status`. */
import type { RejectionReason } from '../../../engine/ports/venue.ts';

export type Meaning =
  /** Taken in; its end is still to come. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'resting' }
  | { readonly kind: 'filled' }
  /** Over, perhaps after a part of it filled. */
  | { readonly kind: 'cancelled' }
  /** Over, and refused without any fill. */
  | { readonly kind: 'refused'; readonly reason: RejectionReason };

const CANCELLED: Meaning = { kind: 'cancelled' };
const refused = (reason: RejectionReason): Meaning => ({ kind: 'refused', reason });

const STATUSES: Readonly<Record<string, Meaning>> = {
  'in-progress': { kind: 'accepted' },
  pending: { kind: 'accepted' },
  open: { kind: 'resting' },
  filled: { kind: 'filled' },
  canceled: CANCELLED,
  'canceled-post-only': refused('price'),
  'canceled-reduce-only': refused('reduce_only'),
  'canceled-position-not-allowed': refused('not_tradable'),
  'canceled-margin-not-allowed': refused('margin'),
  // An IOC that found nothing inside its limit is over, as one that found a little is.
  'canceled-too-much-slippage': CANCELLED,
  'canceled-not-enough-liquidity': CANCELLED,
  'canceled-self-trade': CANCELLED,
  'canceled-expired': CANCELLED,
  'canceled-oco': CANCELLED,
  'canceled-child': CANCELLED,
  'canceled-liquidation': CANCELLED,
  'canceled-invalid-balance': refused('margin'),
};

/** Meaning of an order's status; null: an unknown word, so that fills and position decide. */
export function meaningOfStatus(status: string): Meaning | null {
  if (Object.hasOwn(STATUSES, status)) return STATUSES[status] ?? null;
  if (/^cancel(l?ed)?\b/i.test(status)) return CANCELLED;
  return /^rejected\b/i.test(status) ? refused('other') : null;
}
