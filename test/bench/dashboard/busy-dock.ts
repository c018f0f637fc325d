/** The panel under the chart of Trade with five hundred positions, under five thousand updates a second. */
import { valueMeasure } from '../verdict.ts';
import { busyRounds, machineDelayMs, medianOf, WATCHED_MS } from './busy-rounds.ts';
import {
  atMost,
  type DashboardBenchmark,
  offenceMeasure,
  settledUser,
  startBuilt,
} from './dashboard-bench.ts';
import { type LiveMarket, openThrough, UPDATES_A_SECOND } from './live-market.ts';
import { startMarketFeed } from './market-feed.ts';

const ROWS = 500;
const INSTRUMENTS = 1_000;

export const busyDock: DashboardBenchmark = async (context) => {
  const { dataDir, port } = await settledUser();
  const gateway = await startBuilt(dataDir, port);
  const feed = await startMarketFeed(port, {
    instruments: INSTRUMENTS,
    prices: UPDATES_A_SECOND,
    markets: 0,
    positions: ROWS,
  });
  async function open(): Promise<LiveMarket> {
    const tab = await openThrough(context.browser, port, feed);
    const { page } = tab;
    await page.goto(`http://tandem.localhost:${port}/app/trade?long=BTC-PERP&short=ETH-PERP`);
    await page
      .getByRole('region', { name: 'This account' })
      .getByText(String(ROWS), { exact: true })
      .waitFor();
    await page.getByRole('slider', { name: /^Move SL/ }).waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    return { page, devtools, feed, offences: tab.offences, close: tab.close };
  }
  const { blank, busy, rowsASecond, offences } = await busyRounds(
    context,
    `panel of ${ROWS} rows under updates`,
    open,
  ).finally(async () => {
    await feed.stop();
    await gateway.stop();
  });
  return [
    valueMeasure(
      {
        name: 'dashboard/dock/frame-p95',
        about: `Trade with its chart, and ${ROWS} positions in the panel under it that change every second, ${UPDATES_A_SECOND} prices a second over a real socket, ${WATCHED_MS / 1_000} s`,
        goal: atMost(18),
        unit: 'ms',
        figures: {
          p99: medianOf(busy, 'p99FrameMs'),
          'longest task ms': Math.max(...busy.map(({ longestTaskMs }) => longestTaskMs)),
          'main thread %': 100 * medianOf(busy, 'mainThread'),
          'rows a second': rowsASecond,
          'blank page.p95 frame ms': medianOf(blank, 'p95FrameMs'),
          rounds: busy.map(({ p95FrameMs }) => p95FrameMs),
        },
      },
      medianOf(busy, 'p95FrameMs'),
      machineDelayMs(blank),
    ),
    offenceMeasure('dashboard/dock/offences', offences),
  ];
};
