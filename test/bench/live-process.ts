/**
 * A gateway with one live connector at an emulated venue, in a process of its own:
 *   BENCH_VENUE_URL    the emulator's origin
 *   BENCH_STREAM_URL   address of its WebSocket
 * Says `{ port }` over the pipe when it listens. Asked anything, it tells how long batches of orders took from the engine's
 * call to the first byte on the wire since it was asked last.
 */
import { performance } from 'node:perf_hooks';
import type { Venue } from '../../gateway/engine/ports/venue.ts';
import { hyperliquidInfo } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { createLazyVenue } from '../../gateway/venues/live/kit/lazy-venue.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { VenueHost } from '../../gateway/venues/venue-plug.ts';
import { type HistogramCounts, LatencyHistogram } from './latency-histogram.ts';
import { runGateway } from './own-gateway.ts';

const ORDERS = Buffer.from('POST /exchange ');
/** The venue's own limit would be reached after a minute of baskets. */
const WEIGHT_PER_MINUTE = 1_000_000;

const origin = process.env['BENCH_VENUE_URL'] ?? '';
const streamUrl = process.env['BENCH_STREAM_URL'] ?? `${origin.replace(/^http/, 'ws')}/ws`;
let latency = new LatencyHistogram();
/** Time at which the batch in flight was handed over, until its first byte leaves. Batches are placed one by one. */
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

const live = {
  connectors: ['hyperliquid'],
  sources: [],
  load: async () => undefined,
  create: async (_: unknown, host: VenueHost) => [watched(host)],
};
const port = await runGateway({ venues: [paper, live] });
process.on('message', () => {
  const counts: HistogramCounts = latency.counts();
  latency = new LatencyHistogram();
  process.send?.(counts);
});
process.send?.({ port });
