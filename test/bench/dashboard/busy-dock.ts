/** The panel under the chart of Trade with five hundred positions, under five thousand updates a second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWatched } from '../../support/browser.ts';
import { median } from '../statistics.ts';
import { valueMeasure } from '../verdict.ts';
import {
  atMost,
  type DashboardBenchmark,
  offenceMeasure,
  settledUser,
  startBuilt,
} from './dashboard-bench.ts';
import { type FrameFigures, watchFrames } from './frame-watch.ts';
import { openThrough, UPDATES_A_SECOND } from './live-market.ts';
import { startMarketFeed } from './market-feed.ts';

const ROWS = 500;
const INSTRUMENTS = 1_000;
const WATCHED_MS = 10_000;
const BLANK_MS = 5_000;
/** What happens once after the page was opened is over by then. */
const QUIET_MS = 4_000;

export const busyDock: DashboardBenchmark = async ({ browser, rounds, say }) => {
  const { dataDir, port } = await settledUser();
  const gateway = await startBuilt(dataDir, port);
  const feed = await startMarketFeed(port, {
    instruments: INSTRUMENTS,
    prices: UPDATES_A_SECOND,
    markets: 0,
    positions: ROWS,
  });
  const blank: FrameFigures[] = [];
  const busy: FrameFigures[] = [];
  const rates: number[] = [];
  const offences: string[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      say(`panel of ${ROWS} rows under updates, round ${round} of ${rounds}`);
      const nothing = await openWatched(browser);
      const idle = await nothing.page.context().newCDPSession(nothing.page);
      await idle.send('Performance.enable');
      blank.push(await watchFrames(nothing.page, idle, BLANK_MS));
      await nothing.close();
      const tab = await openThrough(browser, port, feed);
      const { page } = tab;
      await page.goto(`http://tandem.localhost:${port}/app/trade?long=BTC-PERP&short=ETH-PERP`);
      await page
        .getByRole('region', { name: 'This account' })
        .getByText(String(ROWS), { exact: true })
        .waitFor();
      await page.getByRole('slider', { name: /^Move SL/ }).waitFor();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Performance.enable');
      await sleep(QUIET_MS);
      const sent = feed.sent;
      busy.push(await watchFrames(page, devtools, WATCHED_MS));
      rates.push(((feed.sent - sent) * 1_000) / WATCHED_MS);
      offences.push(...tab.offences);
      await tab.close();
    }
  } finally {
    await feed.stop();
    await gateway.stop();
  }
  const of = (figures: readonly FrameFigures[], name: keyof FrameFigures) =>
    median(figures.map((one) => one[name]));
  return [
    valueMeasure(
      {
        name: 'dashboard/dock/frame-p95',
        about: `Trade with its chart, and ${ROWS} positions in the panel under it that change every second, ${UPDATES_A_SECOND} prices a second over a real socket, ${WATCHED_MS / 1_000} s`,
        goal: atMost(18),
        unit: 'ms',
        figures: {
          p99: of(busy, 'p99FrameMs'),
          'longest task ms': Math.max(...busy.map(({ longestTaskMs }) => longestTaskMs)),
          'main thread %': 100 * of(busy, 'mainThread'),
          'rows a second': median(rates),
          'blank page.p95 frame ms': of(blank, 'p95FrameMs'),
          rounds: busy.map(({ p95FrameMs }) => p95FrameMs),
        },
      },
      of(busy, 'p95FrameMs'),
      // What a page without any work misses, the machine has taken.
      Math.max(0, of(blank, 'p95FrameMs') - 17),
    ),
    offenceMeasure('dashboard/dock/offences', offences),
  ];
};
