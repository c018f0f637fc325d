/** The adapter of Hyperliquid against the venue spec, at the emulated venue. */
import { dec, text } from '../../gateway/domain/decimal.ts';
import type { VenueAccess, VenueAccount } from '../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { accountAt, adapterAt, memoryHost, untilUp } from '../support/venues/hyperliquid/adapter.ts';
import { startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { DEFAULT_UNIVERSE } from '../support/venues/hyperliquid/state/universe.ts';
import { inTime } from '../support/venues/shared/in-time.ts';
import { statedTerms, type VenueUnderTest, venueSpec } from './venue-spec.ts';

async function emulated(): Promise<VenueUnderTest> {
  // Instruments of isolated margin only are tried in tests of their own.
  const universe = DEFAULT_UNIVERSE.filter(({ onlyIsolated }) => onlyIsolated !== true);
  const clock = createFakeClock();
  const emulator = await startEmulator({ clock, universe, pulseMs: 200 });
  const host = memoryHost(clock);
  const accesses = new Map<string, VenueAccess>();
  let venue = inTime(clock, adapterAt(emulator.url, host));
  await venue.start();
  await untilUp(clock, venue);
  return {
    venue,
    terms: {
      ...statedTerms(venue, '100000'),
      historyBegins: 'now',
      fillsAreTold: 'later',
      deposits: null,
      remembersRefusals: false,
      historyRepeats: true,
      firstLeverage: ({ maxLeverage }) => Math.min(20, maxLeverage),
    },
    account(): VenueAccount {
      const { account, access } = accountAt(emulator);
      accesses.set(account.tradeAccountId, access);
      return account;
    },
    access(account) {
      const access = accesses.get(account.tradeAccountId);
      if (access === undefined) throw new Error('not an account of this suite');
      return access;
    },
    clock,
    async move(symbol, factor) {
      const coin = symbol.replace('-PERP', '');
      const mark = emulator.script.markOf(coin);
      emulator.script.setMark(coin, text(dec(mark).mul(factor)));
    },
    async restart() {
      await venue.stop();
      venue = inTime(clock, adapterAt(emulator.url, host));
      await venue.start();
      await untilUp(clock, venue);
      for (const [tradeAccountId, access] of accesses) {
        const exchangeIdentifier = String(access.credentials['accountAddress']);
        await venue.openAccount({ tradeAccountId, exchangeIdentifier }, access);
      }
      return venue;
    },
    async end() {
      await venue.stop();
      await emulator.close();
    },
  };
}

venueSpec('hyperliquid, emulated', emulated);
