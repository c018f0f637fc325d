/** The adapter with one funded account at an emulator of its own, for tests of what goes wrong between them. */
import { randomBytes } from 'node:crypto';
import type {
  AccountEvent,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  Venue,
  VenueFill,
} from '../../../../gateway/engine/ports/venue.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { recordingLogger } from '../../recording-logger.ts';
import { until } from '../../until.ts';
import { inTime } from '../shared/in-time.ts';
import { accountAt, adapterAt, memoryHost, type TestAccount, untilUp } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface DeskOptions {
  /** What an earlier run of the adapter stored. */
  readonly settings?: Map<string, string>;
  readonly weightPerMinute?: number;
  /** Called before the adapter starts. */
  readonly prepare?: (emulator: Emulator) => void;
  /** Called before the account is opened. */
  readonly account?: (emulator: Emulator, test: TestAccount) => void;
}

export class VenueDesk {
  /** Of venue and adapter. */
  readonly clock: FakeClock;
  readonly emulator: Emulator;
  /** Calls move time until they are answered. */
  readonly venue: Venue;
  readonly test: TestAccount;
  readonly logger: ReturnType<typeof recordingLogger>;
  /** What the account's stream told, in order. */
  readonly events: AccountEvent[] = [];

  private constructor(
    clock: FakeClock,
    emulator: Emulator,
    venue: Venue,
    test: TestAccount,
    logger: VenueDesk['logger'],
  ) {
    this.clock = clock;
    this.emulator = emulator;
    this.venue = venue;
    this.test = test;
    this.logger = logger;
    venue.accountStream(test.account, (event) => this.events.push(event));
  }

  static async start(options: DeskOptions = {}): Promise<VenueDesk> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: 100, clock });
    options.prepare?.(emulator);
    const logger = recordingLogger();
    const host = { ...memoryHost(clock, options.settings), logger };
    const venue = inTime(clock, adapterAt(emulator.url, host, undefined, options.weightPerMinute));
    const test = accountAt(emulator);
    options.account?.(emulator, test);
    const desk = new VenueDesk(clock, emulator, venue, test, logger);
    await venue.start();
    await until(clock, 'the instruments are known', () => venue.instruments().length > 0);
    if (options.prepare === undefined) await untilUp(clock, venue);
    const opened = await venue.openAccount(test.account, test.access);
    if (!opened.ok) throw new Error(opened.error.message);
    // Subscribed: what happens from now on is told.
    await desk.untilSubscribed(1);
    return desk;
  }

  async close(): Promise<void> {
    await this.venue.stop();
    await this.emulator.close();
  }

  get script(): Emulator['script'] {
    return this.emulator.script;
  }

  /** The account at the venue. */
  get user(): string {
    return this.test.account.exchangeIdentifier;
  }

  untilSubscribed(times: number): Promise<unknown> {
    return until(
      this.clock,
      'the account is followed',
      () => this.script.sentContaining('userFundings').length >= times,
    );
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

  async lookUp(...orders: readonly PlaceOrder[]) {
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

  /** Signed base units at the venue, whatever clients are told. */
  held(coin = 'BTC'): string {
    return this.script.state(this.user).positions.find((one) => one.coin === coin)?.size ?? '0';
  }

  /** How often the order's client id left in an action. */
  sentTimes({ clientOrderId }: Pick<PlaceOrder, 'clientOrderId'>): number {
    return this.script.sentContaining(`"c":"${clientOrderId}"`).length;
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
