import type { Settings } from '../../../../gateway/config.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../gateway.ts';
import { paperAlone } from '../../paper-alone.ts';
import { inTime } from './in-time.ts';

/**
 * Starts a gateway with the paper venue and one live venue.
 * @param clock null: the machine's
 * @param settings with the URL of an emulator of the venue
 */
export async function startGatewayWithVenue(
  clock: FakeClock | null,
  venue: unknown,
  settings: Partial<Settings>,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const gateway = await startTestGateway({
    ...options,
    clock,
    settings: { allowFileVault: true, live: true, ...settings },
    overrides: { ...options.overrides, venues: [paperAlone, venue] as never },
  });
  return clock === null ? gateway : inTime(clock, gateway);
}
