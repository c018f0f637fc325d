/** The process that measures the trigger index: does one task for the benchmark that forked it. Needs `--expose-gc`. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { TriggerIndex } from '../../gateway/engine/resting/trigger-index/trigger-index.ts';
import { LinearScan } from './baselines/linear-scan.ts';
import { cpuTime } from './cpu-meter.ts';
import { alternate } from './rounds.ts';
import {
  armedTriggers,
  CONNECTOR,
  type Tick,
  type TickingMarket,
  tickingMarket,
  weighedTriggers,
} from './trigger-market.ts';
import type { TriggerAnswer, TriggerFigures, TriggerTask } from './trigger-protocol.ts';

const SEED = 4;
/** Per round: enough for the steps in which the system counts CPU time (up to 4 ms) not to show. */
const TICKS = 200_000;
const TICKS_OF_THE_SCANNED = 60_000;
/** Before the first round. At the start all bands are as wide as they can be; after this they are as wide as they stay. */
const SETTLING_TICKS = 240_000;
/** A tick of the scan takes tens of milliseconds. */
const SCAN_TICKS = 6;

interface Armed {
  readonly market: TickingMarket;
  readonly index: TriggerIndex;
  readonly loadMs: number;
  readonly bytes: number;
}

/** Bytes in use once what is not has been given back; array buffers are freed some time after the collection. */
async function settledBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass += 1) {
    globalThis.gc?.();
    await sleep(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** An index that knows all prices, loaded with what a store would hand over. */
async function loaded(count: number): Promise<Armed> {
  const market = tickingMarket(SEED);
  const index = new TriggerIndex();
  for (const [at, symbol] of market.symbols.entries()) {
    index.onTick(CONNECTOR, symbol, 'MARK', market.prices[at] ?? '');
  }
  const before = await settledBytes();
  let loadMs = 0;
  // Made in portions, so that neither making them is timed nor all of them are held.
  const triggers = armedTriggers(market, count, SEED);
  for (let left = count; left > 0; left -= 10_000) {
    const portion = Array.from({ length: Math.min(left, 10_000) }, () => triggers.next().value).filter(
      (one) => one !== undefined,
    );
    const startedAt = performance.now();
    for (const trigger of portion) index.arm(trigger);
    loadMs += performance.now() - startedAt;
  }
  const bytes = (await settledBytes()) - before;
  const armed = { market, index, loadMs, bytes };
  tickAll(armed, market.ticks(SETTLING_TICKS));
  return armed;
}

/**
 * Microseconds that this thread has computed: what other processes took in between does not count. Where the system does
 * not tell, the clock's.
 */
function busyUs(): number {
  return cpuTime(process.pid)?.loopUs ?? performance.now() * 1_000;
}

/** Microseconds a tick. */
function tickAll({ index, market }: Armed, ticks: readonly Tick[]): number {
  const startedAt = busyUs();
  for (const { instrument, price } of ticks) {
    index.onTick(CONNECTOR, market.symbols[instrument] ?? '', 'MARK', price);
  }
  return (busyUs() - startedAt) / ticks.length;
}

/** Microseconds a tick. */
function scanAll(scan: LinearScan, ticks: readonly Tick[]): number {
  const startedAt = busyUs();
  for (const { instrument, price } of ticks) scan.onTick(instrument, price);
  return (busyUs() - startedAt) / ticks.length;
}

async function measure({ rounds, sizes, scanned }: TriggerTask): Promise<TriggerFigures> {
  const sized: Armed[] = [];
  for (const size of sizes) sized.push(await loaded(size));
  const growth = await alternate(
    rounds,
    Object.fromEntries(
      sized.map((armed, at) => [String(sizes[at]), async () => tickAll(armed, armed.market.ticks(TICKS))]),
    ),
  );
  const many = await loaded(scanned);
  const scan = new LinearScan(many.market, weighedTriggers(many.market, scanned, SEED));
  scanAll(scan, many.market.ticks(2));
  const against = await alternate(rounds, {
    scan: async () => scanAll(scan, many.market.ticks(SCAN_TICKS)),
    index: async () => tickAll(many, many.market.ticks(TICKS_OF_THE_SCANNED)),
  });
  return {
    growth: sizes.map((size) => growth[String(size)] ?? []),
    loadMs: sized.map(({ loadMs }) => loadMs),
    bytes: sized.map(({ bytes }) => bytes),
    scanUs: against.scan,
    indexUs: against.index,
    scannedLoadMs: many.loadMs,
    scannedBytes: many.bytes,
    scannedMeasures: many.index.measureCount,
    scannedArmed: many.index.size,
  };
}

process.once('message', (task: TriggerTask) => {
  const answer = (message: TriggerAnswer): void => {
    process.send?.(message);
  };
  measure(task).then(
    (figures) => answer({ ok: true, figures }),
    (error: unknown) =>
      answer({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
