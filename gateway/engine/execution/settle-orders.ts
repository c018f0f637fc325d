/**
 * Finds out the result of each order of one attempt. *Rejected* is the venue's refusal. *Unknown* is no answer: such an
 * order is never sent again. Its end comes from the account stream or from a lookup, whichever is first. One lookup
 * covers all open orders.
 */
import type { Order } from '../../domain/model.ts';
import type { StopSignal } from '../core/durable.ts';
import type { OrderOutcome, Venue, VenueAccount } from '../ports/venue.ts';
import { nextWait, pauseForAll } from './lookup-waits.ts';
import { attemptOf } from './order-ref.ts';
import {
  type Evidence,
  SAID_AGAIN_MS,
  type SettleDeps,
  type Settlement,
  SettlingOrder,
  unknown,
} from './settling-order.ts';
import { TOLD_AFTER_MS } from './silence-notice.ts';

/** Wait before the next reading, if the books could not be read or other orders still change them. */
const BOOKS_AGAIN_MS = 5_000;
/**
 * Time after which fills of ended orders are booked while others of the attempt are still open: what is held must be
 * protected. Earlier, each basket would cost a further commit.
 */
const BOOKED_AFTER_MS = 1_000;

export interface SettleRequest {
  readonly venue: Venue;
  readonly account: VenueAccount;
  /** Each with the venue's answer to the sending; undefined after a restart, when the outcome is unknown. */
  readonly orders: readonly { readonly order: Order; readonly outcome: OrderOutcome | undefined }[];
  /** Called with the orders whose outcome the venue's answer leaves unknown, once for each. */
  readonly onUnknown: (orders: readonly Order[]) => Promise<void>;
  /** Sends orders again that the venue cannot have, with the same client order ids. */
  readonly resend: (orders: readonly Order[]) => Promise<readonly OrderOutcome[]>;
  /** Checks open orders, history and positions; one answer per order. */
  readonly evidence: (orders: readonly Order[]) => Promise<readonly Evidence[]>;
  /** Called once for orders that need a person's review, with the reason. */
  readonly onReview: (orders: readonly Order[], reason: string) => Promise<void>;
  /** Called with orders that have ended with fills, once for each, while others are still open. */
  readonly onEnded: (ended: readonly EndedOrder[]) => Promise<void>;
  /** Called once if orders are still open `TOLD_AFTER_MS` after the sending. */
  readonly onWaiting: () => Promise<void>;
  readonly signal: StopSignal;
}

export interface EndedOrder {
  readonly order: Order;
  readonly settlement: Settlement;
}

const SILENT =
  'the venue does not answer for the order, which may have filled. Until it does, the basket trades no further and its stops wait. Compare the account with the venue; close there if you must';

/** The results in the orders' order; null: the gateway is stopping before all were known; recovery asks again. */
export async function settleOrders(
  deps: SettleDeps,
  request: SettleRequest,
): Promise<readonly Settlement[] | null> {
  const legs = request.orders.map(
    ({ order, outcome }) => new SettlingOrder(deps, request.venue, order, outcome),
  );
  for (const leg of legs) leg.conclude();
  const schedule = new Schedule(
    deps,
    legs.filter(({ end }) => end === null),
  );
  const bookedFrom = deps.clock.uptime() + BOOKED_AFTER_MS;
  let tellsAt = deps.clock.uptime() + TOLD_AFTER_MS;
  try {
    for (;;) {
      for (const leg of legs) leg.conclude();
      const open = legs.filter(({ end }) => end === null);
      if (open.length === 0) return legs.flatMap(({ end }) => end ?? []);
      if (request.signal.stopping) return null;
      if (await tellUnknown(open, request)) continue;
      const unbooked = legs.filter(
        ({ end, booked }) => !booked && end?.kind === 'done' && end.fills.length > 0,
      );
      const bookedIn = unbooked.length === 0 ? Infinity : bookedFrom - deps.clock.uptime();
      if (bookedIn <= 0) {
        for (const leg of unbooked) leg.booked = true;
        await request.onEnded(
          unbooked.flatMap(({ order, end }) => (end === null ? [] : [{ order, settlement: end }])),
        );
        continue;
      }
      const toldIn = tellsAt - deps.clock.uptime();
      if (toldIn <= 0) {
        tellsAt = Infinity;
        await request.onWaiting();
        continue;
      }
      await schedule.wait(open, request.signal, Math.min(bookedIn, toldIn));
      if (request.signal.stopping) return null;
      await resendDue(deps, open, request);
      if (schedule.isDue) await lookUp(deps, open, request, schedule);
    }
  } finally {
    schedule.end();
  }
}

/** Times of the lookups. One lookup covers all open orders, so that a basket needs few. */
class Schedule {
  readonly #deps: SettleDeps;
  #waitMs: number;
  #dueAt: number;

  constructor(deps: SettleDeps, legs: readonly SettlingOrder[]) {
    this.#deps = deps;
    this.#waitMs = nextWait(
      null,
      legs.map(({ answer }) => answer.kind),
    );
    this.#dueAt = deps.clock.uptime() + this.#waitMs;
  }

  get isDue(): boolean {
    return this.#dueAt <= this.#deps.clock.uptime();
  }

  /** Returns on a report about one of the orders, when one may be sent again, when a lookup is due, or after `mostMs`. */
  async wait(open: readonly SettlingOrder[], signal: StopSignal, mostMs: number): Promise<void> {
    const { clock, state } = this.#deps;
    const ids = open.map(({ clientOrderId }) => clientOrderId);
    const resendIn = open.flatMap(({ answer }) =>
      answer.kind === 'not_sent' ? [answer.retryAt - clock.now()] : [],
    );
    const waitMs = Math.max(0, Math.min(mostMs, this.#dueAt - clock.uptime(), ...resendIn));
    await new Promise<void>((resolve) => {
      const done = () => {
        cancelTimer();
        stopListening();
        state.liveOrders.onWord(ids, null);
        resolve();
      };
      const cancelTimer = clock.after(waitMs, done);
      const stopListening = signal.onStop(done);
      state.liveOrders.onWord(ids, done);
    });
  }

  /** Sets the time of the next lookup: later each time, but as soon as a denial would be final. */
  asked(open: readonly SettlingOrder[]): void {
    const { clock, state } = this.#deps;
    const now = clock.uptime();
    this.#waitMs = nextWait(
      this.#waitMs,
      open.map(({ answer }) => answer.kind),
    );
    state.liveOrders.asks(this, open.length);
    const pause = pauseForAll(state.liveOrders.askedAbout);
    const soon = open.flatMap((leg) => {
      if (!leg.isFinal) return leg.finalAfter < now ? [] : [leg.finalAfter + 1];
      if (leg.wantsEvidence) {
        const again = leg.evidence === 'contradicted' ? [] : [now + Math.max(pause, BOOKS_AGAIN_MS)];
        return [...again, ...(leg.reviewedAt === null ? [] : [leg.reviewedAt])];
      }
      return leg.answer.kind === 'unknown' ? [] : [now + SAID_AGAIN_MS];
    });
    this.#dueAt = Math.max(now, Math.min(now + Math.max(pause, this.#waitMs), ...soon));
  }

  end(): void {
    this.#deps.state.liveOrders.asks(this, 0);
  }
}

/** True: there were such orders. The commit takes time, in which the stream may have reported. */
async function tellUnknown(open: readonly SettlingOrder[], { onUnknown }: SettleRequest): Promise<boolean> {
  const silent = open.filter(({ told, answer }) => !told && answer.kind === 'unknown');
  for (const leg of silent) leg.told = true;
  if (silent.length > 0) await onUnknown(silent.map(({ order }) => order));
  return silent.length > 0;
}

async function resendDue(
  deps: SettleDeps,
  open: readonly SettlingOrder[],
  { resend }: SettleRequest,
): Promise<void> {
  const now = deps.clock.now();
  const due = open.filter(
    ({ answer, order }) =>
      answer.kind === 'not_sent' && answer.retryAt <= now && now < attemptOf(order).expiresAt,
  );
  if (due.length === 0) return;
  const askedAt = deps.clock.uptime();
  const outcomes = await resend(due.map(({ order }) => order));
  for (const [index, leg] of due.entries())
    leg.take(outcomes[index] ?? unknown(leg.clientOrderId, 'the venue did not answer for it'), askedAt);
}

async function lookUp(
  deps: SettleDeps,
  open: readonly SettlingOrder[],
  request: SettleRequest,
  schedule: Schedule,
): Promise<void> {
  const asked = open.filter(({ answer }) => answer.kind !== 'not_sent');
  const askedAt = deps.clock.uptime();
  if (asked.length > 0) {
    const refs = asked.map(({ ref }) => ref);
    const told = await request.venue.ordersByClientIds(request.account, refs);
    for (const [index, leg] of asked.entries()) {
      const answer = told.ok ? told.value[index] : undefined;
      const silence = told.ok ? 'the venue did not answer for it' : told.error.message;
      leg.take(answer ?? unknown(leg.clientOrderId, silence), askedAt);
    }
    await weigh(asked, request);
    await tellSilence(asked, request);
  }
  schedule.asked(open);
}

/** A basket trades no further, and its stops wait, while the venue does not answer for one of its orders. */
async function tellSilence(asked: readonly SettlingOrder[], { onReview }: SettleRequest): Promise<void> {
  const silent = asked.filter(({ isLongSilent, reviewed }) => isLongSilent && !reviewed);
  if (silent.length === 0) return;
  for (const leg of silent) leg.reviewed = true;
  await onReview(
    silent.map(({ order }) => order),
    SILENT,
  );
}

/** Reads the venue's books for orders whose end its lookups do not show. */
async function weigh(asked: readonly SettlingOrder[], request: SettleRequest): Promise<void> {
  for (const leg of asked) leg.conclude();
  const doubtful = asked.filter(({ wantsEvidence }) => wantsEvidence);
  if (doubtful.length === 0) return;
  // An IOC order that rests past its expiry would execute at an outdated price. Its cancel is not awaited: the next
  // lookup shows the result.
  for (const { answer, reviewedAt, ref } of doubtful)
    if (answer.kind === 'resting' && reviewedAt === null) void request.venue.cancel(request.account, ref);
  const found = await request.evidence(doubtful.map(({ order }) => order));
  for (const [index, leg] of doubtful.entries()) {
    const reason = leg.weigh(found[index] ?? 'unread');
    if (reason === null || leg.reviewed) continue;
    leg.reviewed = true;
    await request.onReview([leg.order], reason);
  }
}
