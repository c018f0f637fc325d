/** The adapter with one funded account at an emulator of its own, for tests of what goes wrong between them. */
import type { PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { recordingLogger } from '../../recording-logger.ts';
import { until } from '../../until.ts';
import { inTime } from '../shared/in-time.ts';
import { VenueDeskBase } from '../shared/venue-desk.ts';
import { accountAt, adapterAt, memoryHost, type TestAccount } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface DeskOptions {
  /** Settings stored by an earlier run of the adapter. */
  readonly settings?: Map<string, string>;
  readonly weightPerMinute?: number;
  /** Called before the adapter starts. */
  readonly prepare?: (emulator: Emulator) => void;
  /** Called before the account is opened. */
  readonly account?: (emulator: Emulator, test: TestAccount) => void;
}

export class VenueDesk extends VenueDeskBase<Emulator, TestAccount> {
  static async start(options: DeskOptions = {}): Promise<VenueDesk> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: 500, clock });
    options.prepare?.(emulator);
    const logger = recordingLogger();
    const host = { ...memoryHost(clock, options.settings), logger };
    const venue = inTime(clock, adapterAt(emulator.url, host, undefined, options.weightPerMinute));
    const test = accountAt(emulator);
    options.account?.(emulator, test);
    const desk = await new VenueDesk(clock, emulator, venue, test, logger).open(
      options.prepare === undefined,
    );
    // Subscribed: what happens from now on is told.
    await desk.untilSubscribed(1);
    return desk;
  }

  /** Another run of the adapter at the same emulator, with the same account and what the earlier run stored. */
  static async again(desk: VenueDesk, settings: Map<string, string>): Promise<VenueDesk> {
    const logger = recordingLogger();
    const host = { ...memoryHost(desk.clock, settings), logger };
    const venue = inTime(desk.clock, adapterAt(desk.emulator.url, host));
    return new VenueDesk(desk.clock, desk.emulator, venue, desk.test, logger).open();
  }

  /** The account at the venue. */
  get user(): string {
    return this.test.account.exchangeIdentifier;
  }

  override untilSubscribed(times: number): Promise<unknown> {
    return until(
      this.clock,
      'the account is followed',
      () => this.script.sentContaining('userFundings').length >= times,
    );
  }

  override held(coin = 'BTC'): string {
    return this.script.state(this.user).positions.find((one) => one.coin === coin)?.size ?? '0';
  }

  override sentTimes({ clientOrderId }: Pick<PlaceOrder, 'clientOrderId'>): number {
    return this.script.sentContaining(`"c":"${clientOrderId}"`).length;
  }
}

export { refOf } from '../shared/venue-desk.ts';
