/** Asking a venue about one order by its client order id alone. */
import type { Result } from '../../gateway/domain/result.ts';
import type {
  OrderLookup,
  OrderRef,
  Venue,
  VenueAccount,
  VenueError,
} from '../../gateway/engine/ports/venue.ts';

export function refOf(clientOrderId: string): OrderRef {
  return { clientOrderId, venueOrderId: null, sent: null };
}

export async function lookUp(
  venue: Pick<Venue, 'ordersByClientIds'>,
  account: VenueAccount,
  clientOrderId: string,
): Promise<Result<OrderLookup, VenueError>> {
  const told = await venue.ordersByClientIds(account, [refOf(clientOrderId)]);
  if (!told.ok) return told;
  const [value] = told.value;
  if (value === undefined || told.value.length > 1) throw new Error('one answer was due');
  return { ok: true, value };
}
