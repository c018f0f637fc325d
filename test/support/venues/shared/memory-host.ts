/** A venue's host that stores settings in memory. */
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import type { Venue } from '../../../../gateway/engine/ports/venue.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { silentLogger } from '../../silent-logger.ts';
import { until } from '../../until.ts';

/** Settings in memory: what a restart of the adapter finds again. */
export function memoryHost(clock: Clock, settings = new Map<string, string>()): VenueHost {
  return {
    dataDir: '/nowhere',
    clock,
    logger: silentLogger,
    store: memoryStore(settings),
  };
}

export function memoryStore(settings: Map<string, string>): VenueHost['store'] {
  return {
    setting: async (key) => settings.get(key) ?? null,
    commit: async (unit) => {
      for (const { key, value } of unit.settings ?? []) settings.set(key, value);
      return { ok: true, value: { seqs: [] } as never };
    },
  };
}

/** Moves time until the venue says UP. */
export function untilUp(clock: FakeClock, venue: Venue): Promise<unknown> {
  return until(clock, 'the venue is up', () => venue.status().status === 'UP');
}
