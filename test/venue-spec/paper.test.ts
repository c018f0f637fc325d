/** The embedded paper venues against the venue spec. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VenueAccount } from '../../gateway/engine/ports/venue.ts';
import type { PaperConnector } from '../../gateway/venues/paper/market/instruments.ts';
import { PAPER_PROFILES } from '../../gateway/venues/paper/market/profile.ts';
import type { PaperVenue } from '../../gateway/venues/paper/venue/paper-venue.ts';
import { createPaperVenue } from '../../gateway/venues/paper/venue/venue.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { inTime } from '../support/venues/shared/in-time.ts';
import { statedTerms, type VenueUnderTest, venueSpec } from './venue-spec.ts';

const START_BALANCE = '100000';
const SEED = 20260131;
let accounts = 0;
function account(): VenueAccount {
  accounts += 1;
  return { tradeAccountId: `spec-account-${accounts}`, exchangeIdentifier: `spec-${accounts}` };
}

async function embedded(connector: PaperConnector): Promise<VenueUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tandem-spec-'));
  const clock = createFakeClock();
  const make = () =>
    inTime(
      clock,
      createPaperVenue({
        connector,
        dataDir,
        seed: SEED,
        // No latency, but fees: a fee of nothing would say nothing.
        profile: { ...PAPER_PROFILES.frictionless, fees: 1 },
        speed: 1,
        clock,
        logger: silentLogger,
      }),
    );
  let current: PaperVenue = make();
  await current.start();
  return {
    venue: current,
    terms: statedTerms(current, START_BALANCE),
    account,
    clock,
    move: (symbol, factor) => current.shock(symbol, factor),
    async restart() {
      await current.stop();
      current = make();
      await current.start();
      return current;
    },
    async end() {
      await current.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

venueSpec('paper, embedded', () => embedded('paper'));
venueSpec('paper-cross, embedded', () => embedded('paper-cross'));
