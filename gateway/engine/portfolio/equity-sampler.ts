/**
 * Records each account's equity: at the end of every minute while it has holdings, at the end of every hour, soon after
 * it has traded, and when the gateway starts. Trades close together share a sample, so that an account that trades all
 * the time costs a few reads and one small row every 15 seconds. No acknowledgement waits for it.
 *
 * The sample at the next start replaces a sample lost in a crash.
 */
import { accountLedger, resultOf } from '../../domain/account-ledger.ts';
import { type Atto, atto, attoText } from '../../domain/atto.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import { HOUR_MS } from '../../domain/history-range.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { CARRIED_OVER } from '../../domain/portfolio.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Logger, Unsubscribe } from '../ports/system.ts';
import type { StoredEvent } from '../ports/unit-of-work.ts';
import { accountEquity, type EquityDeps, EVER, sampleOf, venueMoney } from './account-equity.ts';

const MINUTE_MS = 60_000;
/** The last sample of a day is its close, so it is taken before midnight, when funding is paid. */
const BEFORE_END_MS = 1_000;
/** Wait after a trade before sampling, ms: an order has several fills, which should share one sample. */
const SETTLE_MS = 2_000;
/** Minimum time between two samples because of trades, ms. */
const MIN_GAP_MS = 15_000;
/** Balance differences below this that earlier records do not explain count as rounding, USD. */
const UNEXPLAINED = atto('0.000001');
/** Deposits and withdrawals below this are how the venue rounds the cost of what it nets, USD. */
const LEAST_FLOW = atto('0.01');

export interface SamplerDeps extends EquityDeps {
  readonly store: Pick<Store, 'history' | 'commit' | 'onCommitted' | 'cursor'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly accounts: () => readonly TradeAccount[];
}

export class EquitySampler {
  readonly #deps: SamplerDeps;
  readonly #queue = new KeyedQueue();
  readonly #waiting = new Map<string, Unsubscribe>();
  /** Account → last attempt of a sample, epoch ms. */
  readonly #sampledAt = new Map<string, number>();
  /** Account → deposits in the last sample on disk; null: there is no sample. No entry: not looked up yet. */
  readonly #deposits = new Map<string, Atto | null>();
  /** Accounts without holdings in their last sample and without an event since: their equity does not change. */
  readonly #flat = new Set<string>();
  #stopListening: Unsubscribe = () => {};
  #stopMinutes: Unsubscribe = () => {};
  #isStopped = false;

  constructor(deps: SamplerDeps) {
    this.#deps = deps;
  }

  /** Starts sampling. To be called once the activity during the gateway's downtime is recorded. */
  start(): void {
    this.#stopListening = this.#deps.store.onCommitted((events) => this.#hear(events));
    for (const account of this.#deps.accounts()) {
      void this.#run(account.id, async () => {
        await this.#carryOver(account);
        await this.#sample(account);
      });
    }
    this.#armMinute();
  }

  /** Schedules a sample of the account soon. */
  soon(tradeAccountId: string): void {
    if (this.#isStopped || this.#waiting.has(tradeAccountId)) return;
    const { clock } = this.#deps;
    const since = clock.now() - (this.#sampledAt.get(tradeAccountId) ?? Number.NEGATIVE_INFINITY);
    const delay = Math.min(Math.max(SETTLE_MS, MIN_GAP_MS - since), MIN_GAP_MS);
    const cancel = clock.after(delay, () => {
      this.#waiting.delete(tradeAccountId);
      const account = this.#account(tradeAccountId);
      if (account !== undefined) void this.#run(account.id, () => this.#sample(account));
    });
    this.#waiting.set(tradeAccountId, cancel);
  }

  /** Resolves when samples being written are on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    this.#stopMinutes();
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    await this.idle();
  }

  /** Resolves when every sample that is due is written. */
  async idle(): Promise<void> {
    const ids = this.#deps.accounts().map(({ id }) => id);
    await Promise.all(ids.map((id) => this.#queue.run(id, async () => {})));
  }

  #hear(events: readonly StoredEvent[]): void {
    for (const { event, tradeAccountId } of events) {
      this.#flat.delete(tradeAccountId);
      if (event.startsWith('position.')) this.soon(tradeAccountId);
    }
  }

  #armMinute(): void {
    const { clock } = this.#deps;
    const untilEnd = MINUTE_MS - BEFORE_END_MS - (clock.now() % MINUTE_MS);
    this.#stopMinutes = clock.after(untilEnd > 0 ? untilEnd : untilEnd + MINUTE_MS, () => {
      this.#armMinute();
      const isHourEnd = clock.now() % HOUR_MS >= HOUR_MS - MINUTE_MS;
      for (const account of this.#deps.accounts()) {
        if (isHourEnd || !this.#flat.has(account.id)) void this.#run(account.id, () => this.#sample(account));
      }
    });
  }

  async #sample(account: TradeAccount): Promise<void> {
    const { clock, store } = this.#deps;
    const at = clock.now();
    this.#sampledAt.set(account.id, at);
    // Events during the reading are not in the sample.
    this.#flat.add(account.id);
    const found = await accountEquity(this.#deps, account);
    const { ledger, deposits, holdings } = found;
    if (holdings.positions.length + holdings.lots.length > 0) this.#flat.delete(account.id);
    // No sample can be taken without the deposits; the next hour tries again.
    if (deposits === null || this.#isStopped || this.#account(account.id) === undefined) return;
    const before = await this.#depositsBefore(account.id);
    const change = before === null ? 0n : deposits - before;
    const isPaid = change >= LEAST_FLOW || change <= -LEAST_FLOW;
    const paidIn = before === null || isPaid ? deposits : before;
    const sample = sampleOf(account.id, at, { ledger, deposits: paidIn }, isPaid ? change : 0n);
    const committed = await store.commit({ equitySamples: [sample] });
    if (!committed.ok) {
      this.#deps.logger.warn(
        { tradeAccountId: account.id, reason: committed.error.message },
        'Equity was not sampled',
      );
      return;
    }
    this.#deposits.set(account.id, paidIn);
  }

  async #depositsBefore(tradeAccountId: string): Promise<Atto | null> {
    const known = this.#deposits.get(tradeAccountId);
    if (known !== undefined) return known;
    const last = await this.#deps.store.history.lastSample(tradeAccountId);
    const deposits = last === null ? null : atto(last.deposits);
    this.#deposits.set(tradeAccountId, deposits);
    return deposits;
  }

  /**
   * An account that traded before sampling began may have had resets, or funding of holdings in no basket, that were
   * not recorded. The difference to the venue's cash is computed once and counts as capital.
   */
  async #carryOver(account: TradeAccount): Promise<void> {
    const { store } = this.#deps;
    const { history } = store;
    if ((await history.firstHour(account.id)) === null) return;
    if ((await history.lastSample(account.id)) !== null) return;
    if ((await store.cursor(account.id, CARRIED_OVER)) !== null) return;
    const money = await venueMoney(this.#deps, account);
    if (money?.balances.deposits === undefined) return;
    const { balances, positions } = money;
    const { ledger, deposits } = await accountEquity(this.#deps, account);
    if (deposits === null) return;
    const { records } = await history.records({ ...EVER, tradeAccountId: account.id }, 0);
    const cost = atto(text(sum(positions.map(({ quantity, entryPrice }) => dec(quantity).mul(entryPrice)))));
    // With all prices at zero, the unrealised PnL of the holdings is minus their cost.
    const atNothing = accountLedger(records, () => '0');
    const ours =
      deposits + resultOf(ledger.total) - ledger.total.unrealizedPnl + atNothing.total.unrealizedPnl;
    const difference = atto(balances.balance) - cost - ours;
    const isRounding = difference < UNEXPLAINED && difference > -UNEXPLAINED;
    const value = attoText(isRounding ? 0n : difference);
    const cursor = { tradeAccountId: account.id, kind: CARRIED_OVER, value };
    const committed = await store.commit({ cursors: [cursor] });
    if (!committed.ok || isRounding) return;
    this.#deps.logger.warn(
      { tradeAccountId: account.id, amount: value },
      'What earlier records do not explain of the balance counts as paid in',
    );
  }

  #account(id: string): TradeAccount | undefined {
    return this.#deps.accounts().find((account) => account.id === id);
  }

  #run(tradeAccountId: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(tradeAccountId, work).catch((error: unknown) => {
      if (!this.#isStopped) this.#deps.logger.warn({ err: error, tradeAccountId }, 'Equity was not sampled');
    });
  }
}
