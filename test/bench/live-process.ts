/**
 * A gateway with one live connector at an emulated venue, in a process of its own:
 *   BENCH_VENUE_URL    the emulator's origin
 *   BENCH_STREAM_URL   address of its WebSocket
 *   BENCH_STORE        uncommitted: acknowledgements do not wait for the disk
 * Other settings come from the environment as always. Says `{ port }` over the pipe when it listens; ends when the pipe
 * closes. Asked anything, it tells how long batches of orders took from the engine's call to the first byte on the wire
 * since it was asked last.
 */
import { homedir } from 'node:os';
import { performance } from 'node:perf_hooks';
import { loadSettings } from '../../gateway/config.ts';
import type { Venue } from '../../gateway/engine/ports/venue.ts';
import { createGateway } from '../../gateway/index.ts';
import { openStore, type StoreOptions } from '../../gateway/store/open-store.ts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';
import { hyperliquidInfo } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { createLazyVenue } from '../../gateway/venues/live/kit/lazy-venue.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { VenueHost } from '../../gateway/venues/venue-plug.ts';
import type { HistogramCounts } from './latency-histogram.ts';
import { LatencyHistogram } from './latency-histogram.ts';

const ORDERS = Buffer.from('POST /exchange ');
/** The venue's own limit would be reached after a minute of baskets. */
const WEIGHT_PER_MINUTE = 1_000_000;

const origin = process.env['BENCH_VENUE_URL'] ?? '';
const streamUrl = process.env['BENCH_STREAM_URL'] ?? `${origin.replace(/^http/, 'ws')}/ws`;
let latency = new LatencyHistogram();
/** When the batch was handed over whose first byte has not left yet; batches are placed one after the other. */
let handedOverAt: number | null = null;

function tap(bytes: Buffer): void {
  if (handedOverAt === null || bytes.compare(ORDERS, 0, ORDERS.length, 0, ORDERS.length) !== 0) return;
  latency.record((performance.now() - handedOverAt) * 1_000);
  handedOverAt = null;
}

function watched(host: VenueHost): Venue {
  const info = hyperliquidInfo('mainnet', origin);
  const venue = createLazyVenue({
    info,
    clock: host.clock,
    load: async () =>
      createHyperliquid({
        ...{ info, network: 'mainnet', origin, streamUrl, host, tap },
        weightPerMinute: WEIGHT_PER_MINUTE,
      }),
  });
  return {
    ...venue,
    placeBatch(account, orders) {
      handedOverAt = performance.now();
      return venue.placeBatch(account, orders);
    },
  };
}

const loaded = loadSettings({ argv: [], env: process.env, homedir: homedir(), platform: process.platform });
if (!loaded.ok) throw new Error(loaded.error.join('; '));
// Built into one file, the program has no file of test settings beside it.
const settings = { ...loaded.value, heldRunner: process.env['TANDEM_HELD_RUNNER'] === 'true' };
const folder = ensureDataFolder(settings.dataDir);
if (!folder.ok) throw new Error(folder.error);
const live = {
  connectors: ['hyperliquid'],
  sources: [],
  load: async () => undefined,
  create: async (_: unknown, host: VenueHost) => [watched(host)],
};
const gateway = await createGateway(settings, {
  venues: [paper, live],
  ...(process.env['BENCH_STORE'] === 'uncommitted'
    ? { openStore: (options: StoreOptions) => openStore({ ...options, commitMode: 'none' }) }
    : {}),
});

let closing = false;
process.on('disconnect', () => {
  if (closing) return;
  closing = true;
  void gateway.close().finally(() => process.exit(0));
});
process.on('message', () => {
  const counts: HistogramCounts = latency.counts();
  latency = new LatencyHistogram();
  process.send?.(counts);
});
process.send?.({ port: gateway.port });
