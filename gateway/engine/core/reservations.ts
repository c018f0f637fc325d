/**
 * What holders of mandates have reserved: taken in the step that judges it, given back when it is not committed, counted
 * anew when it ends. Of an execution it is in the execution's own row, of what waits in a row beside it.
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

/** What was judged and may be reserved. null where nobody is bound. */
export interface Admission {
  readonly bound: BoundMandate;
  readonly reserveUsd: DecimalString;
  /** The same as a number. */
  readonly worst: Scaled;
  /** Uptime at which it was judged, ms. */
  readonly at: number;
  readonly isRequest: boolean;
  readonly approved: ApprovedRequest | null;
  /** null: the mandate does not ask whether it was asked for before. */
  readonly print: OrderPrint | null;
}

/** An order that waits, with its worst case in USD. */
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
  /** Executions → leverage at which their venue margins what they open. */
  readonly #leverages = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
    this.usage = new UsageBook(clock);
    this.recent = new RecentOrders(clock);
  }

  /** To be called before executions of the previous process go on. */
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
   * Reserves from the call on what the execution says. To be followed by the commit of it and the unit, or by `giveBack`.
   * @returns null: nothing is committed beside it
   */
  take({ bound, at, worst, approved, print }: Admission, execution: Execution): UnitOfWork | null {
    this.usage.reserveNew(execution, at, worst);
    if (print !== null) this.recent.note(holderKey(bound.holder), execution.id, print);
    if (approved === null) return null;
    this.#shown.set(execution.id, approved.worstPrices);
    return approved.alongside(execution.id);
  }

  /**
   * Raises what an execution has reserved, where its sized orders cost more than was thought.
   * @returns the execution, to be committed before its orders leave
   */
  raise(execution: Execution, usd: DecimalString): Execution {
    const raised = { ...execution, reserved: { usd, asked: execution.reserved?.asked ?? false } };
    this.usage.reserve(raised);
    return raised;
  }

  /**
   * For the opening of a reversal, which takes over what its close has reserved, in the unit of the close's end.
   * @returns null: nothing is reserved
   */
  handedOn(from: Execution): Reserved | null {
    return from.reserved === null ? null : { usd: from.reserved.usd, asked: false };
  }

  /** To be called after the commit of an execution that has taken over. */
  tookOver(execution: Execution): void {
    if (execution.reserved !== null) this.usage.reserve(execution);
  }

  /** The same for what waits: one reservation an order. @param made id of what the request makes */
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

  /** To be called after each commit of a trigger: what does not wait for its holder any more does not count. */
  triggerIs({ id, status, pauseReason, authorityId }: Trigger): void {
    const row = this.usage.waitingOf(id);
    if (row === undefined) return;
    const rests = status === 'ACTIVE' || (status === 'PAUSED' && pauseReason !== 'AGENT_LIMIT');
    if (!rests || authorityId !== row.holderId) this.usage.waits(row, null);
  }

  /** The same for a schedule: what its slices have not sent yet counts in proportion. */
  scheduleIs(schedule: Schedule): void {
    const row = this.usage.waitingOf(schedule.id);
    if (row === undefined) return;
    const { status, pauseReason, authorityId } = schedule;
    const rests = status === 'ACTIVE' || (status === 'PAUSED' && pauseReason !== 'AGENT_LIMIT');
    const isHis = authorityId === row.holderId;
    this.usage.waits(row, rests && isHis ? worstLeft(schedule, row.usd) : null);
  }

  /** A due slice uses its part of what its schedule has reserved. */
  sliceOf(schedule: Schedule, legs: readonly SliceLeg[]): Without['waiting'] {
    const row = this.usage.waitingOf(schedule.id);
    return row === undefined ? undefined : { id: schedule.id, usd: worstOfSlice(schedule, legs, row.usd) };
  }

  /** Counts an order that no execution knows of, as if it had filled. Until the gateway ends: it is on no row. */
  tradedOutside({ bound, at, worst }: Admission, id: string): void {
    this.usage.traded(bound.holder, bound.userId, { id, usd: worst, at });
  }

  /** Orders that wait were not committed. */
  release(ids: readonly string[]): void {
    for (const id of ids) {
      this.usage.release(id);
      this.recent.drop(id);
    }
  }

  /** An execution was not committed. */
  giveBack(execution: Execution): void {
    this.usage.releaseExecution(execution);
    this.recent.drop(execution.id);
    this.#hide(execution);
  }

  /** Worst prices that a person was shown, by instrument; undefined: nobody was asked. */
  shownPrices(executionId: string): ReadonlyMap<string, DecimalString> | undefined {
    return this.#shown.get(executionId);
  }

  /**
   * Leverage that the venue has told of what an execution opens, for its further attempts: while orders are under way, it may
   * not be known anew.
   */
  keepLeverage(executionId: string, leverage: number): void {
    this.#leverages.set(executionId, leverage);
  }

  /** 0: not told. */
  leverageOf(executionId: string): number {
    return this.#leverages.get(executionId) ?? 0;
  }

  /** To be called after the commit of the execution's end. */
  ended(execution: Execution): void {
    this.usage.ended(execution);
    this.#hide(execution);
    // Asking once more for what never left is no double: a preview would have refused it at once, and noted nothing.
    if (wasNeverSent(execution)) this.recent.drop(execution.id);
  }

  /** Looking for an id hashes it: few executions were shown to anybody. */
  #hide({ id }: Execution): void {
    if (this.#shown.size > 0) this.#shown.delete(id);
    if (this.#leverages.size > 0) this.#leverages.delete(id);
  }
}

/** It ended before any of its orders could be at the venue. */
function wasNeverSent({ activeAt, finishedAt }: Execution): boolean {
  return activeAt === null && finishedAt !== null;
}
