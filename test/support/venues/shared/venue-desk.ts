/** An adapter with one funded account at an emulator of its own, whatever the venue. */
import { randomBytes } from 'node:crypto';
import type { Instrument } from '../../../../gateway/domain/model.ts';
import type {
  AccountEvent,
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueFill,
  VenueFunding,
  VenuePosition,
} from '../../../../gateway/engine/ports/venue.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { recordingLogger } from '../../recording-logger.ts';
import { until } from '../../until.ts';
import { unwrap } from '../../unwrap.ts';
import { inTime } from './in-time.ts';
import { memoryHost } from './memory-host.ts';
import type { AnyEmulator } from './start-emulator.ts';

export interface TestAccount {
  readonly account: VenueAccount;
  readonly access: VenueAccess;
}

export interface CommonDeskOptions<E> {
  /** Settings stored by an earlier run of the adapter. */
  readonly settings?: Map<string, string>;
  /** Interval at which the venue's streams repeat themselves, ms. Default 500. */
  readonly pulseMs?: number;
  readonly tap?: (bytes: Buffer) => void;
  /** Called before the adapter starts. */
  readonly prepare?: (emulator: E) => void;
}

export abstract class VenueDeskBase<E extends AnyEmulator, T extends TestAccount> {
  /** Clock of venue and adapter. */
  readonly clock: FakeClock;
  readonly emulator: E;
  /** Calls do not move time. */
  readonly adapter: Venue;
  /** The adapter; calls move time until they are answered. */
  readonly venue: Venue;
  readonly test: T;
  readonly logger = recordingLogger();
  /** Events on the account's stream, in order. */
  readonly events: AccountEvent[] = [];

  /** @param adapterAt the adapter, not started */
  protected constructor(
    { clock, emulator, test }: { readonly clock: FakeClock; readonly emulator: E; readonly test: T },
    settings: Map<string, string> | undefined,
    adapterAt: (host: VenueHost) => Venue,
  ) {
    this.clock = clock;
    this.emulator = emulator;
    this.adapter = adapterAt({ ...memoryHost(clock, settings), logger: this.logger });
    this.venue = inTime(clock, this.adapter);
    this.test = test;
    this.venue.accountStream(test.account, (event) => this.events.push(event));
  }

  /** Resolves when the adapter has subscribed to the account's streams so many times. */
  abstract untilSubscribed(times: number): Promise<unknown>;
  /** Number of requests sent with the order's client id. */
  abstract sentTimes(order: Pick<PlaceOrder, 'clientOrderId'>): number;

  /** Starts the adapter, opens its account and waits for its streams. @param isUp false: the venue need not be */
  protected async open(isUp = true): Promise<this> {
    await this.venue.start();
    await until(this.clock, 'the instruments are known', () => this.venue.instruments().length > 0);
    if (isUp) await until(this.clock, 'the venue is up', () => this.venue.status().status === 'UP');
    const opened = await this.venue.openAccount(this.test.account, this.test.access);
    if (!opened.ok) throw new Error(opened.error.message);
    await this.untilSubscribed(1);
    return this;
  }

  async close(): Promise<void> {
    await this.venue.stop();
    await this.emulator.close();
  }

  get script(): E['script'] {
    return this.emulator.script;
  }

  /** The account at the venue. */
  get user(): string {
    return this.test.account.exchangeIdentifier;
  }

  /** The owner buys with another program. */
  buyElsewhere(name: string, quantity: string, price: string): void {
    this.script.tradeElsewhere(this.user, name, 'buy', quantity, price);
  }

  /** Signed base units at the venue, whatever clients are told. */
  held(name = 'BTC', account = this.test.account): string {
    const { positions } = this.script.state(account.exchangeIdentifier);
    return positions.find(({ symbol }) => symbol === name)?.size ?? '0';
  }

  order(change: Partial<PlaceOrder> = {}): PlaceOrder {
    return {
      clientOrderId: `0x${randomBytes(16).toString('hex')}`,
      ...{ symbol: 'BTC-PERP', side: 'BUY', quantity: '0.001', limitPrice: '101000' },
      ...{ timeInForce: 'IOC', reduceOnly: false, expiresAt: this.clock.now() + 5_000 },
      ...change,
    };
  }

  /** An order that closes what `order()` opens. */
  closing(change: Partial<PlaceOrder> = {}): PlaceOrder {
    return this.order({ side: 'SELL', limitPrice: '99000', reduceOnly: true, ...change });
  }

  /** Three orders that leave together. */
  basket(change: Partial<PlaceOrder> = {}): readonly PlaceOrder[] {
    const expiresAt = this.clock.now() + 5_000;
    return [
      this.order({ expiresAt, ...change }),
      this.order({ symbol: 'ETH-PERP', quantity: '0.05', limitPrice: '4040', expiresAt, ...change }),
      this.order({ symbol: 'SOL-PERP', quantity: '1.5', limitPrice: '202', expiresAt, ...change }),
    ];
  }

  place(...orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]> {
    return this.venue.placeBatch(this.test.account, orders);
  }

  async placeOne(order: PlaceOrder = this.order()): Promise<OrderOutcome> {
    const [outcome] = await this.place(order);
    if (outcome === undefined) throw new Error('an order without an outcome');
    return outcome;
  }

  /** Places an order. @return its end, which the stream tells */
  async trade(order: PlaceOrder = this.order()): Promise<OrderOutcome> {
    await this.placeOne(order);
    return this.ended(order);
  }

  /** Places an order that rests, and waits until the stream has told so. */
  async rest(change: Partial<PlaceOrder> = {}): Promise<PlaceOrder> {
    const order = this.order({ timeInForce: 'GTC', limitPrice: '99000', ...change });
    await this.placeOne(order);
    await until(this.clock, 'it rests', () => this.told(order)?.kind === 'resting');
    return order;
  }

  /** Last outcome of the order on the stream. */
  told({ clientOrderId }: PlaceOrder): OrderOutcome | undefined {
    return this.events
      .flatMap((event) => (event.kind === 'order' ? [event.outcome] : []))
      .findLast((outcome) => outcome.clientOrderId === clientOrderId);
  }

  /** The order's end as the stream tells it. */
  ended(order: PlaceOrder): Promise<OrderOutcome> {
    return until(this.clock, 'the stream tells the order’s end', () => {
      const told = this.told(order);
      return told?.kind === 'done' || told?.kind === 'rejected' ? told : null;
    });
  }

  get reconnections(): number {
    return this.events.filter(({ kind }) => kind === 'reconnected').length;
  }

  /** Moves time until the streams are back. */
  untilReconnected(): Promise<unknown> {
    return until(
      this.clock,
      'the streams are back',
      () => this.reconnections > 0 && this.venue.status().status === 'UP',
    );
  }

  setLeverage(symbol = 'BTC-PERP'): ReturnType<Venue['setLeverage']> {
    return this.venue.setLeverage(this.test.account, { symbol, leverage: 3, marginMode: 'cross' });
  }

  cancel(order: PlaceOrder): ReturnType<Venue['cancel']> {
    return this.venue.cancel(this.test.account, refOf(order));
  }

  async positions(account = this.test.account): Promise<readonly VenuePosition[]> {
    return unwrap(await this.venue.positions(account));
  }

  instrument(id: string): Instrument | undefined {
    return this.venue.instruments().find((one) => one.id === id);
  }

  /** Requests of a kind since the traffic was cleared. */
  count(kind: string): number {
    return this.script.traffic().counts[kind] ?? 0;
  }

  async lookUp(...orders: readonly PlaceOrder[]): Promise<readonly OrderLookup[]> {
    return unwrap(await this.venue.ordersByClientIds(this.test.account, orders.map(refOf)));
  }

  /** Fills that the stream told. */
  get fills(): readonly VenueFill[] {
    return this.events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
  }

  /** Payments of funding that the stream told. */
  get payments(): readonly VenueFunding[] {
    return this.events.flatMap((event) => (event.kind === 'funding' ? [event.funding] : []));
  }

  untilFills(count: number): Promise<unknown> {
    return until(this.clock, `${count} fills were told`, () => this.fills.length === count);
  }

  /** A history cursor from which everything after this call is told. */
  async cursor(): Promise<string> {
    return unwrap(await this.venue.history(this.test.account, null)).nextCursor;
  }

  async history(cursor: string) {
    return unwrap(await this.venue.history(this.test.account, cursor));
  }

  warnings(part: RegExp): readonly object[] {
    return this.logger.lines.filter(({ level, message }) => level === 'warn' && part.test(message));
  }
}

export function refOf(order: PlaceOrder): OrderRef {
  const { clientOrderId, symbol, side, quantity, expiresAt } = order;
  const sent = { symbol, side, quantity, expiresAt, sentAt: expiresAt - 5_000 };
  return { clientOrderId, venueOrderId: null, sent };
}
