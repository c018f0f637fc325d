import type { Settings } from '../../../../gateway/config.ts';
import type { ConnectorInfo, Venue } from '../../../../gateway/engine/ports/venue.ts';
import { createLazyVenue } from '../../../../gateway/venues/live/kit/lazy-venue.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { FakeClock } from '../../fake-clock.ts';
import {
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  whileTimePasses,
} from '../../gateway.ts';
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
  const started = startTestGateway({
    ...options,
    clock,
    settings: { allowFileVault: true, live: true, ...settings },
    overrides: { ...options.overrides, venues: [paperAlone, venue] as never },
  });
  // A start waits for the accounts that it finds.
  return clock === null ? started : inTime(clock, await whileTimePasses(clock, started));
}

interface Plug {
  readonly create: (settings: never, host: VenueHost) => Promise<readonly Venue[]>;
}

/** The connector as it is, but its venue is made by `make`: with room for more requests than the real one has. */
export function withVenue<P extends Plug>(plug: P, info: ConnectorInfo, make: (host: VenueHost) => Venue): P {
  const create: Plug['create'] = async (_, host) => [
    createLazyVenue({ info, clock: host.clock, load: async () => make(host) }),
  ];
  return { ...plug, create };
}
