/**
 * Arming and caps of live accounts, from memory. Checked for every opening order: at acceptance, at planning, on
 * becoming ACTIVE, and before each sending. Closing orders are not checked, and paper accounts have no limits.
 *
 * An admitted order counts as in flight at once (`core/flights.ts`), without a wait in between. So two baskets cannot
 * both take the rest of the total.
 */

import { accountLedger, resultOf } from '../../domain/account-ledger.ts';
import {
  type AccountLimits,
  dayLossProblem,
  type LimitProblem,
  mayOpenBy,
  type OpeningNotional,
  orderProblem,
  totalProblem,
  unarmedLimits,
} from '../../domain/account-limits.ts';
import { atto, attoText } from '../../domain/atto.ts';
import type { Placed } from '../../domain/authority.ts';
import { type Decimal, dec, sum } from '../../domain/decimal.ts';
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { Order, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import { netOfLots } from '../../domain/unassigned.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { type EngineError, type Refusable, storeFailed, venueFailed } from './errors.ts';
import type { LiveState } from './live-state.ts';
import { oneUnit } from './unit-parts.ts';

/** Fields of an account's limits to change. An undefined field keeps its value. */
export interface LimitChange extends Pick<AccountLimits, 'armed' | 'perOrderUsd' | 'totalUsd'> {
  readonly dayLossUsd?: string | null | undefined;
  readonly instruments?: readonly string[] | null | undefined;
  readonly allow?:
    | { readonly apiKeys?: boolean | undefined; readonly grants?: boolean | undefined }
    | undefined;
  readonly programsReadCredentials?: boolean | undefined;
  /** A person has confirmed the summary of the first live order. */
  readonly firstOrderConfirmed?: boolean | undefined;
}

interface LimitDeps {
  readonly store: Pick<Store, 'commit' | 'accountLimits'> & {
    readonly history: Pick<Store['history'], 'records' | 'lastSample'>;
  };
  readonly clock: Pick<Clock, 'now'>;
  readonly market: Pick<MarketData, 'quote'>;
  readonly state: Pick<LiveState, 'positions' | 'unassigned' | 'flights' | 'begun'>;
}

/** Quantities that an execution was admitted with, and the limits that admitted them. */
interface Admission {
  readonly under: AccountLimits;
  readonly quantities: ReadonlyMap<string, Decimal>;
}

export class OpeningLimits {
  readonly #deps: LimitDeps;
  readonly #kept = new Map<string, AccountLimits>();
  /** Accounts whose disarming is being written to disk. A disarming applies from its request on. */
  readonly #disarming = new Map<string, number>();
  readonly #admitted = new Map<string, Admission>();
  readonly #queue = new KeyedQueue();

  readonly #onChanged: ((account: TradeAccount) => Promise<void>)[] = [];

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /** Called after a change is on disk and before it is answered. */
  onChanged(listener: (account: TradeAccount) => Promise<void>): void {
    this.#onChanged.push(listener);
  }

  async load(): Promise<void> {
    for (const limits of await this.#deps.store.accountLimits())
      this.#kept.set(limits.tradeAccountId, limits);
  }

  /** Limits of a live account as they apply now. */
  of({ id, exchangeIdentifier }: Pick<TradeAccount, 'id' | 'exchangeIdentifier'>): AccountLimits {
    const kept = this.#kept.get(id) ?? unarmedLimits(id);
    const isArmed = kept.armed && kept.armedFor === exchangeIdentifier && !this.#disarming.has(id);
    return isArmed === kept.armed ? kept : { ...kept, armed: isArmed };
  }

  /**
   * Limits of a new account, to be committed with it, so that read access is settled before any program sees the
   * account. A paper account has none.
   * @param programsRead undefined: the owner has not chosen
   */
  begin({ id, mode }: Pick<TradeAccount, 'id' | 'mode'>, programsRead: boolean | undefined): UnitOfWork {
    if (mode !== 'LIVE' || programsRead === undefined) return {};
    const updatedAt = this.#deps.clock.now();
    const limits = { ...unarmedLimits(id), programsReadCredentials: programsRead, updatedAt };
    this.#kept.set(id, limits);
    return { accountLimits: [limits] };
  }

  /** @param together rows committed in the same unit */
  change(account: TradeAccount, change: LimitChange, together: UnitOfWork): Refusable<AccountLimits> {
    return this.#queue.run(account.id, () => {
      const before = this.of(account);
      const now = this.#deps.clock.now();
      const confirmedAt = change.firstOrderConfirmed === true ? now : null;
      const limits: AccountLimits = {
        tradeAccountId: account.id,
        armed: change.armed,
        armedFor: account.exchangeIdentifier,
        armedAt: !change.armed ? null : before.armed ? before.armedAt : now,
        perOrderUsd: change.perOrderUsd,
        totalUsd: change.totalUsd,
        dayLossUsd: changed(change.dayLossUsd, before.dayLossUsd),
        instruments: changed(change.instruments, before.instruments),
        allow: {
          apiKeys: changed(change.allow?.apiKeys, before.allow.apiKeys),
          grants: changed(change.allow?.grants, before.allow.grants),
        },
        programsReadCredentials: changed(change.programsReadCredentials, before.programsReadCredentials),
        firstOrderConfirmedAt: before.firstOrderConfirmedAt ?? confirmedAt,
        updatedAt: now,
      };
      return this.#keep(account, limits, together);
    });
  }

  /** Disarms from the call on, so that nothing opens. If the disarming cannot be written to disk, it is undone. */
  async disarm(account: TradeAccount, together: UnitOfWork): Refusable<AccountLimits> {
    const { id } = account;
    this.#disarming.set(id, (this.#disarming.get(id) ?? 0) + 1);
    try {
      return await this.#queue.run(id, () => {
        const updatedAt = this.#deps.clock.now();
        return this.#keep(account, { ...this.of(account), armed: false, armedAt: null, updatedAt }, together);
      });
    } finally {
      const left = (this.#disarming.get(id) ?? 1) - 1;
      if (left > 0) this.#disarming.set(id, left);
      else this.#disarming.delete(id);
    }
  }

  async #keep(account: TradeAccount, limits: AccountLimits, together: UnitOfWork): Refusable<AccountLimits> {
    const committed = await this.#deps.store.commit(oneUnit({ accountLimits: [limits] }, together));
    if (!committed.ok) return storeFailed(committed.error);
    this.#kept.set(account.id, limits);
    await Promise.all(this.#onChanged.map((listener) => listener(account)));
    return ok(this.of(account));
  }

  /**
   * Checks that a live account is armed for the authority of an order and that its holdings were read once. Errors:
   * ACCOUNT_NOT_ARMED, CALLER_NOT_ALLOWED, CONFIGURATION_ERROR (`details.reason` NOT_READY).
   */
  mayOpen(account: TradeAccount, placed: Placed): Result<null, EngineError> {
    if (account.mode !== 'LIVE') return ok(null);
    const problem = mayOpenBy(this.of(account), placed);
    if (problem !== null) return refusing(problem);
    return this.#deps.state.begun.has(account.id)
      ? ok(null)
      : venueFailed({ kind: 'not_ready', message: 'what the account holds has not been read yet' });
  }

  /**
   * Refuses legs that can never be sent (too large, or an instrument that may not be opened), so that the caller learns
   * it at once. CAP_EXCEEDED.
   * @param isNow false: the orders wait, so the total at that later time is not checked now
   */
  mayAsk(
    account: TradeAccount,
    legs: readonly TradeLeg[],
    totalUsd: string | null,
    isNow: boolean,
  ): Result<null, EngineError> {
    if (account.mode !== 'LIVE') return ok(null);
    const limits = this.of(account);
    const asked = legs.map((leg) => this.#asked(account, leg, totalUsd));
    return refusing(
      orderProblem(limits, asked) ?? (isNow ? totalProblem(limits, this.#held(account), asked) : null),
    );
  }

  /** Reason why a plan may not be sent; null if it may. Admits nothing. */
  planProblem(account: TradeAccount, placed: Placed, plan: BasketPlan): LimitProblem | null {
    if (account.mode !== 'LIVE') return null;
    const limits = this.of(account);
    const opening = plan.legs
      .filter(({ reduceOnly }) => !reduceOnly)
      .map(({ leg, notional }) => ({ symbol: leg.symbol, notional: dec(notional) }));
    return (
      mayOpenBy(limits, placed) ??
      orderProblem(limits, opening) ??
      totalProblem(limits, this.#held(account), opening)
    );
  }

  /** Reason why nothing may open today; null if the day's loss is within its limit. Reads the account's history. */
  async dayProblem(account: TradeAccount): Promise<LimitProblem | null> {
    if (account.mode !== 'LIVE') return null;
    const limits = this.of(account);
    return limits.dayLossUsd === null ? null : dayLossProblem(limits, await this.#lostToday(account));
  }

  /**
   * Admits the orders of an execution that becomes ACTIVE. The caller must then add them to the in-flight orders
   * without a wait in between.
   */
  admit(
    account: TradeAccount,
    execution: Placed & { readonly id: string },
    orders: readonly Order[],
  ): LimitProblem | null {
    if (account.mode !== 'LIVE') return null;
    const problem = this.#problemOf(account, execution, orders, new Map());
    if (problem !== null) return problem;
    this.#admitted.set(execution.id, {
      under: this.of(account),
      quantities: new Map(orders.map((order) => [order.id, remainingQuantity(order)])),
    });
    return null;
  }

  /** Forgets an execution that has ended, or that continues after a restart of the gateway. */
  forget(executionId: string): void {
    this.#admitted.delete(executionId);
  }

  /**
   * Reason why orders about to be sent may not be; null if they may. Admitted orders are not valued again at a later
   * mark, which would refuse an order of exactly the cap for one tick. Orders not admitted (after a restart, or under
   * other limits) are valued.
   * @param quantities base units of an order's attempt, for orders of which less than the open quantity is sent
   */
  withinCaps(
    account: TradeAccount,
    placed: Placed,
    orders: readonly Order[],
    quantities: ReadonlyMap<string, string>,
  ): LimitProblem | null {
    if (account.mode !== 'LIVE') return null;
    const limits = this.of(account);
    const isAdmitted = orders.every((order) => {
      const admission = this.#admitted.get(order.executionId);
      const most = admission?.under === limits ? admission.quantities.get(order.id) : undefined;
      return most?.gte(quantityOf(order, quantities)) === true;
    });
    return isAdmitted ? null : this.#problemOf(account, placed, orders, quantities);
  }

  #problemOf(
    account: TradeAccount,
    placed: Placed,
    orders: readonly Order[],
    quantities: ReadonlyMap<string, string>,
  ): LimitProblem | null {
    const limits = this.of(account);
    const opening = orders.filter((order) => !order.reduceOnly && !isTerminalOrder(order));
    const asked = opening.map((order): OpeningNotional => {
      const price = this.#mark(account, order.symbol) ?? order.limitPrice ?? '0';
      return { symbol: order.symbol, notional: quantityOf(order, quantities).mul(price) };
    });
    // These orders may be in flight already.
    const own = new Set(opening.map(({ clientOrderId }) => clientOrderId));
    return (
      mayOpenBy(limits, placed) ??
      orderProblem(limits, asked) ??
      totalProblem(limits, this.#held(account, own), asked)
    );
  }

  /**
   * Open and in-flight notional at the marks, USD. Each basket counts in full although the venue nets them: one of two
   * offsetting baskets can be closed at any time.
   */
  #held(account: TradeAccount, without: ReadonlySet<string | null> = new Set()): Decimal {
    const { positions, unassigned, flights } = this.#deps.state;
    const inBaskets = positions
      .of(account.id)
      .flatMap(({ legs }) => legs)
      .map((leg) => dec(leg.quantity).mul(this.#mark(account, leg.symbol) ?? leg.entryPrice));
    const lots = unassigned.everyLot(account.id);
    const inNone = [...new Set(lots.map(({ symbol }) => symbol))].map((symbol) => {
      const held = lots.filter((lot) => lot.symbol === symbol);
      return netOfLots(held)
        .abs()
        .mul(this.#mark(account, symbol) ?? held[0]?.price ?? '0');
    });
    const flying = flights
      .opening(account.id)
      .filter(({ clientOrderId }) => !without.has(clientOrderId))
      .map(({ symbol, quantity, limitPrice }) =>
        quantity.mul(this.#mark(account, symbol) ?? limitPrice ?? '0'),
      );
    return sum([...inBaskets, ...inNone, ...flying]);
  }

  #asked(
    account: TradeAccount,
    { symbol, mode, amount }: TradeLeg,
    totalUsd: string | null,
  ): OpeningNotional {
    const unit = { USD: '1', WEIGHT: totalUsd ?? '0', BASE: this.#mark(account, symbol) ?? '0' };
    return { symbol, notional: dec(amount).mul(unit[mode]) };
  }

  #mark(account: TradeAccount, symbol: string): string | undefined {
    return this.#deps.market.quote(account.connector, symbol)?.mark;
  }

  /** Loss since the last sample before this UTC day, USD, with open positions at their marks; negative: a profit. */
  async #lostToday(account: TradeAccount): Promise<Decimal> {
    const { history } = this.#deps.store;
    const since = Math.floor(account.createdAt / HOUR_MS) * HOUR_MS;
    const range = { from: 0, to: 0 };
    const midnight = Math.floor(this.#deps.clock.now() / DAY_MS) * DAY_MS;
    const [{ records }, last] = await Promise.all([
      history.records({ tradeAccountId: account.id, source: null, range, width: 'day' }, since),
      history.lastSample(account.id, midnight),
    ]);
    const now = resultOf(accountLedger(records, (symbol) => this.#mark(account, symbol)).total);
    const before = last === null ? 0n : atto(last.gatewayPnl) + atto(last.externalPnl);
    return dec(attoText(before - now));
  }
}

function quantityOf(order: Order, quantities: ReadonlyMap<string, string>): Decimal {
  const part = quantities.get(order.id);
  return part === undefined ? remainingQuantity(order) : dec(part);
}

function refusing(problem: LimitProblem | null): Result<null, EngineError> {
  return problem === null ? ok(null) : fail({ ...problem, details: {} });
}

function changed<T>(value: T | undefined, before: T): T {
  return value === undefined ? before : value;
}
