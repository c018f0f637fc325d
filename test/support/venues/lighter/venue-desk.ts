/** The adapter with one funded account at an emulator of its own, for tests of what goes wrong between them. */
import type { PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { recordingLogger } from '../../recording-logger.ts';
import { until } from '../../until.ts';
import { memoryHost } from '../hyperliquid/adapter.ts';
import { inTime } from '../shared/in-time.ts';
import { VenueDeskBase } from '../shared/venue-desk.ts';
import { accountAt, adapterAt, KEY_INDEX, type TestAccount } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface DeskOptions {
  /** Settings stored by an earlier run of the adapter. */
  readonly settings?: Map<string, string>;
  readonly perMinute?: number;
  /** Interval at which the venue's streams repeat themselves, ms. Default 100. */
  readonly pulseMs?: number;
  readonly tap?: (bytes: Buffer) => void;
  /** Called before the adapter starts. */
  readonly prepare?: (emulator: Emulator) => void;
}

/** Wire names of what an account at Lighter is told. */
const LAST_STREAM = 'account_all/';

export class VenueDesk extends VenueDeskBase<Emulator, TestAccount> {
  static async start(options: DeskOptions = {}): Promise<VenueDesk> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: options.pulseMs ?? 500, clock });
    options.prepare?.(emulator);
    const logger = recordingLogger();
    const { perMinute, tap } = options;
    const venue = inTime(
      clock,
      adapterAt(emulator.url, {
        host: { ...memoryHost(clock, options.settings), logger },
        ...(perMinute === undefined ? {} : { perMinute }),
        ...(tap === undefined ? {} : { tap }),
      }),
    );
    const test = accountAt(emulator);
    const desk = await new VenueDesk(clock, emulator, venue, test, logger).open(
      options.prepare === undefined,
    );
    // Subscribed: what happens from now on is told.
    await desk.untilSubscribed(1);
    return desk;
  }

  /** Another run of the adapter, at the same emulator with the same account. */
  static async again(desk: VenueDesk, settings: Map<string, string>): Promise<VenueDesk> {
    const logger = recordingLogger();
    const venue = inTime(
      desk.clock,
      adapterAt(desk.emulator.url, {
        host: { ...memoryHost(desk.clock, settings), logger },
      }),
    );
    const later = await new VenueDesk(desk.clock, desk.emulator, venue, desk.test, logger).open();
    await later.untilSubscribed(2);
    return later;
  }

  get index(): number {
    return this.test.index;
  }

  override untilSubscribed(times: number): Promise<unknown> {
    return until(
      this.clock,
      'the account is followed',
      () =>
        this.script
          .sentContaining(`${LAST_STREAM}${this.index}`)
          .filter((sent) => sent.includes('"subscribe"')).length >= times,
    );
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

  override held(symbol = 'BTC'): string {
    return this.script.state(this.index).positions.find((one) => one.symbol === symbol)?.size ?? '0';
  }

  /** The number under which the venue knows the order. */
  numberOf({ clientOrderId }: Pick<PlaceOrder, 'clientOrderId'>): number {
    return Number.parseInt(clientOrderId.slice(2, 14), 16);
  }

  override sentTimes(order: Pick<PlaceOrder, 'clientOrderId'>): number {
    return this.sent().filter((text) => text.includes(`ClientOrderIndex":${this.numberOf(order)},`)).length;
  }

  /** All that left, as it reads before it was encoded. */
  sent(): readonly string[] {
    return this.script.sent().map((text) => decodeURIComponent(text).replaceAll('\\"', '"'));
  }

  count(kind: string): number {
    return this.script.traffic().counts[kind] ?? 0;
  }

  get nextNonce(): number {
    return this.script.state(this.index).keys.find(({ index }) => index === KEY_INDEX)?.nextNonce ?? -1;
  }
}

export { refOf } from '../shared/venue-desk.ts';
