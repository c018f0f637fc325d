/**
 * What holders of mandates have used, in memory: a projection of executions, waiting orders and their reservations, which
 * a start rebuilds from the disk (`load`). Nothing is counted that an object does not say.
 *
 * Ages are measured by the monotonic clock, so that a wall clock that is set on or back gives no new budget.
 */
import { type Decimal, type DecimalString, dec, ZERO } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { Execution } from '../../domain/model.ts';
import { countedUsd } from '../../domain/worst-price.ts';
import type { Reservation, StoredReservation } from '../ports/reservations.ts';
import type { Clock } from '../ports/system.ts';

const MINUTE_MS = 60_000;
/** Refusals within a minute after which nothing is taken for a while. */
const REFUSALS = 3;

/** An execution that has not ended. */
interface Running {
  readonly usd: DecimalString;
  /** `account basketKey`. */
  readonly basket: string;
}

interface Ended {
  readonly id: string;
  readonly row: Reservation;
  readonly usd: Decimal;
  readonly at: number;
}

interface HolderUsage {
  readonly userId: string;
  readonly running: Map<string, Running>;
  /** Sum of `running`, and how many of them are on each basket. */
  runningUsd: Decimal;
  readonly baskets: Map<string, number>;
  /** Ended within 24 hours, oldest first. */
  ended: Ended[];
  endedUsd: Decimal;
  /** Times of orders that were asked for within 24 hours, oldest first. */
  asked: number[];
  refusals: number[];
  coolUntil: number;
  /** Waiting object → worst case. */
  readonly waiting: Map<string, DecimalString>;
  waitingUsd: Decimal;
}

/** What several holders use together. */
export interface SummedUsage {
  readonly openedUsd: Decimal;
  readonly reservedUsd: Decimal;
  readonly waitingUsd: Decimal;
  readonly resting: number;
}

/** What does not count in a sum, because it is being judged anew or turned into something else. */
export interface Without {
  readonly executionId?: string;
  /** A waiting object; `usd` of it, or all of it (null). */
  readonly waiting?: { readonly id: string; readonly usd: DecimalString | null } | undefined;
}

export function holderKey({ kind, id }: MandateHolder): string {
  return `${kind} ${id}`;
}

export class UsageBook {
  readonly #clock: Pick<Clock, 'now' | 'uptime'>;
  readonly #holders = new Map<string, HolderUsage>();
  readonly #byUser = new Map<string, Set<string>>();
  readonly #reservations = new Map<string, Reservation>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
  }

  load(rows: readonly StoredReservation[]): void {
    for (const { execution, waits, ...row } of rows) {
      const holder = this.#holderOf(row);
      this.#note(holder, row, this.#uptimeOf(row.createdAt));
      if (waits) {
        this.#reservations.set(row.id, row);
        wait(holder, row.id, row.usd);
      }
      if (execution === null) continue;
      if (execution.finishedAt === null) {
        this.#reservations.set(row.id, row);
        run(holder, row.id, { usd: row.usd, basket: `${row.tradeAccountId} ${execution.basketKey}` });
      } else {
        this.#end(holder, row, execution, this.#uptimeOf(execution.finishedAt));
      }
    }
    for (const holder of this.#holders.values()) {
      holder.ended.sort((a, b) => a.at - b.at);
      holder.asked.sort((a, b) => a - b);
    }
  }

  reservationOf(id: string): Reservation | undefined {
    return this.#reservations.get(id);
  }

  /** Reserves for an execution from the call on. */
  reserve(row: Reservation, basketKey: string): void {
    const holder = this.#holderOf(row);
    if (!this.#reservations.has(row.id)) this.#note(holder, row, this.#clock.uptime());
    this.#reservations.set(row.id, row);
    run(holder, row.id, { usd: row.usd, basket: `${row.tradeAccountId} ${basketKey}` });
  }

  /** The execution or waiting order was never committed. */
  release(id: string): void {
    const row = this.#reservations.get(id);
    if (row === undefined) return;
    const holder = this.#holderOf(row);
    this.#reservations.delete(id);
    run(holder, id, null);
    wait(holder, id, null);
    if (row.asked) holder.asked.pop();
  }

  ended(execution: Execution): void {
    const row = this.#reservations.get(execution.id);
    if (row === undefined) return;
    const holder = this.#holderOf(row);
    this.#reservations.delete(execution.id);
    run(holder, execution.id, null);
    this.#end(holder, row, execution, this.#clock.uptime());
  }

  /** An order of the execution filled after its end. */
  filledLate(execution: Execution): void {
    for (const holder of this.#holders.values()) {
      const index = holder.ended.findIndex(({ id }) => id === execution.id);
      const known = holder.ended[index];
      if (known === undefined) continue;
      const usd = dec(countedUsd(execution, known.row.usd));
      holder.ended[index] = { ...known, usd };
      holder.endedUsd = holder.endedUsd.plus(usd).minus(known.usd);
    }
  }

  /** @param usd worst case of what still waits; null: nothing does any more */
  waits(row: Reservation, usd: DecimalString | null): void {
    const holder = this.#holderOf(row);
    if (usd === null) {
      this.#reservations.delete(row.id);
      wait(holder, row.id, null);
      return;
    }
    if (!this.#reservations.has(row.id)) this.#note(holder, row, this.#clock.uptime());
    this.#reservations.set(row.id, row);
    wait(holder, row.id, usd);
  }

  refused(of: MandateHolder, userId: string, coolDownSeconds: number): void {
    const holder = this.#make(holderKey(of), userId);
    const now = this.#clock.uptime();
    holder.refusals = [...holder.refusals.filter((at) => at > now - MINUTE_MS), now];
    if (holder.refusals.length < REFUSALS) return;
    holder.refusals = [];
    holder.coolUntil = now + coolDownSeconds * 1_000;
  }

  /** Ms until the holder may ask again, by each bound; 0: now. */
  waitMs(keys: readonly string[], perMinute: number, perDay: number): number {
    const now = this.#clock.uptime();
    const asked = this.#askedBy(keys);
    const cooling = Math.max(0, ...keys.map((key) => (this.#holders.get(key)?.coolUntil ?? 0) - now));
    const wait = (most: number, windowMs: number) => {
      const within = asked.filter((at) => at > now - windowMs);
      const oldest = within[within.length - most];
      return within.length < most || oldest === undefined ? 0 : oldest + windowMs - now;
    };
    return Math.max(cooling, wait(perMinute, MINUTE_MS), wait(perDay, DAY_MS));
  }

  rate(keys: readonly string[]): { lastMinute: number; lastDay: number; isCoolingDown: boolean } {
    const now = this.#clock.uptime();
    const asked = this.#askedBy(keys);
    return {
      lastMinute: asked.length - firstAfter(asked, now - MINUTE_MS),
      lastDay: asked.length,
      isCoolingDown: keys.some((key) => (this.#holders.get(key)?.coolUntil ?? 0) > now),
    };
  }

  /** Keys of all holders of the user that have used anything lately. */
  ofUser(userId: string): readonly string[] {
    return [...(this.#byUser.get(userId) ?? [])];
  }

  sum(keys: readonly string[], without: Without = {}): SummedUsage {
    const { executionId, waiting: instead } = without;
    let [openedUsd, reservedUsd, waitingUsd] = [ZERO, ZERO, ZERO];
    let resting = 0;
    for (const key of keys) {
      const holder = this.#holders.get(key);
      if (holder === undefined) continue;
      this.#forgetOld(holder);
      openedUsd = openedUsd.plus(holder.endedUsd);
      const own = executionId === undefined ? undefined : holder.running.get(executionId);
      reservedUsd = reservedUsd.plus(holder.runningUsd).minus(own?.usd ?? 0);
      const waits = instead === undefined ? undefined : holder.waiting.get(instead.id);
      waitingUsd = waitingUsd
        .plus(holder.waitingUsd)
        .minus(waits === undefined ? 0 : (instead?.usd ?? waits));
      resting += holder.waiting.size - (waits === undefined ? 0 : 1);
    }
    return { openedUsd: openedUsd.plus(reservedUsd), reservedUsd, waitingUsd, resting };
  }

  /** Baskets (`account basketKey`) of running executions. */
  baskets(keys: readonly string[], executionId: string | undefined): Set<string> {
    const found = new Set<string>();
    for (const key of keys) {
      const holder = this.#holders.get(key);
      const own = holder?.running.get(executionId ?? '')?.basket;
      for (const [basket, count] of holder?.baskets ?? []) if (count > 1 || basket !== own) found.add(basket);
    }
    return found;
  }

  #askedBy(keys: readonly string[]): readonly number[] {
    const all = keys.flatMap((key) => {
      const holder = this.#holders.get(key);
      if (holder === undefined) return [];
      this.#forgetOld(holder);
      return [holder.asked];
    });
    const [only] = all;
    return all.length === 1 && only !== undefined ? only : all.flat().sort((a, b) => a - b);
  }

  #note(holder: HolderUsage, row: Reservation, at: number): void {
    if (row.asked) holder.asked.push(at);
  }

  #end(holder: HolderUsage, row: Reservation, execution: Parameters<typeof countedUsd>[0], at: number): void {
    const usd = dec(countedUsd(execution, row.usd));
    holder.ended.push({ id: row.id, row, usd, at });
    holder.endedUsd = holder.endedUsd.plus(usd);
  }

  #forgetOld(holder: HolderUsage): void {
    const since = this.#clock.uptime() - DAY_MS;
    const old = holder.ended.findIndex(({ at }) => at > since);
    const gone = holder.ended.splice(0, old < 0 ? holder.ended.length : old);
    for (const { usd } of gone) holder.endedUsd = holder.endedUsd.minus(usd);
    if ((holder.asked[0] ?? since + 1) <= since) holder.asked = holder.asked.filter((at) => at > since);
  }

  /** Uptime of a wall time: what lies ahead of the clock, which was set back, counts as now. */
  #uptimeOf(at: number): number {
    return this.#clock.uptime() - Math.max(0, this.#clock.now() - at);
  }

  #holderOf(row: Reservation): HolderUsage {
    return this.#make(holderKey({ kind: row.holderKind, id: row.holderId }), row.userId);
  }

  #make(key: string, userId: string): HolderUsage {
    const known = this.#holders.get(key);
    if (known !== undefined) return known;
    const holder: HolderUsage = {
      userId,
      running: new Map(),
      runningUsd: ZERO,
      baskets: new Map(),
      ended: [],
      endedUsd: ZERO,
      asked: [],
      refusals: [],
      coolUntil: 0,
      waiting: new Map(),
      waitingUsd: ZERO,
    };
    this.#holders.set(key, holder);
    const ofUser = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, ofUser.add(key));
    return holder;
  }
}

/** Index of the first of rising times that is later; their number: none is. */
function firstAfter(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @param running null: it does not run any more */
function run(holder: HolderUsage, id: string, running: Running | null): void {
  const before = holder.running.get(id);
  if (before !== undefined) {
    holder.runningUsd = holder.runningUsd.minus(before.usd);
    const left = (holder.baskets.get(before.basket) ?? 1) - 1;
    if (left > 0) holder.baskets.set(before.basket, left);
    else holder.baskets.delete(before.basket);
    holder.running.delete(id);
  }
  if (running === null) return;
  holder.running.set(id, running);
  holder.runningUsd = holder.runningUsd.plus(running.usd);
  holder.baskets.set(running.basket, (holder.baskets.get(running.basket) ?? 0) + 1);
}

/** @param usd null: it does not wait any more */
function wait(holder: HolderUsage, id: string, usd: DecimalString | null): void {
  holder.waitingUsd = holder.waitingUsd.minus(holder.waiting.get(id) ?? 0);
  holder.waiting.delete(id);
  if (usd === null) return;
  holder.waiting.set(id, usd);
  holder.waitingUsd = holder.waitingUsd.plus(usd);
}
