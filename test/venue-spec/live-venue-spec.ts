/**
 * Reports of the adapter of every live venue on orders, streams and accounts when things go wrong between it and
 * an emulated venue. What only one venue does is in `test/unit/venues/live/<venue>/`.
 */
import { accountsSpec, clockSpec } from './live-faults-accounts.ts';
import { limitsSpec } from './live-faults-limits.ts';
import { ordersSpec } from './live-faults-orders.ts';
import { streamsSpec } from './live-faults-streams.ts';
import type { Begin, Desk, LiveVenue } from './live-venue.ts';

export function liveVenueSpec<D extends Desk>(name: string, venue: LiveVenue<D>): void {
  describe(`${name}, when things go wrong`, () => {
    let desk: D;
    const keep = async (started: Promise<D>) => {
      desk = await started;
      return desk;
    };
    const begin: Begin<D> = (options) => keep(venue.start(options));
    afterEach(() => desk.close());

    describe('orders', () => ordersSpec(venue, begin));
    describe('streams', () => streamsSpec(venue, begin));
    describe('accounts', () => accountsSpec(venue, begin));
    describe('limits', () => limitsSpec(venue, begin, keep));
    describe('a clock', () => clockSpec(venue, begin));
  });
}
