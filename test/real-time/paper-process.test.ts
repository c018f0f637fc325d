/** A paper venue in a process of its own against the venue spec. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VenueAccount } from '../../gateway/engine/ports/venue.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import type { PaperConnector } from '../../gateway/venues/paper/market/instruments.ts';
import { PAPER_PROFILES } from '../../gateway/venues/paper/market/profile.ts';
import { createRemotePaperVenue } from '../../gateway/venues/paper/process/remote.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { startSim } from '../support/sim-client.ts';
import { statedTerms, type VenueUnderTest, venueSpec } from '../venue-spec/venue-spec.ts';

const START_BALANCE = '100000';
const SEED = 20260131;
let accounts = 0;
function account(): VenueAccount {
  accounts += 1;
  return { tradeAccountId: `spec-account-${accounts}`, exchangeIdentifier: `spec-${accounts}` };
}

async function remote(connector: PaperConnector): Promise<VenueUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tandem-spec-'));
  let sim = await startSim({ dataDir, connector, seed: SEED });
  const venue = createRemotePaperVenue({
    host: '127.0.0.1',
    port: sim.port,
    connector,
    profile: PAPER_PROFILES.frictionless,
    clock: systemClock,
    logger: silentLogger,
  });
  await venue.start();
  return {
    venue,
    terms: statedTerms(venue, START_BALANCE),
    account,
    clock: { now: systemClock.now, advance: systemClock.sleep },
    async move(symbol, factor) {
      const inspector = await sim.inspect();
      await inspector.shock(symbol, factor);
      inspector.close();
    },
    /** Kills the process: what was answered must be there all the same. The adapter finds its way back by itself. */
    async restart() {
      const up = new Promise<void>((resolve) => {
        let wasDown = false;
        venue.onStatus(({ status }) => {
          if (status === 'DOWN') wasDown = true;
          else if (status === 'UP' && wasDown) resolve();
        });
      });
      await sim.stop('SIGKILL');
      sim = await startSim({ dataDir, connector, seed: SEED, port: sim.port });
      await up;
      return venue;
    },
    async end() {
      await venue.stop();
      await sim.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

venueSpec('paper, in a process of its own', () => remote('paper'));
