/**
 * Reservations under mandates. A risk check takes them in its own step; they are released if nothing is committed, and
 * counted again at the end. An execution's own row holds its reservation; a pending order has a row beside it.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Execution, Reserved } from '../../domain/model.ts';
import { type OrderPrint, printOf, SAME_ORDER_WITHIN_MS } from '../../domain/same-order.ts';
import type { Scaled } from '../../domain/scaled.ts';
import type { Schedule, SliceLeg } from '../../domain/schedule.ts';
import type { Trigger } from '../../domain/trigger.ts';
import { worstLeft, worstOfSlice } from '../../domain/worst-left.ts';
import type { ApprovedRequest } from '../ports/approval-desk.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import type { StoredReservations, WaitingReservation } from '../ports/reservations.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { holderKey, UsageBook, type Without } from './mandate-usage.ts';
import { RecentOrders } from './recent-orders.ts';

/** Request that passed the risk check and may be reserved. null if no mandate applies. */
export interface Admission {
  readonly bound: BoundMandate;
  readonly reserveUsd: DecimalString;
  /** `reserveUsd` as a number. */
  readonly worst: Scaled;
  /** Uptime of the risk check, ms. */
  readonly at: number;
  readonly isRequest: boolean;
  readonly approved: ApprovedRequest | null;
  /** Fingerprint for the duplicate check; null: the mandate does not ask for one. */
  readonly print: OrderPrint | null;
}

/** Pending order with its worst case in USD. */
interface Waiting {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly usd: DecimalString;
}

export class Reservations {
  readonly usage: UsageBook;
  readonly recent: RecentOrders;
  readonly #clock: Pick<Clock, 'now' | 'uptime'>;
  /** Executions that a person approved → the worst prices that were shown. */
  readonly #shown = new Map<string, ReadonlyMap<string, DecimalString>>();
  /** Execution id → leverage at which the venue margins its opened legs. */
  readonly #leverages = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
    this.usage = new UsageBook(clock);
    this.recent = new RecentOrders(clock);
  }

  /** Loads stored reservations. To be called before executions of the previous process continue. */
  load(stored: StoredReservations): void {
    this.usage.load(stored);
    const now = this.#clock.now();
    for (const execution of stored.executions) {
      const { reserved, authorityKind: kind, authorityId: id, createdAt } = execution;
      const ageMs = Math.max(0, now - createdAt);
      if (reserved?.asked !== true || id === null || ageMs >= SAME_ORDER_WITHIN_MS) continue;
      if (wasNeverSent(execution)) continue;
      if (kind === 'api_key' || kind === 'oauth_grant')
        this.recent.note(holderKey({ id }), execution.id, printOf(execution), ageMs);
    }
  }

  /**
   * Reserves for an execution, from the call on. The caller must then commit it with the returned unit or `giveBack`.
   * @returns null: there is nothing further to commit
   */
  take({ bound, at, worst, approved, print }: Admission, execution: Execution): UnitOfWork | null {
    this.usage.reserveNew(execution, at, worst);
    if (print !== null) this.recent.note(holderKey(bound.holder), execution.id, print);
    if (approved === null) return null;
    this.#shown.set(execution.id, approved.worstPrices);
    return approved.alongside(execution.id);
  }

  /**
   * Raises an execution's reservation if its sized orders cost more than expected.
   * @returns the execution, to be committed before its orders are sent
   */
  raise(execution: Execution, usd: DecimalString): Execution {
    const raised = { ...execution, reserved: { usd, asked: execution.reserved?.asked ?? false } };
    this.usage.reserve(raised);
    return raised;
  }

  /**
   * Reservation of a reversal's opening, taken over from its close in the unit of the close's end.
   * @returns null: nothing is reserved
   */
  handedOn(from: Execution): Reserved | null {
    return from.reserved === null ? null : { usd: from.reserved.usd, asked: false };
  }

  /** Reserves for the child of a reversal. To be called after its commit. @param shown see `shownPrices` */
  tookOver(child: Execution, shown: ReadonlyMap<string, DecimalString> | undefined): void {
    if (child.reserved !== null) this.usage.reserve(child);
    if (shown !== undefined) this.#shown.set(child.id, shown);
  }

  /** Reserves for pending orders, one reservation per order. @param made id of the object that the request makes */
  rest(
    { bound, isRequest, approved, print }: Admission,
    what: WaitingReservation['what'],
    waiting: readonly Waiting[],
    made: string,
  ): UnitOfWork {
    const { holder, userId } = bound;
    const createdAt = this.#clock.now();
    const rows = waiting.map(({ id, tradeAccountId, usd }, index): WaitingReservation => {
      const asked = isRequest && index === 0;
      const whose = { holderKind: holder.kind, holderId: holder.id, userId, tradeAccountId };
      return { id, what, ...whose, usd, asked, createdAt };
    });
    for (const row of rows) this.usage.waits(row, row.usd);
    const [first] = rows;
    if (print !== null && first !== undefined) this.recent.note(holderKey(holder), first.id, print);
    return { reservations: rows, ...approved?.alongside(made) };
  }

  /** Updates the reservation of a trigger that may have stopped waiting. To be called after each of its commits. */
  triggerIs({ id, status, pauseReason, authorityId }: Trigger): void {
    const row = this.usage.waitingOf(id);
    if (row === undefined) return;
    const rests = status === 'ACTIVE' || (status === 'PAUSED' && pauseReason !== 'AGENT_LIMIT');
    if (!rests || authorityId !== row.holderId) this.usage.waits(row, null);
  }

  /** Updates the reservation of a schedule. Unsent slices count in proportion. */
  scheduleIs(schedule: Schedule): void {
    const row = this.usage.waitingOf(schedule.id);
    if (row === undefined) return;
    const { status, pauseReason, authorityId } = schedule;
    const rests = status === 'ACTIVE' || (status === 'PAUSED' && pauseReason !== 'AGENT_LIMIT');
    const isHis = authorityId === row.holderId;
    this.usage.waits(row, rests && isHis ? worstLeft(schedule, row.usd) : null);
  }

  /** Part of a schedule's reservation that a due slice uses. */
  sliceOf(schedule: Schedule, legs: readonly SliceLeg[]): Without['waiting'] {
    const row = this.usage.waitingOf(schedule.id);
    return row === undefined ? undefined : { id: schedule.id, usd: worstOfSlice(schedule, legs, row.usd) };
  }

  /** Counts an order without an execution as if it had filled. It is in no row: it counts until the gateway stops. */
  tradedOutside({ bound, at, worst }: Admission, id: string): void {
    this.usage.traded(bound.holder, bound.userId, { id, usd: worst, at });
  }

  /** Releases pending orders that were not committed. */
  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.usage.release(id);
      this.recent.drop(id);
    }
  }

  /** Releases an execution that was not committed. */
  giveBack(execution: Execution): void {
    this.usage.releaseExecution(execution);
    this.recent.drop(execution.id);
    this.#hide(execution);
  }

  /** Worst prices that a person was shown, by instrument; undefined: no approval was needed. */
  shownPrices(executionId: string): ReadonlyMap<string, DecimalString> | undefined {
    return this.#shown.get(executionId);
  }

  /**
   * Keeps the venue's leverage of an execution's opened legs for its further attempts. While orders are in flight, the
   * leverage may not be known again.
   */
  keepLeverage(executionId: string, leverage: number): void {
    this.#leverages.set(executionId, leverage);
  }

  /** Leverage kept for an execution; 0: none. */
  leverageOf(executionId: string): number {
    return this.#leverages.get(executionId) ?? 0;
  }

  /** Ends an execution's reservation. To be called after the commit of its end. */
  ended(execution: Execution): void {
    this.usage.ended(execution);
    this.#hide(execution);
    // Repeating a request that was never sent is no duplicate. A preview would have refused it, and noted nothing.
    if (wasNeverSent(execution)) this.recent.drop(execution.id);
  }

  /** Checks the size first, because a lookup hashes the id and few executions were shown to anybody. */
  #hide({ id }: Execution): void {
    if (this.#shown.size > 0) this.#shown.delete(id);
    if (this.#leverages.size > 0) this.#leverages.delete(id);
  }
}

/** True: the execution ended before any of its orders could be at the venue. */
function wasNeverSent({ activeAt, finishedAt }: Execution): boolean {
  return activeAt === null && finishedAt !== null;
}
