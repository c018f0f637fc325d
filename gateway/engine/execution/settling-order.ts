/** One order whose end is unknown: the latest reports of stream, lookups and books, and the conclusion from them. */
import { dec, sum } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { remainingQuantity } from '../../domain/order.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { isEnd, type LiveOrders, type OrderReport } from '../core/live-orders.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  RejectionReason,
  Venue,
  VenueFill,
} from '../ports/venue.ts';
import { attemptOf } from './order-ref.ts';
import { ORDER_LIFETIME_MS } from './prepare.ts';

export type Settlement =
  | { readonly kind: 'done'; readonly venueOrderId: string; readonly fills: readonly VenueFill[] }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly message: string }
  /** The venue does not know the order, and it is too late for it to execute. */
  | { readonly kind: 'never_arrived' }
  /** The venue knows the order, but neither its reports nor its books show the result: a person must review it. */
  | { readonly kind: 'unresolved'; readonly message: string }
  /** The plan held the order back, so nothing was sent; null: the reason is on the order itself. */
  | { readonly kind: 'held_back'; readonly problem: LegProblem | null }
  /** The order could not be sent before it expired; the venue does not have it. `retryAt`: epoch ms. */
  | { readonly kind: 'not_sent'; readonly retryAt: number; readonly message: string };

/** Evidence from the venue's books about an order whose end its lookups do not show. */
export type Evidence =
  /** The order does not rest, and known fills explain the venue's position. */
  | 'absent'
  /** The venue's position has changed by something that no known fill explains. */
  | 'contradicted'
  /** The order rests, or other open orders of the instrument may explain the venue's position. */
  | 'undecided'
  /** The venue did not answer. */
  | 'unread';

/** Time between two equal answers, after the expiry, before the books are read. */
export const SAID_AGAIN_MS = 2_000;
/** The same if lookups stay unanswered. */
const SILENT_MS = 60_000;
/** Time without an answer, after the expiry, until the trader is told. The gateway goes on asking. */
const SILENCE_TOLD_AFTER_MS = 15_000;
/** Time from the first inconclusive reading of the books until a person must review the order. */
const REVIEWED_AFTER_MS = 10_000;
/** The same for an order that the venue denies: its history may lag behind its position. */
const DENIAL_REVIEWED_AFTER_MS = 120_000;

export type SettleDeps = Pick<EngineDeps, 'clock'> & { readonly state: { readonly liveOrders: LiveOrders } };

/** One order of the attempt, with its latest known state. */
export class SettlingOrder {
  readonly order: Order;
  readonly clientOrderId: string;
  /** Uptime in ms after which the order can no longer execute. */
  readonly finalAfter: number;
  answer: OrderLookup;
  askedAt: number;
  /** The venue's own id of the order, once reported. */
  #venueOrderId: string | null = null;
  end: Settlement | null = null;
  told = false;
  reviewed = false;
  /** True: its fills are booked already. */
  booked = false;
  evidence: Evidence = 'unread';
  /** Uptime of the first reading of the books that did not end the order; null: none. */
  #undecidedSince: number | null = null;
  /** Uptime of the first answer of each kind after the order could no longer execute. */
  readonly #firstSaid = new Map<OrderLookup['kind'], number>();
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
    // Uses the monotonic clock: setting the wall clock back would lengthen the wait.
    const left = Math.min(expiresAt - deps.clock.now(), ORDER_LIFETIME_MS) + venue.info.settleMs;
    this.finalAfter = this.askedAt + left;
  }

  get isFinal(): boolean {
    // `not_found` is true only at the time of the request: a slow answer says nothing about later.
    return this.finalAfter < this.askedAt;
  }

  take(answer: OrderLookup, askedAt: number): void {
    this.answer = answer;
    this.askedAt = askedAt;
    if ('venueOrderId' in answer) this.#venueOrderId = answer.venueOrderId;
    if (this.isFinal && !this.#firstSaid.has(answer.kind)) this.#firstSaid.set(answer.kind, askedAt);
  }

  get ref(): OrderRef {
    return { ...attemptOf(this.order).ref, venueOrderId: this.#venueOrderId };
  }

  /** True: the order has expired without a reported end, so the books are worth reading. */
  get wantsEvidence(): boolean {
    const { answer, askedAt, end } = this;
    const firstSaid = this.#firstSaid.get(answer.kind);
    if (end !== null || firstSaid === undefined || answer.kind === 'not_sent') return false;
    return askedAt - firstSaid >= (answer.kind === 'unknown' ? SILENT_MS : SAID_AGAIN_MS);
  }

  /** True: the venue has not answered for the expired order for so long that the trader should look there. */
  get isLongSilent(): boolean {
    const firstSaid = this.#firstSaid.get('unknown');
    if (this.end !== null || this.answer.kind !== 'unknown' || firstSaid === undefined) return false;
    return this.askedAt - firstSaid >= SILENCE_TOLD_AFTER_MS;
  }

  /** Uptime at which the order ends and needs review; null: the books have not been read. */
  get reviewedAt(): number | null {
    const isDenied = this.answer.kind === 'not_found' || this.answer.kind === 'unknown';
    const after = isDenied ? DENIAL_REVIEWED_AFTER_MS : REVIEWED_AFTER_MS;
    return this.#undecidedSince === null ? null : this.#undecidedSince + after;
  }

  /** @return a reason for a review by a person; null: none yet */
  weigh(evidence: Evidence): string | null {
    this.evidence = evidence;
    this.conclude();
    if (this.end !== null || evidence === 'unread') return null;
    const now = this.#deps.clock.uptime();
    this.#undecidedSince ??= now;
    const message = reviewReason(this.answer, evidence);
    const isOver = now >= (this.reviewedAt ?? now);
    if (isOver) this.end = { kind: 'unresolved', message };
    return isOver || evidence === 'contradicted' ? message : null;
  }

  conclude(): void {
    if (this.end !== null) return;
    const report = this.#deps.state.liveOrders.report(this.clientOrderId);
    // The answer to the sending has the reason in words; the stream may only report the rejection.
    const isRefused = this.answer.kind === 'rejected';
    this.end = (isRefused ? null : this.#told(report)) ?? this.#answered(report);
  }

  /** The end reported by the account stream. */
  #told({ fills, outcome }: OrderReport): Settlement | null {
    if (outcome !== null && isEnd(outcome)) {
      const end = ended(outcome, fills);
      if (end !== null && !this.#lacksFills(end)) return end;
    }
    const own = distinct(fills);
    // All of it has filled, so no lookup is needed.
    return own.length > 0 && total(own).gte(remainingQuantity(this.order)) ? filled(own) : null;
  }

  /** True: the venue's answer reports more filled quantity than the end's fills contain. */
  #lacksFills(end: Settlement): boolean {
    const { answer } = this;
    return answer.kind === 'done' && end.kind === 'done' && total(end.fills).lt(answer.filledQuantity);
  }

  #answered({ fills }: OrderReport): Settlement | null {
    const { answer } = this;
    switch (answer.kind) {
      case 'done': {
        const end = ended(answer, fills);
        const isBooked = answer.state === 'cancelled' && this.evidence === 'absent';
        return end === null && isBooked ? this.#asBooked([...answer.fills, ...fills]) : end;
      }
      case 'rejected':
        return ended(answer, fills);
      case 'not_sent': {
        const isLate = Math.max(answer.retryAt, this.#deps.clock.now()) >= attemptOf(this.order).expiresAt;
        return isLate ? answer : null;
      }
      case 'not_found': {
        const isAbsent = this.#needsEvidence ? this.evidence === 'absent' : this.isFinal;
        return isAbsent ? this.#asBooked(fills) : null;
      }
      case 'listed':
      case 'unknown':
        return this.evidence === 'absent' ? this.#asBooked(fills) : null;
      // An IOC order does not rest. If the venue says it does, it is looked up again until it has expired.
      case 'resting':
      case 'accepted':
        return null;
    }
  }

  /** The end of an order that is missing in the books: the known fills are complete. */
  #asBooked(fills: readonly VenueFill[]): Settlement {
    const { answer } = this;
    // The account stream has delivered fills of the order, so it did arrive, whatever the lookup says.
    if (fills.length > 0 || answer.kind === 'done')
      return {
        kind: 'done',
        venueOrderId: this.#venueOrderId ?? fills[0]?.venueOrderId ?? '',
        fills: distinct(fills),
      };
    if (answer.kind === 'listed') return { kind: 'rejected', reason: 'other', message: answer.message };
    return { kind: 'never_arrived' };
  }
}

/** Answers of venue and books about an order, for a person. */
function reviewReason(answer: OrderLookup, evidence: Exclude<Evidence, 'unread'>): string {
  const books = {
    absent: 'and its position does not show the order',
    contradicted: 'and its position has changed by something that no known fill explains',
    undecided: 'and its position does not show what became of it, because orders of the instrument are open',
  }[evidence];
  return `${claimOf(answer)}, ${books}. Nothing more is sent for it. Compare the account with the venue, and take over trades outside Tandem`;
}

function claimOf(answer: OrderLookup): string {
  switch (answer.kind) {
    case 'done':
      return `the venue says that ${answer.filledQuantity} of the order filled, tells no such fills`;
    case 'resting':
      return 'the venue says that the order rests past its expiry';
    case 'accepted':
      return 'the venue has taken the order in, does not tell its end';
    case 'listed':
      return answer.message;
    case 'unknown':
      return 'the venue does not answer for the order';
    default:
      return 'the venue denies the order';
  }
}

/** The end that the venue reports; null: not all fills are known yet. */
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

export function unknown(clientOrderId: string, message: string): OrderOutcome {
  return { kind: 'unknown', clientOrderId, message };
}
