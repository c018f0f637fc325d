/** The adapter with one funded account at an emulator of its own, for tests of what goes wrong between them. */
import type { PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { until } from '../../until.ts';
import { type CommonDeskOptions, VenueDeskBase } from '../shared/venue-desk.ts';
import { accountAt, adapterAt, KEY_INDEX, type TestAccount } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface DeskOptions extends CommonDeskOptions<Emulator> {
  readonly perMinute?: number;
}

/** Wire name of the stream of an account that is subscribed last. */
const LAST_STREAM = 'account_all/';

export class VenueDesk extends VenueDeskBase<Emulator, TestAccount> {
  private constructor(clock: FakeClock, emulator: Emulator, test: TestAccount, options: DeskOptions) {
    const { settings, ...terms } = options;
    super({ clock, emulator, test }, settings, (host) => adapterAt(emulator.url, { ...terms, host }));
  }

  static async start(options: DeskOptions = {}): Promise<VenueDesk> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: options.pulseMs ?? 500, clock });
    options.prepare?.(emulator);
    return new VenueDesk(clock, emulator, accountAt(emulator), options).open(options.prepare === undefined);
  }

  /** Another run of the adapter at the same emulator, with the same account and what the earlier run stored. */
  static async again(desk: VenueDesk, settings: Map<string, string>): Promise<VenueDesk> {
    const later = await new VenueDesk(desk.clock, desk.emulator, desk.test, { settings }).open();
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

  get nextNonce(): number {
    return this.script.state(this.index).keys.find(({ index }) => index === KEY_INDEX)?.nextNonce ?? -1;
  }
}

export { refOf } from '../shared/venue-desk.ts';
