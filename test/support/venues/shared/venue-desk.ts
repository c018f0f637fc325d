/** An adapter with one funded account at an emulator of its own, whatever the venue. */
import { randomBytes } from 'node:crypto';
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
} from '../../../../gateway/engine/ports/venue.ts';
import type { FakeClock } from '../../fake-clock.ts';
import type { recordingLogger } from '../../recording-logger.ts';
import { until } from '../../until.ts';

interface Emulator {
  readonly script: object;
  close(): Promise<void>;
}

export interface TestAccount {
  readonly account: VenueAccount;
  readonly access: VenueAccess;
}

export abstract class VenueDeskBase<E extends Emulator, T extends TestAccount> {
  /** Clock of venue and adapter. */
  readonly clock: FakeClock;
  readonly emulator: E;
  /** Calls move time until they are answered. */
  readonly venue: Venue;
  readonly test: T;
  readonly logger: ReturnType<typeof recordingLogger>;
  /** Events on the account's stream, in order. */
  readonly events: AccountEvent[] = [];

  protected constructor(
    clock: FakeClock,
    emulator: E,
    venue: Venue,
    test: T,
    logger: ReturnType<typeof recordingLogger>,
  ) {
    this.clock = clock;
    this.emulator = emulator;
    this.venue = venue;
    this.test = test;
    this.logger = logger;
    venue.accountStream(test.account, (event) => this.events.push(event));
  }

  /** Resolves when the adapter has subscribed to the account's streams so many times. */
  abstract untilSubscribed(times: number): Promise<unknown>;
  /** Signed base units at the venue, whatever clients are told. @param name of the market; missing: BTC */
  abstract held(name?: string): string;
  /** Number of requests sent with the order's client id. */
  abstract sentTimes(order: Pick<PlaceOrder, 'clientOrderId'>): number;

  /** Starts the adapter, and opens its account. @param isUp false: the venue need not be */
  protected async open(isUp = true): Promise<this> {
    await this.venue.start();
    await until(this.clock, 'the instruments are known', () => this.venue.instruments().length > 0);
    if (isUp) await until(this.clock, 'the venue is up', () => this.venue.status().status === 'UP');
    const opened = await this.venue.openAccount(this.test.account, this.test.access);
    if (!opened.ok) throw new Error(opened.error.message);
    return this;
  }

  async close(): Promise<void> {
    await this.venue.stop();
    await this.emulator.close();
  }

  get script(): E['script'] {
    return this.emulator.script;
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

  async lookUp(...orders: readonly PlaceOrder[]): Promise<readonly OrderLookup[]> {
    const found = await this.venue.ordersByClientIds(this.test.account, orders.map(refOf));
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  }

  /** Fills that the stream told. */
  get fills(): readonly VenueFill[] {
    return this.events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
  }

  /** A history cursor from which everything after this call is told. */
  async cursor(): Promise<string> {
    const begun = await this.venue.history(this.test.account, null);
    if (!begun.ok) throw new Error(begun.error.message);
    return begun.value.nextCursor;
  }

  async history(cursor: string) {
    const told = await this.venue.history(this.test.account, cursor);
    if (!told.ok) throw new Error(told.error.message);
    return told.value;
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
