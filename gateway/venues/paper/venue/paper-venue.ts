/**
 * The paper exchange behind the `Venue` port: clock, latency, disk and streams around the deterministic core.
 *
 * Nothing is published before it is on disk: orders, lookups, positions and history are answered, and events
 * published, after the journal holds the entries behind them. While the journal cannot be written the venue is DOWN
 * and every answer is `unknown`.
 */
import { ok, type Result } from '../../../domain/result.ts';
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  ConnectorInfo,
  ExpectedOrder,
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  Venue,
  VenueAccount,
  VenueError,
} from '../../../engine/ports/venue.ts';
import { balancesOf, positionsOf } from '../accounts/account-report.ts';
import { lookupOf, outcomeOf, type PaperAccount, type PaperOrder } from '../accounts/account-state.ts';
import { AccountStreams, eventsOf } from '../accounts/account-streams.ts';
import { historyPage } from '../accounts/history-page.ts';
import { leverageEffect } from '../accounts/leverage-rules.ts';
import { type MarginChange, marginEffect } from '../accounts/margin-rules.ts';
import { StatusBoard } from '../accounts/status-board.ts';
import type { PaperExchange } from '../exchange/exchange.ts';
import { ExchangeClock } from '../exchange/exchange-clock.ts';
import { type CreateMarket, type OpenedExchange, openExchange } from '../exchange/exchange-disk.ts';
import { paperConnectorInfo } from '../market/connectors.ts';
import { type ImaginePast, imaginedPast } from '../market/imagined-past.ts';
import type { PaperConnector } from '../market/instruments.ts';
import { bookOf, previewOf } from '../market/market-book.ts';
import { MarketFeed } from '../market/market-feed.ts';
import type { PaperMarket, PaperProfile } from '../market/market-types.ts';
import { UNDERLYINGS } from '../market/underlyings.ts';
import { AccountFaults } from './account-faults.ts';
import {
  bothOf,
  directiveOf,
  type EventFault,
  eventFaultsOf,
  longestOf,
  neverArrives,
  withLostAnswers,
} from './fault-effects.ts';
import { type BatchFaults, FaultDesk, type FaultScript } from './faults.ts';
import { createLatency } from './latency.ts';
import { Outages } from './outages.ts';
import {
  orderOfUnknownAccount,
  rejected,
  rejectedAccount,
  unanswered,
  unansweredOrder,
  unsupported,
} from './refused-answers.ts';

export interface PaperVenueOptions {
  readonly connector: PaperConnector;
  readonly dataDir: string;
  /** Seed of the first start; later starts use the stored seed. */
  readonly seed: number;
  readonly profile: PaperProfile;
  /** Simulated seconds per second. */
  readonly speed: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly faults?: FaultScript;
  /** Journal size above which it is compacted, bytes. */
  readonly compactBytes?: number;
}

export interface PaperVenue extends Venue {
  changeMargin(account: VenueAccount, change: MarginChange): Promise<Result<void, VenueError>>;
  expectedFills(orders: readonly ExpectedOrder[]): ReturnType<NonNullable<Venue['expectedFills']>>;
  book(symbol: string, levels: number): ReturnType<NonNullable<Venue['book']>>;
  resetAccount(account: VenueAccount): Promise<Result<number, VenueError>>;
  /** Running SHA-256 over everything that ever happened to accounts: same seed and inputs, same hash. */
  journalHash(): string;
  setFaults(script: FaultScript): void;
  /** Tests: multiplies an instrument's price level, or a prediction market's odds; the exchange acts at once. */
  shock(symbol: string, factor: number): Promise<void>;
  /** Tests: all orders that the venue knows of an account, in the order of arrival. */
  orders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>>;
}

export function createPaperVenueOn(
  options: PaperVenueOptions & { readonly createMarket: CreateMarket },
): PaperVenue {
  return new EmbeddedPaperVenue(options);
}

/** True for a venue in this process, whose simulator can be reached. */
export function isPaperVenue(venue: Venue): venue is PaperVenue {
  return venue instanceof EmbeddedPaperVenue;
}

/** Decides about an account. */
type Decide<T> = (
  held: PaperAccount,
  exchange: PaperExchange,
) => Result<T, VenueError> | Promise<Result<T, VenueError>>;

class EmbeddedPaperVenue implements PaperVenue {
  readonly info: ConnectorInfo;
  private readonly options: PaperVenueOptions & { readonly createMarket: CreateMarket };
  private readonly clock: Clock;
  private readonly board: StatusBoard;
  private readonly streams = new AccountStreams();
  readonly faults: AccountFaults;
  private readonly script = new FaultDesk();
  private readonly latencyMs: () => number;
  private readonly feed: MarketFeed;
  private opened: (OpenedExchange & { readonly time: ExchangeClock }) | null = null;
  private past: ImaginePast | null = null;
  private readonly outages: Outages;

  constructor(options: PaperVenueOptions & { readonly createMarket: CreateMarket }) {
    this.options = options;
    this.clock = options.clock;
    this.info = paperConnectorInfo(options.connector, options.profile);
    this.board = new StatusBoard(options.clock);
    this.outages = new Outages(options.clock, this.board, this.streams);
    this.faults = new AccountFaults(options.clock);
    this.feed = new MarketFeed(options.connector, () => options.clock.now(), this.faults);
    this.latencyMs = createLatency(options.profile, options.seed);
    if (options.faults !== undefined) this.script.set(options.faults);
  }

  async start(): Promise<void> {
    if (this.opened !== null) return;
    const opened = await openExchange({
      ...this.options,
      onWritable: (writable, reason) => this.onWritable(writable, reason),
    });
    const { market, timeline, exchange } = opened;
    const time = new ExchangeClock(opened, this.clock, (ids) => {
      if (this.board.isUp) this.feed.tell(ids);
    });
    this.opened = { ...opened, time };
    time.catchUp();
    await this.commit([]);
    this.feed.attach({ market, wallOf: timeline.toWall });
    this.board.set('UP', null);
    time.start(() => {
      if (exchange.hasPending) this.commitTick();
    });
  }

  async stop(): Promise<void> {
    this.outages.cancel();
    const { opened } = this;
    opened?.time.stop();
    this.opened = null;
    this.board.set('DOWN', 'stopped');
    await opened?.journal.close();
  }

  status() {
    return this.board.current;
  }

  onStatus(listener: Parameters<Venue['onStatus']>[0]): Unsubscribe {
    return this.board.listen(listener);
  }

  instruments() {
    return this.opened?.market.instruments ?? [];
  }

  marketStream(listener: Parameters<Venue['marketStream']>[0]): Unsubscribe {
    return this.feed.listen(listener);
  }

  accountStream(account: VenueAccount, listener: Parameters<Venue['accountStream']>[1]): Unsubscribe {
    const own: typeof listener = (event) => listener(event);
    return this.streams.listen(account.exchangeIdentifier, own);
  }

  openAccount(account: VenueAccount): Promise<Result<void, VenueError>> {
    return this.answer((exchange) => ok(exchange.open(account.exchangeIdentifier)));
  }

  resetAccount(account: VenueAccount): Promise<Result<number, VenueError>> {
    return this.answerFor(account, (held, exchange) => ok(exchange.reset(held, this.clock.now())));
  }

  setLeverage(
    account: VenueAccount,
    setting: Parameters<Venue['setLeverage']>[1],
  ): Promise<Result<void, VenueError>> {
    return this.answerFor(account, (held, exchange) => {
      const effect = leverageEffect(held, exchange.view, setting);
      if (!effect.ok) return rejected(effect.error);
      return ok(exchange.change(effect.value));
    });
  }

  async changeMargin(account: VenueAccount, change: MarginChange): Promise<Result<void, VenueError>> {
    if (!this.info.capabilities.includes('margin_change'))
      return unsupported('There is no isolated margin here');
    return this.answerFor(account, (held, exchange) => {
      const effect = marginEffect(held, exchange.view, change);
      if (!effect.ok) return rejected(effect.error);
      return ok(exchange.change(effect.value));
    });
  }

  async placeBatch(account: VenueAccount, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]> {
    const script = bothOf(this.script.batch(orders), this.faults.batch(account, orders));
    const outage = longestOf(script, 'down');
    if (outage > 0) this.outages.goDown(outage);
    const delayMs = this.latencyMs() + longestOf(script, 'delay');
    // Without latency no timer is used: the frictionless profile measures the gateway itself.
    if (delayMs > 0) await this.clock.sleep(delayMs);
    if (this.opened === null) return orders.map(unansweredOrder);
    const { accounts } = this.opened.exchange;
    return accounts.withOrders(account.exchangeIdentifier, orders, () =>
      this.execute(account, orders, script),
    );
  }

  private async execute(
    account: VenueAccount,
    orders: readonly PlaceOrder[],
    script: BatchFaults | null,
  ): Promise<readonly OrderOutcome[]> {
    const { opened } = this;
    if (opened === null || !this.board.isUp) return orders.map(unansweredOrder);
    const { exchange } = opened;
    const held = exchange.account(account.exchangeIdentifier);
    if (held === undefined) return orders.map(orderOfUnknownAccount);
    const at = this.clock.now();
    this.outages.begin(script, held);
    const outcomes = orders.map((order, leg) =>
      neverArrives(script, leg)
        ? unansweredOrder(order)
        : exchange.place(held, order, at, directiveOf(script, leg)),
    );
    const isWritten = await this.commit(eventFaultsOf(script, orders));
    return isWritten ? withLostAnswers(script, orders, outcomes) : orders.map(unansweredOrder);
  }

  async cancel(account: VenueAccount, order: OrderRef): Promise<Result<void, VenueError>> {
    const delayMs = this.latencyMs();
    if (delayMs > 0) await this.clock.sleep(delayMs);
    const decide: Decide<void> = (held, exchange) => {
      const record = held.orders.get(order.clientOrderId);
      if (record === undefined) return rejected('There is no such order');
      if (record.status !== 'working') return rejected(`The order is already ${record.status}`);
      return ok(exchange.cancel(held, order.clientOrderId));
    };
    return this.answerFor(account, decide, [order]);
  }

  ordersByClientIds(
    account: VenueAccount,
    orders: readonly OrderRef[],
  ): Promise<Result<readonly OrderLookup[], VenueError>> {
    if (this.script.lookupFails() || this.streams.isSilent(account.exchangeIdentifier))
      return Promise.resolve(unanswered());
    return this.answerFor(account, (held) => ok(orders.map((order) => lookupOf(held, order))), orders);
  }

  openOrders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>> {
    return this.answerFor(account, (held) => ok([...held.working.values()].map(outcomeOf)));
  }

  async orders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>> {
    const records = new Map<string, PaperOrder>();
    for (const record of await this.running().archive.allOrders(account.exchangeIdentifier))
      records.set(record.order.clientOrderId, record);
    return this.answerFor(account, (held) => {
      for (const [clientOrderId, record] of held.orders) records.set(clientOrderId, record);
      return ok([...records.values()].map(outcomeOf));
    });
  }

  positions(account: VenueAccount): ReturnType<Venue['positions']> {
    return this.answerFor(account, (held, exchange) =>
      ok(positionsOf(held, exchange.view, exchange.marginOf(held))),
    );
  }

  history(account: VenueAccount, cursor: string | null): ReturnType<Venue['history']> {
    if (this.streams.isSilent(account.exchangeIdentifier)) return Promise.resolve(unanswered());
    return this.answerFor(account, (held, { accounts }) =>
      historyPage(accounts, held, cursor, this.outages.toldHistory(held)),
    );
  }

  balances(account: VenueAccount): ReturnType<Venue['balances']> {
    return this.answerFor(account, (held, exchange) => ok(balancesOf(held, exchange.marginOf(held))));
  }

  expectedFills(orders: readonly ExpectedOrder[]): ReturnType<NonNullable<Venue['expectedFills']>> {
    return this.answerFrom((market) => orders.map((order) => previewOf(market, order)));
  }

  book(symbol: string, levels: number): ReturnType<NonNullable<Venue['book']>> {
    return this.answerFrom((market) => bookOf(market, symbol, levels));
  }

  imaginePast(request: Parameters<ImaginePast>[0]): ReturnType<ImaginePast> {
    const { seed, startAt, market } = this.running();
    this.past ??= imaginedPast({ seed, startAt, instruments: market.instruments, parameters: UNDERLYINGS });
    return this.past(request);
  }

  journalHash(): string {
    return this.running().journal.hash();
  }

  setFaults(script: FaultScript): void {
    this.script.set(script);
  }

  async shock(symbol: string, factor: number): Promise<void> {
    const { market, time } = this.running();
    market.shock(symbol, factor);
    time.checkpoint();
    time.advance([symbol]);
    await this.commit([]);
  }

  private running() {
    if (this.opened === null) throw new Error(`venue ${this.info.id} is not started`);
    return this.opened;
  }

  private async answerFrom<T>(read: (market: PaperMarket) => T): Promise<Result<T, VenueError>> {
    if (this.opened === null || !this.board.isUp) return unanswered();
    return ok(read(this.opened.market));
  }

  /** Decides at once, answers when the decision is on disk. */
  private async answer<T>(
    decide: (exchange: PaperExchange) => ReturnType<Decide<T>>,
  ): Promise<Result<T, VenueError>> {
    if (this.opened === null || !this.board.isUp) return unanswered();
    const [decided, isWritten] = await Promise.all([decide(this.opened.exchange), this.commit([])]);
    return isWritten ? decided : unanswered();
  }

  /** @param orders those that must be in memory to decide */
  private async answerFor<T>(
    account: VenueAccount,
    decide: Decide<T>,
    orders: readonly OrderRef[] = [],
  ): Promise<Result<T, VenueError>> {
    if (this.opened === null) return unanswered();
    return this.opened.exchange.accounts.withOrders(account.exchangeIdentifier, orders, () =>
      this.answer((exchange) => {
        const held = exchange.account(account.exchangeIdentifier);
        return held === undefined ? rejectedAccount() : decide(held, exchange);
      }),
    );
  }

  /**
   * Journals the effects since the last call and publishes their events once on disk. True when all effects so far are
   * on disk.
   */
  private async commit(eventFaults: readonly EventFault[]): Promise<boolean> {
    const { exchange, journal } = this.running();
    const entry = exchange.drain(this.clock.now());
    if (entry === null) return journal.durable();
    journal.append(entry);
    let events = eventsOf(entry, exchange.accounts);
    for (const fault of eventFaults) events = fault(events);
    const isWritten = await journal.durable();
    // Events that could not be written to disk are not published: once the disk works, onWritable publishes
    // `reconnected` instead.
    if (isWritten) this.streams.publish(events);
    return isWritten;
  }

  private commitTick(): void {
    this.commit([]).catch((error: unknown) => {
      this.options.logger.error({ connector: this.info.id, error }, 'paper venue could not commit a tick');
    });
  }

  private onWritable(writable: boolean, reason: string | null): void {
    if (writable) {
      this.board.set('UP', null);
      this.streams.reconnect();
      return;
    }
    this.options.logger.error({ connector: this.info.id, reason }, 'paper venue cannot write its journal');
    this.board.set('DOWN', `journal cannot be written: ${reason ?? 'unknown'}`);
  }
}
