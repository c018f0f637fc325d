/** Rules of sending orders that are alike at every live venue. */
import { fail } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** After a nonce was refused, and after several in a row. */
const NONCE_MS = 100;
const NONCES_MS = 2_000;
/** Measurements of the clock differ by less. */
const CLOCK_STEP_MS = 250;

export const NO_SUCH_ORDER = fail<VenueError>({ kind: 'rejected', message: 'There is no such order' });

/** Groups of orders with one expiry each, which may leave in one request. */
export function byExpiry<Leg extends { readonly order: PlaceOrder }>(
  legs: readonly Leg[],
): ReadonlyMap<number, readonly Leg[]> {
  const groups = new Map<number, Leg[]>();
  for (const leg of legs) {
    const { expiresAt } = leg.order;
    groups.set(expiresAt, [...(groups.get(expiresAt) ?? []), leg]);
  }
  return groups;
}

/** One outcome per order, in their order. */
export function outcomesOf(
  orders: readonly PlaceOrder[],
  outcomes: ReadonlyMap<string, OrderOutcome>,
): readonly OrderOutcome[] {
  return orders.map(
    ({ clientOrderId }) =>
      outcomes.get(clientOrderId) ?? { kind: 'unknown', clientOrderId, message: 'no outcome' },
  );
}

/** An order that the venue cannot take. */
export function unfit(
  { clientOrderId, symbol, limitPrice, quantity }: PlaceOrder,
  what: 'symbol' | 'price' | 'quantity',
): OrderOutcome {
  const messages = {
    symbol: `the venue does not list ${symbol}`,
    price: `the venue has no price ${limitPrice} for ${symbol}`,
    quantity: `the venue has no quantity ${quantity} of ${symbol}`,
  };
  const reason = what === 'symbol' ? 'not_tradable' : 'tick';
  return { kind: 'rejected', clientOrderId, reason, message: messages[what] };
}

/** The venue knows the id already: its first outcome is the answer now. */
export async function firstOutcome(
  { clientOrderId, symbol, side, quantity, expiresAt }: PlaceOrder,
  lookUp: (ref: OrderRef) => Promise<OrderLookup | undefined>,
): Promise<OrderOutcome> {
  const sent = { symbol, side, quantity, expiresAt, sentAt: 0 };
  const found = await lookUp({ clientOrderId, venueOrderId: null, sent });
  if (found === undefined || found.kind === 'not_found')
    return { kind: 'unknown', clientOrderId, message: 'the venue knows the id and has no order of it' };
  return found;
}

/** One refusal of a nonce passes by itself; several in a row mean that another program uses the key. */
export function nonceWaitMs(session: { refusedNonces: number }): number {
  session.refusedNonces += 1;
  return session.refusedNonces === 1 ? NONCE_MS : NONCES_MS;
}

/**
 * True: the venue refused an order as expired because a clock was wrong, and would not refuse it now. An expiry that a
 * new measurement does not change is refused for good.
 * @param sent the expiry as the venue got it, in its time
 */
export async function wasTooEarly(
  { clock, venueClock }: { readonly clock: Clock; readonly venueClock: VenueClock },
  { expiresAt, sent }: { readonly expiresAt: number; readonly sent: number },
): Promise<boolean> {
  if (clock.now() >= expiresAt) return false;
  await venueClock.refresh();
  return venueClock.toVenue(expiresAt) - sent > CLOCK_STEP_MS && clock.now() < expiresAt;
}
