/** A table of ten thousand rows and a chart under five thousand updates a second, beside a blank page in the same run. */
import { valueMeasure } from '../verdict.ts';
import { busyRounds, machineDelayMs, medianOf, WATCHED_MS } from './busy-rounds.ts';
import { atMost, type DashboardBenchmark, offenceMeasure } from './dashboard-bench.ts';
import { INSTRUMENTS, liveMarkets, UPDATES_A_SECOND } from './live-market.ts';

export const busyScreen: DashboardBenchmark = async (context) => {
  const markets = await liveMarkets(context.browser);
  const { blank, busy, rowsASecond, offences } = await busyRounds(
    context,
    'table and chart under updates',
    markets.open,
  ).finally(markets.stop);
  const about = `Markets with ${INSTRUMENTS} rows and a chart, ${UPDATES_A_SECOND} rows a second (prices and markets) over a real socket, ${WATCHED_MS / 1_000} s`;
  const blankFigures = {
    'blank page.p95 frame ms': medianOf(blank, 'p95FrameMs'),
    'blank page.long tasks': medianOf(blank, 'longTasks'),
    'blank page.main thread %': 100 * medianOf(blank, 'mainThread'),
  };
  return [
    valueMeasure(
      {
        name: 'dashboard/busy/frame-p95',
        about,
        goal: atMost(18),
        unit: 'ms',
        figures: {
          p99: medianOf(busy, 'p99FrameMs'),
          'rows a second': rowsASecond,
          ...blankFigures,
          rounds: busy.map(({ p95FrameMs }) => p95FrameMs),
        },
      },
      medianOf(busy, 'p95FrameMs'),
      machineDelayMs(blank),
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
      medianOf(busy, 'longTasks'),
    ),
    valueMeasure(
      {
        name: 'dashboard/busy/main-thread',
        about: `${about}: share of the time in a task`,
        goal: atMost(25),
        unit: '%',
        figures: { ...blankFigures, rounds: busy.map(({ mainThread }) => 100 * mainThread) },
      },
      100 * medianOf(busy, 'mainThread'),
    ),
    offenceMeasure('dashboard/busy/offences', offences),
  ];
};
