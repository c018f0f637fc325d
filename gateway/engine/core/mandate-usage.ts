/**
 * Usage of mandates by their holders, in memory: a projection of executions, pending orders and their reservations.
 * `load` rebuilds it from the disk at start. Every count comes from a stored object.
 *
 * Ages are measured by the monotonic clock, so that setting the wall clock gives no new budget.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { Execution, Reserved } from '../../domain/model.ts';
import { minus, NOTHING, plus, type Scaled, scaled } from '../../domain/scaled.ts';
import { countedUsd } from '../../domain/worst-price.ts';
import type { StoredReservations, WaitingReservation } from '../ports/reservations.ts';
import type { Clock } from '../ports/system.ts';
import { Asking, MINUTE_MS, waitOf } from './asking.ts';
import { EndedExecutions } from './ended-executions.ts';
import {
  type Basket,
  BasketSet,
  type Reserving,
  type Running,
  RunningExecutions,
  reservedUsd,
} from './running-executions.ts';

/** Pending order that counts in the usage. */
interface Kept {
  readonly holder: HolderUsage;
  /** True: it was also counted as a requested order. */
  readonly asked: boolean;
  /** Rest of its reservation, USD. */
  readonly usd: Scaled;
  readonly row: WaitingReservation;
}

interface HolderUsage {
  readonly key: string;
  readonly userId: string;
  readonly running: RunningExecutions;
  readonly ended: EndedExecutions;
  readonly asking: Asking;
  /** Worst case of the pending orders, USD. `resting` is their number. */
  waitingUsd: Scaled;
  resting: number;
}

/** Usage of several holders together. */
export interface SummedUsage {
  readonly openedUsd: Scaled;
  readonly reservedUsd: Scaled;
  readonly waitingUsd: Scaled;
  readonly resting: number;
}

/** Objects left out of a sum, because they are being judged again or turned into something else. */
export interface Without {
  readonly execution?: Reserving;
  /** A waiting object; `usd` of it, or all of it (null). */
  readonly waiting?: { readonly id: string; readonly usd: DecimalString | null } | undefined;
}

/** Id alone: grants and keys have UUIDs of one kind, and a combined text would have to be hashed each time. */
export function holderKey({ id }: Pick<MandateHolder, 'id'>): string {
  return id;
}

export class UsageBook {
  readonly #clock: Pick<Clock, 'now' | 'uptime'>;
  readonly #holders = new Map<string, HolderUsage>();
  /** Holder of the latest lookup: one judgement looks it up ten times. Holders are never removed. */
  #last: HolderUsage | undefined;
  readonly #byUser = new Map<string, Set<string>>();
  /** Id of a pending order → its part of the usage. */
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
  }

  load(rows: StoredReservations): void {
    for (const { waiting, waits } of rows.waiting) {
      const holder = this.#holderOf(waiting);
      if (waiting.asked) holder.asking.load(this.#uptimeOf(waiting.createdAt));
      if (waits) this.#keep(holder, scaled(waiting.usd), false, waiting);
    }
    for (const execution of rows.executions) {
      const { reserved, finishedAt } = execution;
      const holder = this.#reserverOf(execution);
      if (reserved === null || holder === null) continue;
      if (reserved.asked) holder.asking.load(this.#uptimeOf(execution.createdAt));
      if (finishedAt === null) holder.running.add(execution, scaled(reserved.usd));
      else end(holder, execution, reserved, this.#uptimeOf(finishedAt));
    }
    for (const holder of this.#holders.values()) {
      holder.ended.sort();
      holder.asking.sort();
    }
  }

  /** Uptime, ms. A judgement reads it once. */
  now(): number {
    return this.#clock.uptime();
  }

  /** Reservation of a pending order that counts. */
  waitingOf(id: string): WaitingReservation | undefined {
    return this.#kept.get(id)?.row;
  }

  /**
   * Reserves for a new execution, from the call on.
   * @param at uptime, ms
   * @param usd `reserved.usd` of the execution
   */
  reserveNew(execution: Reserving, at: number, usd: Scaled): void {
    const { reserved } = execution;
    const holder = this.#reserverOf(execution);
    if (reserved === null || holder === null) return;
    note(holder, reserved, at);
    holder.running.add(execution, usd);
  }

  /** Replaces an execution's reservation, from the call on. */
  reserve(execution: Reserving): void {
    const holder = this.#knownReserverOf(execution);
    const { reserved } = execution;
    const before = holder?.running.remove(execution);
    if (reserved === null) return;
    const usd = scaled(reserved.usd);
    if (holder === undefined || before === undefined) this.reserveNew(execution, this.#clock.uptime(), usd);
    else holder.running.add(execution, usd);
  }

  /** Removes the reservation of an execution that was never committed. */
  releaseExecution(execution: Reserving): void {
    const holder = this.#knownReserverOf(execution);
    if (holder?.running.remove(execution)?.reserved?.asked === true) holder.asking.takeBack();
  }

  /** Removes the reservation of a pending order that was never committed. */
  release(id: string): void {
    const kept = this.#drop(id);
    if (kept?.asked === true) kept.holder.asking.takeBack();
  }

  ended(execution: Execution): void {
    const { reserved } = execution;
    const holder = this.#knownReserverOf(execution);
    if (holder === undefined || holder.running.remove(execution) === undefined || reserved === null) return;
    end(holder, execution, reserved, this.#clock.uptime());
  }

  /** Counts a requested order that opened this much without an execution. */
  traded(
    of: MandateHolder,
    userId: string,
    { id, usd, at }: { readonly id: string; readonly usd: Scaled; readonly at: number },
  ): void {
    const holder = this.#make(holderKey(of), userId);
    holder.asking.note(at);
    holder.ended.add(id, usd, at);
  }

  /** Counts a fill that came after the execution's end. */
  filledLate(execution: Execution): void {
    const { reserved } = execution;
    if (reserved === null) return;
    const usd = countedUsd(execution, reserved.usd);
    for (const holder of this.#holders.values()) {
      forgetOld(holder, this.#clock.uptime());
      holder.ended.change(execution.id, usd);
    }
  }

  /** @param usd worst case of the orders still pending; null: none are left */
  waits(row: WaitingReservation, usd: DecimalString | null): void {
    const known = this.#drop(row.id);
    if (usd === null) return;
    const holder = known?.holder ?? this.#holderOf(row);
    if (known === undefined) note(holder, row, this.#clock.uptime());
    this.#keep(holder, scaled(usd), row.asked, row);
  }

  refused(of: MandateHolder, userId: string, coolDownSeconds: number): void {
    const holder = this.#make(holderKey(of), userId);
    holder.asking.refused(this.#clock.uptime(), coolDownSeconds);
  }

  /** Time until the holder may request again, by each rate limit, ms; 0: now. */
  waitMs(keys: readonly string[], perMinute: number, perDay: number): number {
    const now = this.#clock.uptime();
    const asking = keys.flatMap((key) => this.#find(key)?.asking ?? []);
    const asked = asking.flatMap((one) => one.asked).sort((a, b) => a - b);
    const cooling = Math.max(0, ...asking.map(({ coolUntil }) => coolUntil - now));
    return Math.max(cooling, waitOf(asked, perMinute, MINUTE_MS, now), waitOf(asked, perDay, DAY_MS, now));
  }

  /**
   * Number of orders that the holders requested within the last minute.
   * @param now uptime, ms; also in the functions below
   */
  lastMinute(keys: readonly string[], now: number): number {
    let count = 0;
    for (const key of keys) count += this.#find(key)?.asking.withinMinute(now) ?? 0;
    return count;
  }

  lastDay(keys: readonly string[], now: number): number {
    let count = 0;
    for (const key of keys) count += this.#find(key)?.asking.withinDay(now) ?? 0;
    return count;
  }

  isCoolingDown(keys: readonly string[], now: number): boolean {
    return keys.some((key) => (this.#find(key)?.asking.coolUntil ?? 0) > now);
  }

  /** Keys of all holders of the user with recent usage. */
  ofUser(userId: string): readonly string[] {
    return [...(this.#byUser.get(userId) ?? [])];
  }

  sum(keys: readonly string[], without: Without, now: number): SummedUsage {
    let [endedUsd, heldUsd, waitingUsd, resting] = [NOTHING, NOTHING, NOTHING, 0];
    for (const key of keys) {
      const holder = this.#find(key);
      if (holder === undefined) continue;
      forgetOld(holder, now);
      endedUsd = plus(endedUsd, holder.ended.usd);
      heldUsd = plus(heldUsd, holder.running.usd);
      waitingUsd = plus(waitingUsd, holder.waitingUsd);
      resting += holder.resting;
    }
    const { execution, waiting } = without;
    const running = execution === undefined ? undefined : this.#runningBy(keys, execution);
    if (running !== undefined) heldUsd = minus(heldUsd, reservedUsd(running));
    const waits = waiting === undefined ? undefined : this.#kept.get(waiting.id);
    if (waiting !== undefined && waits !== undefined && keys.includes(waits.holder.key)) {
      waitingUsd = minus(waitingUsd, waiting.usd === null ? waits.usd : scaled(waiting.usd));
      resting -= 1;
    }
    return { openedUsd: plus(endedUsd, heldUsd), reservedUsd: heldUsd, waitingUsd, resting };
  }

  /** Upper bound of `baskets`, without counting. */
  mostBaskets(keys: readonly string[], held: number): number {
    let count = held;
    for (const key of keys) count += this.#find(key)?.running.mostBaskets ?? 0;
    return count;
  }

  /** Number of baskets that are in `held` or on which the holders' executions run, without those of `execution`. */
  baskets(keys: readonly string[], execution: Reserving | undefined, held: readonly Basket[]): number {
    const own = execution === undefined ? undefined : this.#runningBy(keys, execution);
    const found = new BasketSet();
    for (const basket of held) found.add(basket);
    for (const key of keys) this.#find(key)?.running.addBaskets(found, own);
    return found.size;
  }

  #runningBy(keys: readonly string[], execution: Reserving): Running | undefined {
    const holder = this.#knownReserverOf(execution);
    if (holder === undefined || !keys.includes(holder.key)) return undefined;
    return holder.running.get(execution);
  }

  #keep(holder: HolderUsage, usd: Scaled, asked: boolean, row: WaitingReservation): void {
    this.#kept.set(row.id, { holder, asked, usd, row });
    holder.waitingUsd = plus(holder.waitingUsd, usd);
    holder.resting += 1;
  }

  #drop(id: string): Kept | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    this.#kept.delete(id);
    const { holder, usd } = kept;
    holder.resting -= 1;
    holder.waitingUsd = holder.resting === 0 ? NOTHING : minus(holder.waitingUsd, usd);
    return kept;
  }

  /** Uptime of a wall time. A time in the future (the clock was set back) counts as now. */
  #uptimeOf(at: number): number {
    return this.#clock.uptime() - Math.max(0, this.#clock.now() - at);
  }

  #holderOf({ holderId: id, userId }: WaitingReservation): HolderUsage {
    return this.#make(holderKey({ id }), userId);
  }

  /** Holder that reserves; null: the user placed it. */
  #reserverOf({ authorityKind: kind, authorityId: id, userId }: Reserving): HolderUsage | null {
    if (id === null || (kind !== 'api_key' && kind !== 'oauth_grant')) return null;
    return this.#make(holderKey({ id }), userId);
  }

  #knownReserverOf({ authorityKind: kind, authorityId: id }: Reserving): HolderUsage | undefined {
    return id === null || kind === 'session' ? undefined : this.#find(holderKey({ id }));
  }

  #find(key: string): HolderUsage | undefined {
    if (this.#last?.key === key) return this.#last;
    const found = this.#holders.get(key);
    if (found !== undefined) this.#last = found;
    return found;
  }

  #make(key: string, userId: string): HolderUsage {
    const known = this.#find(key);
    if (known !== undefined) return known;
    const holder: HolderUsage = {
      key,
      userId,
      running: new RunningExecutions(),
      ended: new EndedExecutions(),
      asking: new Asking(),
      waitingUsd: NOTHING,
      resting: 0,
    };
    this.#holders.set(key, holder);
    const ofUser = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, ofUser.add(key));
    return holder;
  }
}

function note(holder: HolderUsage, { asked }: { readonly asked: boolean }, at: number): void {
  if (asked) holder.asking.note(at);
}

function end(
  holder: HolderUsage,
  execution: Parameters<typeof countedUsd>[0] & Pick<Execution, 'id'>,
  reserved: Reserved,
  at: number,
): void {
  holder.ended.add(execution.id, countedUsd(execution, reserved.usd), at);
}

function forgetOld(holder: HolderUsage, now: number): void {
  const since = now - DAY_MS;
  holder.ended.forgetUntil(since);
  holder.asking.forgetUntil(since);
}
