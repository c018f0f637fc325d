/** Untrue answers of a scripted venue's order lookups, before the true ones. */
import type { OrderOutcome, PlaceOrder } from '../../gateway/engine/ports/venue.ts';

export type EarlyLookup =
  | 'no_answer'
  | 'not_found'
  | 'resting'
  | 'accepted'
  /** A word that nobody knows. */
  | 'listed'
  | 'done_without_fills'
  /** All of it filled, whatever did. */
  | 'filled';

/** null: the venue's state of the order is the answer. */
export function earlyAnswer(
  said: EarlyLookup,
  { order, venueOrderId }: { readonly order: PlaceOrder; readonly venueOrderId: string },
): OrderOutcome | null {
  const { clientOrderId, quantity } = order;
  switch (said) {
    case 'resting':
      return { kind: 'resting', clientOrderId, venueOrderId, filledQuantity: '0', fills: [] };
    case 'accepted':
      return { kind: 'accepted', clientOrderId, venueOrderId };
    case 'listed':
      return { kind: 'listed', clientOrderId, message: 'the venue says melted' };
    case 'filled':
      return {
        ...{ kind: 'done', state: 'filled', clientOrderId, venueOrderId },
        ...{ filledQuantity: quantity, fills: [] },
      };
    default:
      return null;
  }
}
