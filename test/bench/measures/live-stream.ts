/** A live venue's market data at full rate: what it costs the gateway, and whether small requests suffer from it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import { type Benchmark, loop, warmUp } from '../bench-context.ts';
import { startLiveFeed } from '../child-programs.ts';
import { compared } from '../closed-loop-figures.ts';
import { cpuBetween, cpuTime } from '../cpu-meter.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { newLiveGateway } from '../live-home.ts';
import { orderTarget } from '../measured-gateways.ts';
import { alternate } from '../rounds.ts';
import { median } from '../statistics.ts';
import { type Measure, ratioMeasure, skippedMeasure, valueMeasure } from '../verdict.ts';

const INSTRUMENTS = 500;
const PER_SECOND = 25_000;
const STEADY_MS = 2_000;

export const liveStream: Benchmark = async (context) => {
  const coins = Array.from({ length: INSTRUMENTS }, (_, at) => ({
    ...{ name: `C${at}`, szDecimals: 2, maxLeverage: 20, mark: '100' },
  }));
  const emulator = await launchEmulator({ universe: coins, pulseMs: 0 });
  const feed = await startLiveFeed();
  try {
    const gateway = await newLiveGateway({
      emulator,
      streamUrl: `ws://127.0.0.1:${feed.port}`,
      // Only the acknowledgement of the requests is looked at, and the event loop's part of it: not the disk's.
      env: { TANDEM_HELD_RUNNER: 'true', BENCH_STORE: 'uncommitted' },
    });
    try {
      const { identity, pid, port } = gateway;
      const target = await orderTarget({ port, pid, ...identity });
      await feed.send(PER_SECOND);
      await warmUp(context, target, 1);
      async function share(perSecond: number): Promise<{ cpu: number | null; perSecond: number }> {
        await feed.send(perSecond);
        await sleep(500);
        await feed.send(perSecond);
        const [before, at] = [cpuTime(pid), performance.now()];
        await sleep(STEADY_MS);
        const [after, elapsedMs] = [cpuTime(pid), performance.now() - at];
        const cpu = cpuBetween(before, after);
        const sent = await feed.send(perSecond);
        return {
          cpu: cpu === null ? null : cpu.allUs / 1_000 / elapsedMs,
          perSecond: (sent * 1_000) / elapsedMs,
        };
      }
      context.say(`live: ${PER_SECOND} prices a second, ${INSTRUMENTS} instruments`);
      const shares = await alternate(context.rounds, {
        silent: () => share(0),
        streaming: () => share(PER_SECOND),
      });
      context.say('live: small requests with and without the prices');
      const beside = (perSecond: number) => async () => {
        await feed.send(perSecond);
        await sleep(300);
        return loop(context, target, 1)();
      };
      const acks = await alternate(context.rounds, {
        silent: beside(0),
        streaming: beside(PER_SECOND),
      });
      await feed.send(0);
      const known = (list: typeof shares.silent) => list.flatMap(({ cpu }) => cpu ?? []);
      const [silent, streaming] = [known(shares.silent), known(shares.streaming)];
      const p99 = (rounds: typeof acks.silent) =>
        rounds.map(({ latencyUs }) => LatencyHistogram.from(latencyUs).percentile(0.99) / 1_000);
      const measures: Measure[] = [];
      const name = 'live/stream-cpu-share';
      if (streaming.length === 0) measures.push(skippedMeasure(name, 'the system tells no CPU times'));
      else
        measures.push(
          valueMeasure(
            {
              name,
              about: `CPU of the gateway, all threads, as a share of one core: ${PER_SECOND} prices a second of ${INSTRUMENTS} instruments of a live venue`,
              unit: 'of a core',
              goal: { bound: 'at most', value: 0.25 },
              figures: {
                shareWithout: median(silent),
                rounds: streaming,
                pricesPerSecond: median(shares.streaming.map(({ perSecond }) => perSecond)),
              },
            },
            median(streaming),
          ),
        );
      measures.push(
        ratioMeasure(
          {
            name: 'live/ack-p99-beside-stream',
            about: `slowest hundredth of the acknowledgements of small requests, with ${PER_SECOND} prices a second ÷ without, one connection; milliseconds`,
            goal: { bound: 'at most', value: 2 },
            figures: compared(['silent', acks.silent], ['streaming', acks.streaming]),
          },
          p99(acks.silent),
          p99(acks.streaming),
        ),
      );
      return measures;
    } finally {
      await gateway.stop();
    }
  } finally {
    await feed.stop();
    await emulator.close();
  }
};
