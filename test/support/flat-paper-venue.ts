/** Paper venues on a market that stands still, in a folder of each test, and orders for them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import type { PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { PAPER_PROFILES } from '../../gateway/venues/paper/market/profile.ts';
import { createPaperVenueOn, type PaperVenue } from '../../gateway/venues/paper/venue/paper-venue.ts';
import { createFlatMarket } from './flat-market.ts';
import { silentLogger } from './silent-logger.ts';

export const ACCOUNT = { tradeAccountId: 'ta-1', exchangeIdentifier: 'paper-1' };

type Options = Parameters<typeof createPaperVenueOn>[0];

export interface FlatPaperVenues {
  /** Folder of the test. */
  readonly dataDir: string;
  /** Starts a venue in the folder, with an open account. It is stopped after the test. */
  start(clock: Clock, options?: Partial<Options>): Promise<PaperVenue>;
}

/** Call it in `describe`. */
export function flatPaperVenues(): FlatPaperVenues {
  let dataDir = '';
  const started: PaperVenue[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-paper-'));
  });
  afterEach(async () => {
    for (const venue of started.splice(0)) await venue.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get dataDir() {
      return dataDir;
    },
    async start(clock, options = {}) {
      const venue = createPaperVenueOn({
        ...{ connector: 'paper', dataDir, seed: 7, profile: PAPER_PROFILES.frictionless, speed: 1 },
        ...{ clock, logger: silentLogger },
        createMarket: ({ startAt }) => createFlatMarket({ startAt }),
        ...options,
      });
      await venue.start();
      started.push(venue);
      await venue.openAccount(ACCOUNT);
      return venue;
    },
  };
}

/** An order that fills at once. */
export function flatOrder(
  clock: Pick<Clock, 'now'>,
  clientOrderId: string,
  change: Partial<PlaceOrder> = {},
): PlaceOrder {
  return {
    clientOrderId,
    symbol: 'AAA-PERP',
    side: 'BUY',
    quantity: '2',
    limitPrice: change.side === 'SELL' ? '99' : '101',
    timeInForce: 'IOC',
    reduceOnly: false,
    expiresAt: clock.now() + 60_000,
    ...change,
  };
}
