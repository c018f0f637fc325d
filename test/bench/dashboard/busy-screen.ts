/** A table of ten thousand rows and a chart under five thousand updates a second, beside a blank page in the same run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWatched } from '../../support/browser.ts';
import { median } from '../statistics.ts';
import { valueMeasure } from '../verdict.ts';
import { atMost, type DashboardBenchmark, offenceMeasure } from './dashboard-bench.ts';
import { type FrameFigures, watchFrames } from './frame-watch.ts';
import { INSTRUMENTS, liveMarkets, UPDATES_A_SECOND } from './live-market.ts';

const WATCHED_MS = 10_000;
const BLANK_MS = 5_000;
/** What happens once after the page was opened is over by then. */
const QUIET_MS = 4_000;

export const busyScreen: DashboardBenchmark = async ({ browser, rounds, say }) => {
  const blank: FrameFigures[] = [];
  const busy: FrameFigures[] = [];
  const rates: number[] = [];
  const offences: string[] = [];
  const markets = await liveMarkets(browser);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      say(`table and chart under updates, round ${round} of ${rounds}`);
      const nothing = await openWatched(browser);
      const devtools = await nothing.page.context().newCDPSession(nothing.page);
      await devtools.send('Performance.enable');
      blank.push(await watchFrames(nothing.page, devtools, BLANK_MS));
      await nothing.close();
      const market = await markets.open();
      await sleep(QUIET_MS);
      const sent = market.feed.sent;
      busy.push(await watchFrames(market.page, market.devtools, WATCHED_MS));
      rates.push(((market.feed.sent - sent) * 1_000) / WATCHED_MS);
      offences.push(...market.offences);
      await market.close();
    }
  } finally {
    await markets.stop();
  }
  const of = (figures: readonly FrameFigures[], name: keyof FrameFigures) =>
    median(figures.map((one) => one[name]));
  const about = `Markets with ${INSTRUMENTS} rows and a chart, ${UPDATES_A_SECOND} rows a second (prices and markets) over a real socket, ${WATCHED_MS / 1_000} s`;
  const blankFigures = {
    'blank page.p95 frame ms': of(blank, 'p95FrameMs'),
    'blank page.long tasks': of(blank, 'longTasks'),
    'blank page.main thread %': 100 * of(blank, 'mainThread'),
  };
  return [
    valueMeasure(
      {
        name: 'dashboard/busy/frame-p95',
        about,
        goal: atMost(18),
        unit: 'ms',
        figures: {
          p99: of(busy, 'p99FrameMs'),
          'rows a second': median(rates),
          ...blankFigures,
          rounds: busy.map(({ p95FrameMs }) => p95FrameMs),
        },
      },
      of(busy, 'p95FrameMs'),
      // What a page without any work misses, the machine has taken.
      Math.max(0, of(blank, 'p95FrameMs') - 17),
    ),
    valueMeasure(
      {
        name: 'dashboard/busy/long-tasks',
        about: `${about}: tasks of 50 ms and more`,
        goal: atMost(0),
        unit: 'tasks',
        figures: {
          'longest ms': Math.max(...busy.map(({ longestTaskMs }) => longestTaskMs)),
          ...blankFigures,
          rounds: busy.map(({ longTasks }) => longTasks),
        },
      },
      of(busy, 'longTasks'),
    ),
    valueMeasure(
      {
        name: 'dashboard/busy/main-thread',
        about: `${about}: share of the time in a task`,
        goal: atMost(25),
        unit: '%',
        figures: { ...blankFigures, rounds: busy.map(({ mainThread }) => 100 * mainThread) },
      },
      100 * of(busy, 'mainThread'),
    ),
    offenceMeasure('dashboard/busy/offences', offences),
  ];
};
