/**
 * The first usable row from a cold gateway: the program is started, answers, and a browser with an empty cache that is
 * signed in opens Positions; over when a row stands there that can be closed. The browser itself runs already.
 */
import { openWatched } from '../../support/browser.ts';
import { spawnBare } from '../measures/start.ts';
import { median } from '../statistics.ts';
import { timeToAnswer } from '../timed-start.ts';
import { valueMeasure } from '../verdict.ts';
import {
  atMost,
  type DashboardBenchmark,
  offenceMeasure,
  settledUser,
  signIn,
  startBuilt,
} from './dashboard-bench.ts';

/** Time of the first row in ms of the machine's clock, so that it compares with times of this process. */
const WATCH_FOR_ROW = `globalThis.__firstRow = new Promise((resolve) => {
  const look = () => {
    const button = document.querySelector('tr[data-row] button:not([disabled])');
    if (button === null || button.closest('tr').offsetHeight === 0) requestAnimationFrame(look);
    else resolve(performance.timeOrigin + performance.now());
  };
  requestAnimationFrame(look);
})`;
const BYTES = `performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)`;

const now = () => performance.timeOrigin + performance.now();

export const firstRow: DashboardBenchmark = async ({ browser, rounds, say }) => {
  const { dataDir, port } = await settledUser();
  const totals: number[] = [];
  const starts: number[] = [];
  const pages: number[] = [];
  const bytes: number[] = [];
  const work: number[] = [];
  const bare: number[] = [];
  const offences: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`first row, round ${round} of ${rounds}`);
    bare.push(await timeToAnswer(spawnBare, '/health'));
    const tab = await openWatched(browser, { viewport: { width: 1280, height: 800 } });
    const before = await startBuilt(dataDir, port);
    await signIn(tab, port);
    await before.stop();
    await tab.page.context().addInitScript(WATCH_FOR_ROW);
    const devtools = await tab.page.context().newCDPSession(tab.page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const startedAt = now();
    const gateway = await startBuilt(dataDir, port);
    try {
      const navigatedAt = now();
      await tab.page.goto(`http://tandem.localhost:${gateway.port}/app/positions`);
      const shownAt = await tab.page.evaluate<number>('globalThis.__firstRow');
      totals.push(shownAt - startedAt);
      starts.push(navigatedAt - startedAt);
      pages.push(shownAt - navigatedAt);
      const { metrics } = await devtools.send('Performance.getMetrics');
      work.push(1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN));
      bytes.push(await tab.page.evaluate<number>(BYTES));
      offences.push(...tab.offences);
    } finally {
      await tab.close();
      await gateway.stop();
    }
  }
  return [
    valueMeasure(
      {
        name: 'dashboard/first-row',
        about:
          'From the spawn of the gateway over its readiness and the opening of Positions, signed in, with an empty cache, to a row that can be closed',
        goal: atMost(1_500),
        unit: 'ms',
        figures: {
          'start of the gateway': median(starts),
          'page from navigation to row': median(pages),
          'work of its main thread': median(work),
          'kB on the wire': median(bytes) / 1_000,
          'bare Node, spawn to first answer': median(bare),
          rounds: totals,
        },
      },
      median(totals),
      // Bare Node does no work of its own: its time is the machine's disturbance.
      median(bare),
    ),
    offenceMeasure('dashboard/first-row/offences', offences),
  ];
};
