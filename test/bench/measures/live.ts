/** Orders at an emulated Hyperliquid on loopback: how soon a basket leaves, and what unknown orders cost in lookups. */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import type { Benchmark } from '../bench-context.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { close, completed, type LiveGateway, newLiveGateway, open } from '../live-home.ts';
import { watchLoopDelay } from '../load/loop-delay.ts';
import { type Measure, valueMeasure } from '../verdict.ts';
import { liveStart } from './live-start.ts';
import { liveStream } from './live-stream.ts';

/** Each is opened and closed again, so twice as many batches leave. */
const BASKETS = 300;
const WARM_UP = 75;
const UNKNOWN_MS = 60_000;
const SYMBOLS = ['BTC-PERP', 'ETH-PERP', 'SOL-PERP', 'AVAX-PERP'];

export const live: Benchmark = async (context) => {
  const emulator = await launchEmulator();
  const orders: Measure[] = [];
  try {
    const gateway = await newLiveGateway({ emulator });
    try {
      orders.push(...(await leaving(context, gateway)), await lookups(context, gateway));
    } finally {
      await gateway.stop();
    }
  } finally {
    await emulator.close();
  }
  return [...orders, ...(await liveStream(context)), ...(await liveStart(context))];

  async function leaving(
    { say }: Parameters<Benchmark>[0],
    gateway: LiveGateway,
  ): Promise<readonly Measure[]> {
    say(`live: ${BASKETS} baskets of four legs, opened and closed`);
    async function turn(): Promise<void> {
      const { positionId } = await completed(gateway, await open(gateway, SYMBOLS));
      await completed(gateway, await close(gateway, positionId ?? ''));
    }
    for (let nth = 0; nth < WARM_UP; nth += 1) await turn();
    const early = LatencyHistogram.from(await gateway.sentLatency());
    const machineDelay = watchLoopDelay();
    for (let nth = 0; nth < BASKETS; nth += 1) await turn();
    const delayMs = machineDelay();
    const latency = LatencyHistogram.from(await gateway.sentLatency());
    const figures = {
      batches: latency.count,
      p90Ms: latency.percentile(0.9) / 1_000,
      slowestMs: latency.percentile(1) / 1_000,
      slowestOfFirstMs: early.percentile(1) / 1_000,
      machineDelayP50Ms: delayMs.p50,
      machineDelayP99Ms: delayMs.p99,
    };
    const about =
      'the engine hands a batch of four signed orders to the venue → the first byte of its request on the wire, one batch at a time';
    const late = (name: string, share: number, goal: number, disturbance: number): Measure =>
      valueMeasure(
        { name, about, unit: 'ms', goal: { bound: 'at most', value: goal }, figures },
        latency.percentile(share) / 1_000,
        disturbance,
      );
    return [
      late('live/p50-decision-to-wire', 0.5, 1, delayMs.p50),
      late('live/p99-decision-to-wire', 0.99, 5, delayMs.p99),
    ];
  }

  async function lookups({ say }: Parameters<Benchmark>[0], gateway: LiveGateway): Promise<Measure> {
    say(`live: four unknown orders for ${UNKNOWN_MS / 1_000} s`);
    const { script } = emulator;
    // The orders execute, their answers are lost, the account's streams are silent and no lookup is answered.
    await script.streamFaults({ silent: ['orderUpdates', 'userFills'] });
    await script.fault({ on: 'order', do: 'lose_answer' });
    await script.fault({ on: 'orderStatus', do: 'status', code: 502, times: null });
    await script.clearTraffic();
    await open(gateway, SYMBOLS);
    await sleep(UNKNOWN_MS);
    const { counts } = await script.traffic();
    await script.clearFaults();
    await script.streamFaults({});
    return valueMeasure(
      {
        name: 'live/lookups-of-unknown-orders',
        about: `requests for what became of four orders whose answer was lost, in ${UNKNOWN_MS / 1_000} s without any answer`,
        unit: 'requests',
        goal: { bound: 'at most', value: 30 },
        figures: counts,
      },
      (counts['orderStatus'] ?? 0) + (counts['historicalOrders'] ?? 0) + (counts['userFillsByTime'] ?? 0),
    );
  }
};
