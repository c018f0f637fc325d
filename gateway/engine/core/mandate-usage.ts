/**
 * What holders of mandates have used, in memory: a projection of executions, waiting orders and their reservations, which
 * a start rebuilds from the disk (`load`). Nothing is counted that an object does not say.
 *
 * Ages are measured by the monotonic clock, so that a wall clock that is set on or back gives no new budget.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { Execution } from '../../domain/model.ts';
import { minus, NOTHING, plus, type Scaled, scaled } from '../../domain/scaled.ts';
import { countedUsd } from '../../domain/worst-price.ts';
import type { Reservation, StoredReservation } from '../ports/reservations.ts';
import type { Clock } from '../ports/system.ts';

export const MINUTE_MS = 60_000;
/** Refusals within a minute after which nothing is taken for a while. */
const REFUSALS = 3;

/** Times within a day that may be kept beyond it before they are let go together. */
const MANY = 1_024;

/** A basket of an account. */
export interface Basket {
  readonly tradeAccountId: string;
  readonly basketKey: string;
}

/** A basket with executions of a holder that have not ended. */
interface Running extends Basket {
  executions: number;
}

/** An object that counts: an execution that has not ended, or an order that waits. */
interface Kept {
  readonly row: Reservation;
  readonly holder: HolderUsage;
  /** Of an order that waits, what is left of its reservation. */
  readonly usd: DecimalString;
  /** null: it waits. */
  readonly on: Running | null;
}

interface Ended {
  readonly id: string;
  readonly row: Reservation;
  readonly usd: Scaled;
  readonly at: number;
}

interface HolderUsage {
  readonly userId: string;
  /** Sum of executions that have not ended, and the baskets that they are on: account → basket key → basket. */
  runningUsd: Scaled;
  readonly baskets: Map<string, Map<string, Running>>;
  /** Those that ended within 24 hours and a while before, oldest first; from `firstEnded` on they count. */
  ended: Ended[];
  firstEnded: number;
  endedUsd: Scaled;
  /** Times of orders that were asked for within 24 hours and a while before, oldest first. */
  asked: number[];
  refusals: number[];
  coolUntil: number;
  /** Worst case of what waits, and how many orders do. */
  waitingUsd: Scaled;
  resting: number;
}

/** What several holders use together. */
export interface SummedUsage {
  readonly openedUsd: Scaled;
  readonly reservedUsd: Scaled;
  readonly waitingUsd: Scaled;
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
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
  }

  load(rows: readonly StoredReservation[]): void {
    for (const { execution, waits, ...row } of rows) {
      const holder = this.#holderOf(row);
      note(holder, row, this.#uptimeOf(row.createdAt));
      if (waits) keep(this.#kept, holder, row, row.usd, null);
      if (execution === null) continue;
      const { basketKey, finishedAt } = execution;
      if (finishedAt === null) keep(this.#kept, holder, row, row.usd, basketKey);
      else end(holder, row, execution, this.#uptimeOf(finishedAt));
    }
    for (const holder of this.#holders.values()) {
      holder.ended.sort((a, b) => a.at - b.at);
      holder.asked.sort((a, b) => a - b);
    }
  }

  reservationOf(id: string): Reservation | undefined {
    return this.#kept.get(id)?.row;
  }

  /** Reserves from the call on for an execution that has just been made. */
  reserveNew(row: Reservation, basketKey: string): void {
    const holder = this.#holderOf(row);
    note(holder, row, this.#clock.uptime());
    keep(this.#kept, holder, row, row.usd, basketKey);
  }

  /** Reserves for an execution from the call on, instead of what it has reserved before. */
  reserve(row: Reservation, basketKey: string): void {
    this.#take(row, row.usd, basketKey);
  }

  /** The execution or waiting order was never committed. */
  release(id: string): void {
    const kept = this.#drop(id);
    if (kept?.row.asked === true) kept.holder.asked.pop();
  }

  ended(execution: Execution): void {
    const kept = this.#drop(execution.id);
    if (kept !== undefined) end(kept.holder, kept.row, execution, this.#clock.uptime());
  }

  /** An order of the execution filled after its end. */
  filledLate(execution: Execution): void {
    for (const holder of this.#holders.values()) {
      this.#forgetOld(holder);
      const index = holder.ended.findIndex(({ id }) => id === execution.id);
      const known = holder.ended[index];
      if (known === undefined || index < holder.firstEnded) continue;
      const usd = scaled(countedUsd(execution, known.row.usd));
      holder.ended[index] = { ...known, usd };
      holder.endedUsd = minus(plus(holder.endedUsd, usd), known.usd);
    }
  }

  /** @param usd worst case of what still waits; null: nothing does any more */
  waits(row: Reservation, usd: DecimalString | null): void {
    if (usd === null) this.#drop(row.id);
    else this.#take(row, usd, null);
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
    const asked = keys.flatMap((key) => this.#holders.get(key)?.asked ?? []).sort((a, b) => a - b);
    const cooling = Math.max(0, ...keys.map((key) => (this.#holders.get(key)?.coolUntil ?? 0) - now));
    const wait = (most: number, windowMs: number) => {
      const within = asked.slice(firstAfter(asked, now - windowMs));
      const oldest = within[within.length - most];
      return within.length < most || oldest === undefined ? 0 : oldest + windowMs - now;
    };
    return Math.max(cooling, wait(perMinute, MINUTE_MS), wait(perDay, DAY_MS));
  }

  /** Number of orders that the holders have asked for within the time. */
  asked(keys: readonly string[], windowMs: number): number {
    const since = this.#clock.uptime() - windowMs;
    let count = 0;
    for (const key of keys) {
      const times = this.#holders.get(key)?.asked;
      if (times !== undefined) count += times.length - firstAfter(times, since);
    }
    return count;
  }

  isCoolingDown(keys: readonly string[]): boolean {
    const now = this.#clock.uptime();
    return keys.some((key) => (this.#holders.get(key)?.coolUntil ?? 0) > now);
  }

  /** Keys of all holders of the user that have used anything lately. */
  ofUser(userId: string): readonly string[] {
    return [...(this.#byUser.get(userId) ?? [])];
  }

  sum(keys: readonly string[], without: Without = {}): SummedUsage {
    let [endedUsd, reservedUsd, waitingUsd, resting] = [NOTHING, NOTHING, NOTHING, 0];
    for (const key of keys) {
      const holder = this.#holders.get(key);
      if (holder === undefined) continue;
      this.#forgetOld(holder);
      endedUsd = plus(endedUsd, holder.endedUsd);
      reservedUsd = plus(reservedUsd, holder.runningUsd);
      waitingUsd = plus(waitingUsd, holder.waitingUsd);
      resting += holder.resting;
    }
    const { executionId, waiting } = without;
    const running = executionId === undefined ? undefined : this.#keptBy(keys, executionId);
    if (running !== undefined && running.on !== null) reservedUsd = minus(reservedUsd, scaled(running.usd));
    const waits = waiting === undefined ? undefined : this.#keptBy(keys, waiting.id);
    if (waiting !== undefined && waits !== undefined && waits.on === null) {
      waitingUsd = minus(waitingUsd, scaled(waiting.usd ?? waits.usd));
      resting -= 1;
    }
    return { openedUsd: plus(endedUsd, reservedUsd), reservedUsd, waitingUsd, resting };
  }

  /** Number of baskets that the holders' executions run on, or that are among `held`; `executionId` does not count. */
  baskets(keys: readonly string[], executionId: string | undefined, held: readonly Basket[]): number {
    const own = executionId === undefined ? undefined : this.#keptBy(keys, executionId);
    const runs = (holder: HolderUsage, { tradeAccountId, basketKey }: Basket) => {
      const basket = holder.baskets.get(tradeAccountId)?.get(basketKey);
      return basket !== undefined && basket.executions > (basket === own?.on ? 1 : 0);
    };
    const counted: HolderUsage[] = [];
    let count = 0;
    for (const key of keys) {
      const holder = this.#holders.get(key);
      if (holder === undefined) continue;
      for (const baskets of holder.baskets.values()) {
        // Those of the first holder are counted together: it is the only one, nearly always.
        if (counted.length === 0) count += baskets.size;
        else
          for (const basket of baskets.values())
            if (runs(holder, basket) && !counted.some((other) => runs(other, basket))) count += 1;
      }
      counted.push(holder);
    }
    const [first] = counted;
    if (own !== undefined && own.on !== null && own.holder === first && own.on.executions === 1) count -= 1;
    if (held.length === 0) return count;
    const others = held.filter((basket) => !counted.some((holder) => runs(holder, basket)));
    return (
      count + new Set(others.map(({ tradeAccountId, basketKey }) => `${tradeAccountId} ${basketKey}`)).size
    );
  }

  #keptBy(keys: readonly string[], id: string): Kept | undefined {
    const kept = this.#kept.get(id);
    return kept !== undefined && keys.includes(keyOf(kept.row)) ? kept : undefined;
  }

  /** @param basketKey null: it waits */
  #take(row: Reservation, usd: DecimalString, basketKey: string | null): void {
    const known = this.#drop(row.id)?.holder;
    const holder = known ?? this.#holderOf(row);
    if (known === undefined) note(holder, row, this.#clock.uptime());
    keep(this.#kept, holder, row, usd, basketKey);
  }

  #drop(id: string): Kept | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    this.#kept.delete(id);
    const { holder, usd, on } = kept;
    if (on === null) {
      holder.waitingUsd = minus(holder.waitingUsd, scaled(usd));
      holder.resting -= 1;
      return kept;
    }
    holder.runningUsd = minus(holder.runningUsd, scaled(usd));
    on.executions -= 1;
    if (on.executions === 0) holder.baskets.get(on.tradeAccountId)?.delete(on.basketKey);
    return kept;
  }

  #forgetOld(holder: HolderUsage): void {
    const since = this.#clock.uptime() - DAY_MS;
    for (;;) {
      const oldest = holder.ended[holder.firstEnded];
      if (oldest === undefined || oldest.at > since) break;
      holder.endedUsd = minus(holder.endedUsd, oldest.usd);
      holder.firstEnded += 1;
    }
    if (holder.firstEnded > MANY) {
      holder.ended = holder.ended.slice(holder.firstEnded);
      holder.firstEnded = 0;
    }
    const old = holder.asked[MANY];
    if (old !== undefined && old <= since) holder.asked = holder.asked.slice(firstAfter(holder.asked, since));
  }

  /** Uptime of a wall time: what lies ahead of the clock, which was set back, counts as now. */
  #uptimeOf(at: number): number {
    return this.#clock.uptime() - Math.max(0, this.#clock.now() - at);
  }

  #holderOf(row: Reservation): HolderUsage {
    return this.#make(keyOf(row), row.userId);
  }

  #make(key: string, userId: string): HolderUsage {
    const known = this.#holders.get(key);
    if (known !== undefined) return known;
    const holder: HolderUsage = {
      userId,
      runningUsd: NOTHING,
      baskets: new Map(),
      ended: [],
      firstEnded: 0,
      endedUsd: NOTHING,
      asked: [],
      refusals: [],
      coolUntil: 0,
      waitingUsd: NOTHING,
      resting: 0,
    };
    this.#holders.set(key, holder);
    const ofUser = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, ofUser.add(key));
    return holder;
  }
}

function keyOf({ holderKind: kind, holderId: id }: Reservation): string {
  return holderKey({ kind, id });
}

/** @param basketKey null: it waits */
function keep(
  all: Map<string, Kept>,
  holder: HolderUsage,
  row: Reservation,
  usd: DecimalString,
  basketKey: string | null,
): void {
  const on = basketKey === null ? null : basketOf(holder, row.tradeAccountId, basketKey);
  all.set(row.id, { row, holder, usd, on });
  if (on === null) {
    holder.waitingUsd = plus(holder.waitingUsd, scaled(usd));
    holder.resting += 1;
  } else {
    holder.runningUsd = plus(holder.runningUsd, scaled(usd));
    on.executions += 1;
  }
}

function basketOf(holder: HolderUsage, tradeAccountId: string, basketKey: string): Running {
  let ofAccount = holder.baskets.get(tradeAccountId);
  if (ofAccount === undefined) {
    ofAccount = new Map();
    holder.baskets.set(tradeAccountId, ofAccount);
  }
  const known = ofAccount.get(basketKey);
  if (known !== undefined) return known;
  const basket = { tradeAccountId, basketKey, executions: 0 };
  ofAccount.set(basketKey, basket);
  return basket;
}

function note(holder: HolderUsage, row: Reservation, at: number): void {
  if (row.asked) holder.asked.push(at);
}

function end(
  holder: HolderUsage,
  row: Reservation,
  execution: Parameters<typeof countedUsd>[0],
  at: number,
): void {
  const usd = scaled(countedUsd(execution, row.usd));
  holder.ended.push({ id: row.id, row, usd, at });
  holder.endedUsd = plus(holder.endedUsd, usd);
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
