/** Reason why an order cannot be sent now: the same for the ticket, its review, and a dragged line. */
import { type Basket, basketFault } from '../../features/basket/basket.ts';
import type { HeldPosition } from './chart-lines.ts';
import type { TicketDraft } from './ticket.ts';

export interface Standing {
  readonly basket: Basket;
  /** Legs that the venue does not have; null: not known yet. */
  readonly missing: readonly string[] | null;
  /** True: there is no live data, because the gateway does not answer or its stream is lost. */
  readonly isAway: boolean;
  /** True: the account's holdings could not be read. */
  readonly isUnread: boolean;
  /** The open position in the opposite of the basket; null: there is none. */
  readonly opposite: HeldPosition | null;
}

/** True: the trader has not yet allowed the order to open beside the opposite. */
export function isUndecided(
  opposite: Pick<HeldPosition, 'id'> | null,
  { beside }: Pick<TicketDraft, 'beside'>,
): boolean {
  return opposite !== null && beside !== opposite.id;
}

/** Reason in words; null: nothing prevents sending. Missing parts of the order itself are reported at their fields. */
export function refusalOf(
  { basket, missing, isAway, isUnread, opposite }: Standing,
  ticket: Pick<TicketDraft, 'beside'>,
): string | null {
  if (isAway) return 'No live data: nothing can be sent now.';
  if (isUnread) return 'What this account holds could not be read: nothing can be sent until it is.';
  if (missing !== null && missing.length > 0)
    return `${missing.join(', ')}: not on this venue. Remove ${missing.length === 1 ? 'it' : 'them'} from the basket.`;
  const fault = basketFault(basket);
  if (fault !== null) return fault;
  return isUndecided(opposite, ticket)
    ? 'You hold the opposite: reduce or reverse it, or say that this opens beside it.'
    : null;
}
