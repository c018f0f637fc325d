/** An adapter of a live venue at its emulated venue, for the venue spec. */
import { dec, text } from '../../gateway/domain/decimal.ts';
import type { Venue, VenueAccess, VenueAccount } from '../../gateway/engine/ports/venue.ts';
import type { VenueHost } from '../../gateway/venues/venue-plug.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { inTime } from '../support/venues/shared/in-time.ts';
import { memoryHost, untilUp } from '../support/venues/shared/memory-host.ts';
import type { AnyEmulator } from '../support/venues/shared/start-emulator.ts';
import { statedTerms, type VenueTerms, type VenueUnderTest } from './venue-spec.ts';

/** Differences between the venues. */
interface Differences {
  readonly terms?: Partial<VenueTerms>;
  readonly adapter: (host: VenueHost) => Venue;
  readonly account: () => { readonly account: VenueAccount; readonly access: VenueAccess };
}

export async function emulatedVenue(
  clock: FakeClock,
  emulator: AnyEmulator,
  { adapter, account, terms }: Differences,
): Promise<VenueUnderTest> {
  const host = memoryHost(clock);
  const opened = new Map<string, ReturnType<typeof account>>();
  const started = async () => {
    const made = inTime(clock, adapter(host));
    await made.start();
    await untilUp(clock, made);
    return made;
  };
  let venue = await started();
  return {
    venue,
    terms: {
      ...statedTerms(venue, '100000'),
      ...{ historyBegins: 'now', fillsAreTold: 'later', deposits: null },
      ...{ remembersRefusals: false, historyRepeats: true },
      firstLeverage: ({ maxLeverage }) => Math.min(20, maxLeverage),
      ...terms,
    },
    account() {
      const test = account();
      opened.set(test.account.tradeAccountId, test);
      return test.account;
    },
    access({ tradeAccountId }) {
      const test = opened.get(tradeAccountId);
      if (test === undefined) throw new Error('not an account of this suite');
      return test.access;
    },
    clock,
    async move(symbol, factor) {
      const name = symbol.replace('-PERP', '');
      emulator.script.setMark(name, text(dec(emulator.script.markOf(name)).mul(factor)));
    },
    async restart() {
      await venue.stop();
      venue = await started();
      for (const test of opened.values()) await venue.openAccount(test.account, test.access);
      return venue;
    },
    async end() {
      await venue.stop();
      await emulator.close();
    },
  };
}
