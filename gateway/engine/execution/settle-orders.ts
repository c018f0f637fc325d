/**
 * Finds out what became of the orders of one attempt. *Rejected* is the venue's refusal, *unknown* is no answer: such an
 * order is never sent again. Its end comes from the account stream or from a lookup, whichever speaks first; one lookup
 * asks for all orders that are still open.
 */
import { dec, sum } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { remainingQuantity } from '../../domain/order.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { StopSignal } from '../core/durable.ts';
import { isEnd, type LiveOrders, type OrderReport } from '../core/live-orders.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  RejectionReason,
  Venue,
  VenueAccount,
  VenueFill,
} from '../ports/venue.ts';
import { nextWait, pauseForAll } from './lookup-waits.ts';
import { attemptOf } from './order-ref.ts';
import { ORDER_LIFETIME_MS } from './prepare.ts';

export type Settlement =
  | { readonly kind: 'done'; readonly venueOrderId: string; readonly fills: readonly VenueFill[] }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly message: string }
  /** The venue does not know the order, and it is too late for it to execute. */
  | { readonly kind: 'never_arrived' }
  /** The plan held the order back, so nothing was sent; null: the reason is on the order itself. */
  | { readonly kind: 'held_back'; readonly problem: LegProblem | null }
  /** The order could not be sent before it expired; the venue does not have it. `retryAt`: epoch ms. */
  | { readonly kind: 'not_sent'; readonly retryAt: number; readonly message: string };

/** What the venue's books say about orders that its lookups deny. */
export type Evidence =
  /** No trace of the order, and the venue's position is what it would be without it. */
  | 'absent'
  /** The venue's position has changed by something that no known fill explains. */
  | 'contradicted'
  /** The venue did not answer, or other orders of the instrument are still open. */
  | 'not_yet';

/** Between two denials that count as evidence. */
const DENIED_AGAIN_MS = 2_000;
/** After books that could not be read, or that other orders still change: only they end the order now. */
const BOOKS_AGAIN_MS = 5_000;

export interface SettleRequest {
  readonly venue: Venue;
  readonly account: VenueAccount;
  /** Each with the venue's answer to the sending; undefined after a restart: the outcome is unknown. */
  readonly orders: readonly { readonly order: Order; readonly outcome: OrderOutcome | undefined }[];
  /** Called with the orders whose outcome the venue's answer leaves unknown, once for each. */
  readonly onUnknown: (orders: readonly Order[]) => Promise<void>;
  /** Sends orders again that the venue cannot have, with the same client order ids. */
  readonly resend: (orders: readonly Order[]) => Promise<readonly OrderOutcome[]>;
  /** Looks at open orders, history and positions; one answer per order. */
  readonly evidence: (orders: readonly Order[]) => Promise<readonly Evidence[]>;
  /** Called once for an order that the venue denies although its position has changed. */
  readonly onContradiction: (order: Order) => Promise<void>;
  readonly signal: StopSignal;
}

type SettleDeps = Pick<EngineDeps, 'clock'> & { readonly state: { readonly liveOrders: LiveOrders } };

/** The results in the orders' order; null: the gateway is stopping before all were known; recovery asks again. */
export async function settleOrders(
  deps: SettleDeps,
  request: SettleRequest,
): Promise<readonly Settlement[] | null> {
  const legs = request.orders.map(({ order, outcome }) => new Leg(deps, request.venue, order, outcome));
  for (const leg of legs) leg.conclude();
  const schedule = new Schedule(
    deps,
    legs.filter(({ end }) => end === null),
  );
  try {
    for (;;) {
      for (const leg of legs) leg.conclude();
      const open = legs.filter(({ end }) => end === null);
      if (open.length === 0) return legs.flatMap(({ end }) => end ?? []);
      if (request.signal.stopping) return null;
      if (await tellUnknown(open, request)) continue;
      await schedule.wait(open, request.signal);
      if (request.signal.stopping) return null;
      await resendDue(deps, open, request);
      if (schedule.isDue) await lookUp(deps, open, request, schedule);
    }
  } finally {
    schedule.end();
  }
}

/** One order of the attempt, and the latest that is known of it. */
class Leg {
  readonly order: Order;
  readonly clientOrderId: string;
  /** Clock uptime in ms from which on the order cannot execute any more. */
  readonly finalAfter: number;
  answer: OrderLookup;
  askedAt: number;
  /** The venue's own id of the order, once it has told it. */
  #venueOrderId: string | null = null;
  end: Settlement | null = null;
  told = false;
  reviewed = false;
  /** Uptime of the first denial of an order that cannot execute any more; null: none, or the venue knows it after all. */
  deniedAt: number | null = null;
  evidence: Evidence = 'not_yet';
  readonly #deps: SettleDeps;
  readonly #needsEvidence: boolean;

  constructor(deps: SettleDeps, venue: Venue, order: Order, outcome: OrderOutcome | undefined) {
    const { clientOrderId, expiresAt } = attemptOf(order);
    this.#deps = deps;
    this.order = order;
    this.#needsEvidence = venue.info.notFound === 'needs_evidence';
    this.clientOrderId = clientOrderId;
    this.answer = outcome ?? unknown(clientOrderId, 'the gateway restarted');
    if ('venueOrderId' in this.answer) this.#venueOrderId = this.answer.venueOrderId;
    this.askedAt = deps.clock.uptime();
    // Uses the monotonic clock: a wall clock that is set back would make the wait longer.
    const left = Math.min(expiresAt - deps.clock.now(), ORDER_LIFETIME_MS) + venue.info.settleMs;
    this.finalAfter = this.askedAt + left;
  }

  get isFinal(): boolean {
    // `not_found` is true only for the moment of the question: a slow answer says nothing about the time since.
    return this.finalAfter < this.askedAt;
  }

  take(answer: OrderLookup, askedAt: number): void {
    this.answer = answer;
    this.askedAt = askedAt;
    if ('venueOrderId' in answer) this.#venueOrderId = answer.venueOrderId;
    if (answer.kind === 'not_found' && this.isFinal) this.deniedAt ??= askedAt;
    else if (answer.kind !== 'unknown') this.deniedAt = null;
  }

  get ref(): OrderRef {
    return { ...attemptOf(this.order).ref, venueOrderId: this.#venueOrderId };
  }

  /** True: denied twice, long enough apart, so that the venue's books are worth reading. */
  get wantsEvidence(): boolean {
    const { answer, deniedAt, askedAt } = this;
    if (!this.#needsEvidence || this.end !== null || answer.kind !== 'not_found' || deniedAt === null)
      return false;
    return askedAt - deniedAt >= DENIED_AGAIN_MS;
  }

  conclude(): void {
    if (this.end !== null) return;
    const report = this.#deps.state.liveOrders.report(this.clientOrderId);
    this.end = this.#told(report) ?? this.#answered(report);
  }

  /** The end as the account stream tells it. */
  #told({ fills, outcome }: OrderReport): Settlement | null {
    if (outcome !== null && isEnd(outcome)) {
      const end = ended(outcome, fills);
      if (end !== null) return end;
    }
    const own = distinct(fills);
    // All of it has filled, so there is nothing left to ask.
    return own.length > 0 && total(own).gte(remainingQuantity(this.order)) ? filled(own) : null;
  }

  #answered({ fills }: OrderReport): Settlement | null {
    const { answer } = this;
    switch (answer.kind) {
      case 'done':
      case 'rejected':
        return ended(answer, fills);
      case 'not_sent': {
        const isLate = Math.max(answer.retryAt, this.#deps.clock.now()) >= attemptOf(this.order).expiresAt;
        return isLate ? answer : null;
      }
      case 'not_found': {
        const isAbsent = this.#needsEvidence ? this.evidence === 'absent' : this.isFinal;
        if (!isAbsent) return null;
        // The account stream has delivered fills of the order, so it did arrive, whatever the lookup says.
        return fills.length > 0 ? filled(distinct(fills)) : { kind: 'never_arrived' };
      }
      // An IOC order does not rest. If the venue says that it does, it is asked again until the order has expired.
      case 'resting':
      case 'accepted':
      case 'unknown':
        return null;
    }
  }
}

/** When to ask. All open orders are asked for together, so that a basket costs no more lookups than it must. */
class Schedule {
  readonly #deps: SettleDeps;
  #waitMs: number;
  #dueAt: number;

  constructor(deps: SettleDeps, legs: readonly Leg[]) {
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

  /** Returns at a word about one of the orders, when one may be sent again, or when a lookup is due. */
  async wait(open: readonly Leg[], signal: StopSignal): Promise<void> {
    const { clock, state } = this.#deps;
    const ids = open.map(({ clientOrderId }) => clientOrderId);
    const resendIn = open.flatMap(({ answer }) =>
      answer.kind === 'not_sent' ? [answer.retryAt - clock.now()] : [],
    );
    const waitMs = Math.max(0, Math.min(this.#dueAt - clock.uptime(), ...resendIn));
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
  asked(open: readonly Leg[]): void {
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
      if (leg.wantsEvidence) return leg.evidence === 'not_yet' ? [now + Math.max(pause, BOOKS_AGAIN_MS)] : [];
      return leg.answer.kind === 'not_found' ? [now + DENIED_AGAIN_MS] : [];
    });
    this.#dueAt = Math.max(now, Math.min(now + Math.max(pause, this.#waitMs), ...soon));
  }

  end(): void {
    this.#deps.state.liveOrders.asks(this, 0);
  }
}

/** True: there were such orders. Telling takes a commit, during which the stream may have spoken. */
async function tellUnknown(open: readonly Leg[], { onUnknown }: SettleRequest): Promise<boolean> {
  const silent = open.filter(({ told, answer }) => !told && answer.kind === 'unknown');
  for (const leg of silent) leg.told = true;
  if (silent.length > 0) await onUnknown(silent.map(({ order }) => order));
  return silent.length > 0;
}

async function resendDue(deps: SettleDeps, open: readonly Leg[], { resend }: SettleRequest): Promise<void> {
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
  open: readonly Leg[],
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
  }
  schedule.asked(open);
}

/** Reads the venue's books for the orders that it denies. */
async function weigh(asked: readonly Leg[], { evidence, onContradiction }: SettleRequest): Promise<void> {
  const doubtful = asked.filter(({ wantsEvidence }) => wantsEvidence);
  if (doubtful.length === 0) return;
  const found = await evidence(doubtful.map(({ order }) => order));
  for (const [index, leg] of doubtful.entries()) {
    leg.evidence = found[index] ?? 'not_yet';
    if (leg.evidence !== 'contradicted' || leg.reviewed) continue;
    leg.reviewed = true;
    await onContradiction(leg.order);
  }
}

/** The end that the venue tells; null: not all fills are known yet. */
function ended(answer: OrderLookup, streamed: readonly VenueFill[]): Settlement | null {
  if (answer.kind === 'rejected') return { kind: 'rejected', reason: answer.reason, message: answer.message };
  if (answer.kind !== 'done') return null;
  const fills = distinct([...answer.fills, ...streamed]);
  // The venue's filled total is the truth. Its list of fills may lag behind, and an order ends only when all its fills
  // are known.
  return total(fills).gte(answer.filledQuantity)
    ? { kind: 'done', venueOrderId: answer.venueOrderId, fills }
    : null;
}

function filled(fills: readonly VenueFill[]): Settlement {
  return { kind: 'done', venueOrderId: fills[0]?.venueOrderId ?? '', fills };
}

function total(fills: readonly VenueFill[]) {
  return sum(fills.map((fill) => dec(fill.quantity)));
}

function distinct(fills: readonly VenueFill[]): readonly VenueFill[] {
  return [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()];
}

function unknown(clientOrderId: string, message: string): OrderOutcome {
  return { kind: 'unknown', clientOrderId, message };
}
