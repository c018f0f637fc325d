/** The adapter with one funded account at an emulator of its own, for tests of what goes wrong between them. */
import type { PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { until } from '../../until.ts';
import { type CommonDeskOptions, VenueDeskBase } from '../shared/venue-desk.ts';
import { accountAt, adapterAt, type TestAccount } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface DeskOptions extends CommonDeskOptions<Emulator> {
  readonly weightPerMinute?: number;
  /** Called before the account is opened. */
  readonly account?: (emulator: Emulator, test: TestAccount) => void;
}

export class VenueDesk extends VenueDeskBase<Emulator, TestAccount> {
  private constructor(clock: FakeClock, emulator: Emulator, test: TestAccount, options: DeskOptions) {
    const { settings, ...terms } = options;
    super({ clock, emulator, test }, settings, (host) => adapterAt(emulator.url, { ...terms, host }));
  }

  static async start(options: DeskOptions = {}): Promise<VenueDesk> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: options.pulseMs ?? 500, clock });
    options.prepare?.(emulator);
    const test = accountAt(emulator);
    options.account?.(emulator, test);
    return new VenueDesk(clock, emulator, test, options).open(options.prepare === undefined);
  }

  /** Another run of the adapter at the same emulator, with the same account and what the earlier run stored. */
  static async again(desk: VenueDesk, settings: Map<string, string>): Promise<VenueDesk> {
    return new VenueDesk(desk.clock, desk.emulator, desk.test, { settings }).open();
  }

  override untilSubscribed(times: number): Promise<unknown> {
    return until(
      this.clock,
      'the account is followed',
      () => this.script.sentContaining('userFundings').length >= times,
    );
  }

  override sentTimes({ clientOrderId }: Pick<PlaceOrder, 'clientOrderId'>): number {
    return this.script.sentContaining(`"c":"${clientOrderId}"`).length;
  }
}
