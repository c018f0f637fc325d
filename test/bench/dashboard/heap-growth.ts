/** The page's heap after so many minutes of stream, garbage collected before each look. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { valueMeasure } from '../verdict.ts';
import { atMost, type DashboardBenchmark, offenceMeasure } from './dashboard-bench.ts';
import { liveMarkets, UPDATES_A_SECOND } from './live-market.ts';

/** Every row has moved by then, and what is read once has been read. */
const WARM_UP_MS = 60_000;
const LOOK_MS = 60_000;
const MB = 1_000_000;

async function heapOf(devtools: CDPSession): Promise<number> {
  // The second one takes what the first has only freed the way to.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / MB;
}

export const heapGrowth: DashboardBenchmark = async ({ browser, minutes, say }) => {
  const markets = await liveMarkets(browser);
  try {
    const market = await markets.open();
    await market.devtools.send('HeapProfiler.enable');
    await sleep(WARM_UP_MS);
    const looks = [await heapOf(market.devtools)];
    const endsAt = performance.now() + minutes * 60_000;
    while (performance.now() < endsAt) {
      await sleep(Math.min(LOOK_MS, endsAt - performance.now()));
      looks.push(await heapOf(market.devtools));
      say(`heap after ${looks.length - 1} looks: ${looks.at(-1)?.toFixed(1)} MB`);
    }
    const [first = 0] = looks;
    const last = looks.at(-1) ?? first;
    const found = [
      valueMeasure(
        {
          name: 'dashboard/heap-growth',
          about: `Growth of the heap over ${minutes} minutes of ${UPDATES_A_SECOND} rows a second, after a minute of them`,
          goal: atMost(10),
          unit: 'MB',
          figures: { 'at first MB': first, 'at last MB': last, looks },
        },
        last - first,
      ),
      offenceMeasure('dashboard/heap-growth/offences', market.offences),
    ];
    await market.close();
    return found;
  } finally {
    await markets.stop();
  }
};
