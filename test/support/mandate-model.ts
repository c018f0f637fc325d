/**
 * Usage of mandates by their holders, in a model of its own: it reads the units that the engine hands to the store, and
 * has its own arithmetic. Each unit is read when it is handed in, right after the engine's decision.
 */
import type { Mandate } from '../../gateway/domain/mandate.ts';
import type { Execution, Order, TradeLeg } from '../../gateway/domain/model.ts';
import type { Schedule } from '../../gateway/domain/schedule.ts';
import type { Trigger } from '../../gateway/domain/trigger.ts';
import type { UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { type Exact, exact, exactText, times, totalOf } from './exact.ts';

const DAY_MS = 86_400_000;

type Placed = Pick<Execution, 'authorityKind' | 'authorityId'>;

interface Known {
  readonly family: string;
  readonly execution: Execution;
  /** At the worst price that its legs, or its sized orders, allow. */
  readonly worst: Exact;
  /** Uptime of its end; null while it runs. */
  readonly endedAt: number | null;
}

interface Waiting {
  readonly family: string;
  readonly worst: Exact;
}

export interface ModelFacts {
  readonly uptime: () => number;
  readonly mark: (symbol: string) => string;
  /** The mandate of whoever placed it now, and of all together; null: nothing binds. */
  readonly limits: (placed: Placed) => {
    readonly family: string;
    readonly mandate: Mandate;
    readonly house: { readonly opened: string | null; readonly gross: string | null };
  } | null;
}

export class MandateModel {
  /** Number of states compared with the limits. */
  checked = 0;
  /** USD that were ever more than a limit allowed. */
  past: Exact = 0n;
  readonly violations: string[] = [];
  readonly #facts: ModelFacts;
  readonly #executions = new Map<string, Known>();
  readonly #waiting = new Map<string, Waiting>();
  /** Row of a holder's share → its cost. */
  readonly #held = new Map<string, { readonly family: string; readonly cost: Exact }>();
  readonly #familyOf: (holderId: string) => string;

  constructor(facts: ModelFacts, familyOf: (holderId: string) => string) {
    this.#facts = facts;
    this.#familyOf = familyOf;
  }

  /** A unit, as the engine hands it in. */
  take(unit: UnitOfWork): void {
    for (const row of unit.holdings ?? []) {
      const key = `${row.holderId} ${row.positionId} ${row.symbol}`;
      this.#held.set(key, { family: this.#familyOf(row.holderId), cost: exact(row.cost) });
    }
    const rises: { readonly placed: Placed; readonly order: Exact | null; readonly isWaiting: boolean }[] =
      [];
    for (const trigger of unit.triggers ?? [])
      if (this.#trigger(trigger)) rises.push({ placed: trigger, order: null, isWaiting: true });
    for (const schedule of unit.newSchedules ?? [])
      if (this.#schedule(schedule)) rises.push({ placed: schedule, order: null, isWaiting: true });
    for (const schedule of unit.schedules ?? []) this.#schedule(schedule);
    for (const execution of [...(unit.newExecutions ?? []), ...(unit.executions ?? [])]) {
      const order = this.#execution(execution);
      if (order !== null) rises.push({ placed: execution, order, isWaiting: false });
    }
    for (const rise of rises) this.#check(rise);
  }

  /** Families whose reservations have not ended, of executions. */
  running(): readonly string[] {
    return [...this.#executions.values()]
      .filter(({ endedAt }) => endedAt === null)
      .map(({ family }) => family);
  }

  worstOf(executionId: string): Exact | undefined {
    return this.#executions.get(executionId)?.worst;
  }

  #check({
    placed,
    order,
    isWaiting,
  }: {
    readonly placed: Placed;
    readonly order: Exact | null;
    readonly isWaiting: boolean;
  }): void {
    const bound = this.#facts.limits(placed);
    if (bound === null) return;
    const { family, mandate, house } = bound;
    this.checked += 1;
    if (order !== null) this.#atMost('one order', order, mandate.maxOrderUsd);
    if (!isWaiting) {
      this.#atMost('24 hours', this.#opened(family), mandate.maxOpenedUsd24h);
      this.#atMost('24 hours of all', this.#opened(null), house.opened);
    }
    this.#atMost('gross', this.#gross(family), mandate.maxGrossUsd);
    this.#atMost('gross of all', this.#gross(null), house.gross);
  }

  #atMost(what: string, used: Exact, allowed: string | null): void {
    if (allowed === null) return;
    const over = used - exact(allowed);
    if (over <= 0n) return;
    this.violations.push(`${what}: ${exactText(used)} of ${allowed}`);
    if (over > this.past) this.past = over;
  }

  #opened(family: string | null): Exact {
    const since = this.#facts.uptime() - DAY_MS;
    return totalOf([...this.#executions.values()], ({ family: own, execution, worst, endedAt }) => {
      if (family !== null && own !== family) return 0n;
      if (endedAt === null) return worst;
      return endedAt <= since ? 0n : least(openedBy(execution), worst);
    });
  }

  #gross(family: string | null): Exact {
    const of = <T extends { readonly family: string }>(all: Iterable<T>) =>
      [...all].filter((one) => family === null || one.family === family);
    const running = of(this.#executions.values()).filter(({ endedAt }) => endedAt === null);
    const worst = totalOf([...running, ...of(this.#waiting.values())], (one) => one.worst);
    return worst + totalOf(of(this.#held.values()), ({ cost }) => cost);
  }

  /** Worst-case cost of the execution if this row has raised it, else null. */
  #execution(execution: Execution): Exact | null {
    const bound = this.#facts.limits(execution);
    const known = this.#executions.get(execution.id);
    if (bound === null && known === undefined) return null;
    const family = known?.family ?? bound?.family ?? '';
    const endedAt = execution.finishedAt === null ? null : (known?.endedAt ?? this.#facts.uptime());
    const worst = this.#worst(execution, known);
    this.#executions.set(execution.id, { family, execution, worst, endedAt });
    // A reversal is judged when it is accepted and when its opening becomes ACTIVE. In between, where its mandate may have
    // become tighter, its close opens nothing, and the opening takes over what the close has reserved, which is no more.
    const takesOver = execution.status === 'IDLE' && this.#closedBefore(execution) !== undefined;
    const begins = known?.execution.status === 'IDLE' && execution.status === 'ACTIVE';
    const isNew = (known === undefined && !takesOver) || (begins && execution.intent !== 'REVERSE');
    return isNew && endedAt === null && worst > 0n ? worst : null;
  }

  /** The close of the reversal that it opens; undefined: it is no part of one. */
  #closedBefore({ parentId, intent }: Execution): Known | undefined {
    const parent = parentId === null || intent !== 'OPEN' ? undefined : this.#executions.get(parentId);
    return parent?.execution.intent === 'REVERSE' ? parent : undefined;
  }

  #worst(execution: Execution, known: Known | undefined): Exact {
    const isReversal = execution.intent === 'REVERSE';
    if (execution.intent !== 'OPEN' && execution.intent !== 'ADJUST' && !isReversal) return 0n;
    const before = known?.worst ?? this.#closedBefore(execution)?.worst;
    if (execution.status === 'ACTIVE' && known?.execution.status === 'IDLE' && !isReversal) {
      const sized = totalOf(execution.orders, (order) =>
        order.reduceOnly || order.status === 'CANCELLED' ? 0n : this.#sized(order),
      );
      return before !== undefined && before >= sized ? before : sized;
    }
    return before ?? this.#legs(execution.orders, execution.slippage, null);
  }

  #sized({ quantity, limitPrice, symbol }: Order): Exact {
    const [limit, mark] = [exact(limitPrice ?? '0'), exact(this.#facts.mark(symbol))];
    return times(exact(quantity ?? '0'), limit > mark ? limit : mark);
  }

  #legs(legs: readonly TradeLeg[], slippage: string, totalUsd: string | null): Exact {
    return totalOf(legs, ({ symbol, side, mode, amount }) => {
      const unit = { USD: '1', BASE: this.#facts.mark(symbol), WEIGHT: totalUsd ?? '0' }[mode];
      const atMark = times(exact(amount), exact(unit));
      return side === 'BUY' ? times(atMark, exact('1') + exact(slippage)) : atMark;
    });
  }

  #trigger(trigger: Trigger): boolean {
    return this.#waits(trigger, trigger.kind === 'OPEN', () =>
      this.#legs(trigger.legs, trigger.slippage, trigger.totalUsd),
    );
  }

  #schedule(schedule: Schedule): boolean {
    const sent = schedule.slices.find(({ status }) => status === 'EXECUTING')?.legs ?? [];
    const isNew = !this.#waiting.has(schedule.id);
    const waits = this.#waits(schedule, schedule.kind === 'OPEN', () => 0n);
    if (!waits && isNew) return false;
    const known = this.#waiting.get(schedule.id);
    if (known === undefined) return false;
    const worst = totalOf(schedule.ledger, ({ symbol, side, total: all, settled, dropped, usdPerUnit }) => {
      const onItsWay = sent.find((leg) => leg.symbol === symbol)?.amount ?? '0';
      const open = exact(all) - exact(settled) - exact(dropped) - exact(onItsWay);
      const usd = times(open > 0n ? open : 0n, exact(usdPerUnit));
      return side === 'BUY' ? times(usd, exact('1') + exact(schedule.slippage)) : usd;
    });
    this.#waiting.set(schedule.id, { ...known, worst });
    return isNew;
  }

  /** True: it begins to wait. */
  #waits(
    of: Placed & { readonly id: string; readonly status: string; readonly pauseReason: string | null },
    opens: boolean,
    worst: () => Exact,
  ): boolean {
    const bound = this.#facts.limits(of);
    const rests = (of.status === 'ACTIVE' || of.status === 'PAUSED') && of.pauseReason !== 'AGENT_LIMIT';
    if (!opens || !rests || bound === null) {
      this.#waiting.delete(of.id);
      return false;
    }
    if (this.#waiting.has(of.id)) return false;
    this.#waiting.set(of.id, { family: bound.family, worst: worst() });
    return true;
  }
}

function openedBy({ orders, intent }: Execution): Exact {
  if (intent !== 'OPEN' && intent !== 'ADJUST') return 0n;
  return totalOf(orders, ({ reduceOnly, filledQuantity, averagePrice }) =>
    reduceOnly ? 0n : times(exact(filledQuantity), exact(averagePrice ?? '0')),
  );
}

const least = (one: Exact, other: Exact): Exact => (one < other ? one : other);
