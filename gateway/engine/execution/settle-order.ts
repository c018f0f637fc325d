/**
 * Finds out the outcome of one sent order. *Rejected* is the venue's refusal, *unknown* is no answer: an unknown order
 * is asked for by its client order id until the venue knows it or cannot execute it any more, and is never sent again.
 */
import { dec, sum } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import type {
  OrderLookup,
  OrderOutcome,
  RejectionReason,
  Venue,
  VenueAccount,
  VenueFill,
} from '../ports/venue.ts';
import { ORDER_LIFETIME_MS } from './prepare.ts';

const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 2_000;

export type Settlement =
  | { readonly kind: 'done'; readonly venueOrderId: string; readonly fills: readonly VenueFill[] }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly message: string }
  /** The venue does not know the order, and it is too late for it to execute. */
  | { readonly kind: 'never_arrived' }
  /** The order was not sent; null: the reason is on the order itself. */
  | { readonly kind: 'not_sent'; readonly problem: LegProblem | null };

export interface SettleRequest {
  readonly venue: Venue;
  readonly account: VenueAccount;
  readonly order: Order;
  /** The venue's answer to the sending; undefined after a restart: the outcome is unknown. */
  readonly outcome: OrderOutcome | undefined;
  /** Fills that the account stream delivered for this attempt. */
  readonly streamed: () => readonly VenueFill[];
  /** Called once, if the venue's answer leaves the order's outcome unknown. */
  readonly onUnknown: () => Promise<void>;
  readonly stopping: () => boolean;
}

/** null: the gateway is stopping before the venue answered; recovery asks again. */
export async function settleOrder(
  deps: Pick<EngineDeps, 'clock'>,
  request: SettleRequest,
): Promise<Settlement | null> {
  const { order, venue, account } = request;
  const clientOrderId = order.clientOrderId;
  if (clientOrderId === null || order.expiresAt === null) throw new Error(`order ${order.id} was never sent`);
  // Uses the monotonic clock: a wall clock that is set back would make the wait longer.
  const { settleMs } = venue.info;
  const left = Math.min(order.expiresAt - deps.clock.now(), ORDER_LIFETIME_MS) + settleMs;
  const finalAfter = deps.clock.uptime() + left;
  let answer: OrderLookup = request.outcome ?? unknown(clientOrderId, 'the gateway restarted');
  let askedAt = deps.clock.uptime();
  let wait = FIRST_WAIT_MS;
  let told = false;
  for (;;) {
    // `not_found` is true only for the moment of the question: a slow answer says nothing about the time since.
    const settled = conclusive(answer, request.streamed(), finalAfter < askedAt);
    if (settled !== null) return settled;
    if (request.stopping()) return null;
    if (!told && answer.kind === 'unknown') {
      told = true;
      await request.onUnknown();
    }
    await deps.clock.sleep(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    askedAt = deps.clock.uptime();
    const asked = await venue.orderByClientId(account, clientOrderId);
    answer = asked.ok ? asked.value : unknown(clientOrderId, asked.error.message);
  }
}

function conclusive(
  answer: OrderLookup,
  streamed: readonly VenueFill[],
  expired: boolean,
): Settlement | null {
  switch (answer.kind) {
    case 'done': {
      const fills = distinct([...answer.fills, ...streamed]);
      // The venue's filled total is the truth. Its list of fills may lag behind, and an order ends only when all its
      // fills are known.
      const complete = sum(fills.map((fill) => dec(fill.quantity))).gte(answer.filledQuantity);
      return complete ? { kind: 'done', venueOrderId: answer.venueOrderId, fills } : null;
    }
    case 'rejected':
      return { kind: 'rejected', reason: answer.reason, message: answer.message };
    case 'not_found': {
      if (!expired) return null;
      const [fill] = streamed;
      // The account stream has delivered fills of the order, so it did arrive, whatever the lookup says.
      if (fill !== undefined)
        return { kind: 'done', venueOrderId: fill.venueOrderId ?? '', fills: distinct(streamed) };
      return { kind: 'never_arrived' };
    }
    // An IOC order does not rest. If the venue says that it does, it is asked again until the order has expired.
    case 'resting':
    case 'unknown':
      return null;
  }
}

function distinct(fills: readonly VenueFill[]): readonly VenueFill[] {
  return [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()];
}

function unknown(clientOrderId: string, message: string): OrderOutcome {
  return { kind: 'unknown', clientOrderId, message };
}
