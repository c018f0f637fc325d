/**
 * The part of a panic after its answer: it closes until no position is left or trading is resumed, also across
 * restarts, and reports the remaining positions with the reasons.
 */
import { UNRECORDED } from '../../../domain/authority.ts';
import { dec, text } from '../../../domain/decimal.ts';
import type { Execution, TradeAccount } from '../../../domain/model.ts';
import { type Money, moneyWord, realMoneyFirst } from '../../../domain/money.ts';
import { panicNotification } from '../../../domain/notification.ts';
import { signedQuantity } from '../../../domain/position.ts';
import type { LeftOpen } from '../../../domain/safety.ts';
import { netOfLots } from '../../../domain/unassigned.ts';
import { reconcile } from '../../account/reconcile.ts';
import type { TradingPause } from '../../core/trading-pause.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import { notice, notificationLegs } from '../../notices/notify.ts';
import type { NewEvent, UnitOfWork } from '../../ports/unit-of-work.ts';
import { closeAll } from '../../positions/close-all.ts';
import { closeLots } from './gather-lots.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 25;
/** Longest time for the closes of one pass before the remaining positions are checked, ms. */
const SETTLE_WITHIN_MS = 7_000;
/** Interval of storing the remaining positions during a pass, ms, so that reads of the panic show them. */
const WRITE_EVERY_MS = 1_000;
/** Before this time no position is reported as left open: its close may still be running. */
const TELL_AFTER_MS = 2_000;
/** Number of an account's latest executions that are searched for the reason of an open leg. */
const LATEST = 100;

export interface PanicParts {
  readonly deps: AcceptDeps;
  readonly tradingPause: TradingPause;
  readonly accountsOf: (userId: string) => readonly TradeAccount[];
  readonly moneyOf: (account: TradeAccount) => Money;
  /** Cancels all pending orders of the account that may trade again, except take-profits and stop-losses. */
  readonly cancelAll: (account: TradeAccount) => Promise<void>;
}

export class PanicRunner {
  readonly #parts: PanicParts;
  readonly #running = new Set<string>();
  /**
   * The remaining positions of the last notification, by user and start of the panic. In memory only, so a restart
   * notifies again.
   */
  readonly #told = new Map<string, string>();
  #isStopping = false;

  constructor(parts: PanicParts) {
    this.#parts = parts;
  }

  /** Continues panics that the previous process began. */
  start(): void {
    for (const userId of this.#parts.tradingPause.panicking())
      this.#follow(userId, async () => this.#pass(userId));
  }

  stop(): void {
    this.#isStopping = true;
  }

  /**
   * Call after starting the panic's closes. Resolves when the panic's end is on disk, or when more has to be closed.
   */
  async begun(userId: string): Promise<void> {
    const isOver = await this.#look(userId, true);
    if (!isOver) this.#follow(userId, async () => this.#settled(userId));
  }

  #follow(userId: string, first: () => Promise<void>): void {
    // If panic was requested again while its loop runs, that loop continues it.
    if (this.#running.has(userId)) return;
    this.#running.add(userId);
    void this.#run(userId, first)
      .catch((error: unknown) => {
        // The store is closed before the last check has ended; the panic continues after the next start.
        if (!this.#isStopping) this.#parts.deps.logger.error({ err: error, userId }, 'a panic stopped');
      })
      .finally(() => this.#running.delete(userId));
  }

  async #run(userId: string, first: () => Promise<void>): Promise<void> {
    const { clock } = this.#parts.deps;
    await first();
    for (let wait = FIRST_WAIT_MS; !this.#isStopping; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      if (await this.#look(userId, false)) return;
      await clock.sleep(wait);
      if (this.#isStopping || this.#panic(userId) === null) return;
      await this.#pass(userId);
    }
  }

  #panic(userId: string) {
    const { panic } = this.#parts.tradingPause.of(userId);
    return panic?.status === 'CLOSING' ? panic : null;
  }

  async #pass(userId: string): Promise<void> {
    const { deps, cancelAll } = this.#parts;
    const placed = this.#panic(userId)?.placed ?? UNRECORDED;
    for (const alike of this.#accounts(userId)) {
      await Promise.all(alike.map(cancelAll));
      for (const account of alike) {
        if (this.#isStopping) return;
        await closeAll(deps, { account, placed, connector: null, slippage: null, clientId: null }, () => []);
        await this.#closeLoose(userId, account);
      }
    }
    await this.#settled(userId);
  }

  /** The user's accounts, real money first. */
  #accounts(userId: string): (readonly TradeAccount[])[] {
    const { accountsOf, moneyOf } = this.#parts;
    return realMoneyFirst(accountsOf(userId), moneyOf);
  }

  /** Closes dust and, if requested, lots traded outside Tandem, once no basket holds the instrument any more. */
  async #closeLoose(userId: string, account: TradeAccount): Promise<void> {
    const { state } = this.#parts.deps;
    const { includeOutside: includesOutside, placed } = this.#panic(userId) ?? {
      includeOutside: false,
      placed: UNRECORDED,
    };
    for (const source of includesOutside ? (['DUST', 'OUTSIDE'] as const) : (['DUST'] as const)) {
      const lots = state.unassigned.ofAccount(account.id).filter((lot) => lot.source === source);
      for (const symbol of new Set(lots.map((lot) => lot.symbol))) {
        const isHeld = state.positions
          .of(account.id)
          .some(({ legs }) => legs.some((leg) => leg.symbol === symbol && leg.quantity !== '0'));
        if (!isHeld) await closeLots(this.#parts.deps, account, { symbol, source, placed });
      }
    }
  }

  /** Waits until no execution runs on the user's accounts, at most `SETTLE_WITHIN_MS`. */
  async #settled(userId: string): Promise<void> {
    const { deps, accountsOf } = this.#parts;
    const deadline = deps.clock.now() + SETTLE_WITHIN_MS;
    const isRunning = () => accountsOf(userId).some(({ id }) => deps.state.claims.isRunning(id));
    let writeAt = deps.clock.now() + WRITE_EVERY_MS;
    while (isRunning() && deps.clock.now() < deadline && !this.#isStopping) {
      await deps.clock.sleep(LOOK_EVERY_MS);
      if (deps.clock.now() < writeAt) continue;
      await this.#write(userId);
      writeAt = deps.clock.now() + WRITE_EVERY_MS;
    }
  }

  /** Stores the remaining positions while closes are under way, without a notification. */
  async #write(userId: string): Promise<void> {
    const panic = this.#panic(userId);
    if (panic === null || this.#parts.deps.clock.now() < panic.startedAt + TELL_AFTER_MS) return;
    const left = await this.#left(userId);
    if (left.length === 0 || JSON.stringify(left) === JSON.stringify(panic.left)) return;
    await this.#parts.tradingPause.panicIs(userId, panic.startedAt, left, false, this.#updated(userId));
  }

  /**
   * Stores the remaining positions, and sends a notification if they have changed. True: the panic is over.
   * @param quietly true: sends no notification, because the closes have only just begun
   */
  async #look(userId: string, quietly: boolean): Promise<boolean> {
    const panic = this.#panic(userId);
    if (panic === null) return true;
    const { tradingPause, deps } = this.#parts;
    const left = await this.#left(userId);
    const isFlat = left.every(({ source }) => source === 'OUTSIDE' && !panic.includeOutside);
    if (isFlat) {
      const reason =
        left.length === 0
          ? 'Every position is closed'
          : `Every basket is closed. Traded outside Tandem and left as it is: ${this.#named(userId, left)}`;
      const news = this.#news(userId, 'PANIC_FLAT', left, reason);
      const kept = await tradingPause.panicIs(userId, panic.startedAt, left, true, news);
      this.#told.delete(`${userId} ${panic.startedAt}`);
      return kept.ok;
    }
    const isEarly = quietly || deps.clock.now() < panic.startedAt + TELL_AFTER_MS;
    // A smaller remaining quantity alone is not worth another notification.
    const key = `${userId} ${panic.startedAt}`;
    const isNews = summary(left) !== (this.#told.get(key) ?? '');
    if (isEarly || (!isNews && JSON.stringify(left) === JSON.stringify(panic.left))) return false;
    const news = isNews
      ? this.#news(
          userId,
          'PANIC_INCOMPLETE',
          left,
          `Still open, and tried again: ${this.#named(userId, left)}`,
        )
      : {};
    const kept = await tradingPause.panicIs(userId, panic.startedAt, left, false, news);
    if (kept.ok) this.#told.set(key, summary(left));
    return false;
  }

  async #left(userId: string): Promise<readonly LeftOpen[]> {
    const { deps } = this.#parts;
    const { state } = deps;
    const left: LeftOpen[] = [];
    for (const account of this.#accounts(userId).flat()) {
      const { id, connector } = account;
      const about = { tradeAccountId: id, connector };
      left.push(...(await this.#unexplained(account)).map((one) => ({ ...about, ...one })));
      const open = state.positions.of(id);
      const lots = state.unassigned.ofAccount(id);
      if (open.length + lots.length === 0) continue;
      const ended = await this.#latest(id);
      for (const position of open) {
        for (const leg of position.legs.filter(({ quantity }) => quantity !== '0')) {
          left.push({
            ...about,
            source: 'BASKET',
            positionId: position.id,
            symbol: leg.symbol,
            quantity: text(signedQuantity(leg)),
            reason: reasonOf(ended, position.id, leg.symbol),
          });
        }
      }
      for (const source of ['DUST', 'OUTSIDE'] as const) {
        const own = lots.filter((lot) => lot.source === source);
        for (const symbol of new Set(own.map((lot) => lot.symbol))) {
          const net = netOfLots(own.filter((lot) => lot.symbol === symbol));
          if (net.isZero()) continue;
          const reason =
            source === 'DUST' ? 'too small an order for the venue' : 'traded outside Tandem, in no basket';
          left.push({ ...about, source, positionId: null, symbol, quantity: text(net), reason });
        }
      }
    }
    return left;
  }

  /**
   * Quantities at the venue that no record explains; empty if the venue does not answer or an execution is running.
   */
  async #unexplained(account: TradeAccount) {
    const { deps } = this.#parts;
    if (deps.venues.get(account.connector) === undefined) return [];
    const found = (await reconcile(deps, account)) ?? [];
    return found.flatMap(({ symbol, baskets, unassigned, venue }) => {
      const gap = dec(venue).minus(baskets).minus(unassigned);
      const isTooMuch = !gap.isZero() && !dec(venue).isZero() && gap.isNegative() === dec(venue).isNegative();
      if (!isTooMuch) return [];
      const reason = 'held at the venue, and no trade on record says why: close it there';
      return [{ source: 'UNEXPLAINED' as const, positionId: null, symbol, quantity: text(gap), reason }];
    });
  }

  async #latest(tradeAccountId: string): Promise<readonly Execution[]> {
    const { store } = this.#parts.deps;
    return (await store.executions({ tradeAccountId }, { limit: LATEST, after: null })).rows;
  }

  #news(
    userId: string,
    category: 'PANIC_FLAT' | 'PANIC_INCOMPLETE',
    left: readonly LeftOpen[],
    reason: string,
  ): UnitOfWork {
    const { deps, accountsOf } = this.#parts;
    const accounts = accountsOf(userId);
    const legs = left.flatMap(({ connector, symbol, quantity }) => {
      const side = dec(quantity).isNegative() ? ('SELL' as const) : ('BUY' as const);
      return notificationLegs(deps, connector, [{ symbol, side }]);
    });
    const ids = accounts.map(({ id }) => id);
    return oneUnit(
      notice(deps, panicNotification(category, legs, reason), userId, ids),
      this.#updated(userId),
    );
  }

  /** Description of the remaining holdings. If the user has several accounts, each holding names its account. */
  #named(userId: string, left: readonly LeftOpen[]): string {
    const { accountsOf, moneyOf } = this.#parts;
    const accounts = accountsOf(userId);
    const on = (tradeAccountId: string) => {
      const account = accounts.find(({ id }) => id === tradeAccountId);
      if (account === undefined || accounts.length < 2) return '';
      return ` on ${moneyWord(moneyOf(account))} ${account.alias}`;
    };
    return left
      .map(
        ({ symbol, quantity, reason, tradeAccountId }) =>
          `${quantity} ${symbol}${on(tradeAccountId)} (${reason})`,
      )
      .join('; ');
  }

  /** Events that make open dashboard pages reload the safety state. */
  #updated(userId: string): UnitOfWork {
    const { deps, accountsOf } = this.#parts;
    const timestamp = deps.clock.now();
    const events = accountsOf(userId).map(
      ({ id }): NewEvent => ({ tradeAccountId: id, event: 'panic.updated', entityId: id, timestamp }),
    );
    return { events };
  }
}

/** Reason why a leg is still open, from the position's latest execution; `latest` is newest first. */
function reasonOf(latest: readonly Execution[], positionId: string, symbol: string): string {
  const own = latest.find((execution) => execution.positionId === positionId);
  if (own === undefined) return 'its close has not begun yet';
  if (own.finishedAt === null) return 'its close is under way';
  const order = own.orders.find((one) => one.symbol === symbol);
  return order?.error ?? own.error ?? 'its close is tried again';
}

/** Key of a list of remaining positions: equal keys need one notification only. Numbers in the reasons are ignored. */
function summary(left: readonly LeftOpen[]): string {
  return left
    .map(({ source, positionId, symbol, reason }) =>
      [source, positionId, symbol, reason.replaceAll(/[\d.]+/g, '#')].join(' '),
    )
    .join('\n');
}
