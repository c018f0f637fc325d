/** A page under updates, and a blank page beside it in the same round. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWatched } from '../../support/browser.ts';
import { median } from '../statistics.ts';
import type { DashboardContext } from './dashboard-bench.ts';
import { type FrameFigures, watchFrames } from './frame-watch.ts';
import type { LiveMarket } from './live-market.ts';

export const WATCHED_MS = 10_000;
const BLANK_MS = 5_000;
/** Work that is done once after the page was opened is over by then. */
const QUIET_MS = 4_000;

export interface BusyRounds {
  readonly blank: readonly FrameFigures[];
  readonly busy: readonly FrameFigures[];
  /** Rows a second that the page was sent, median of the rounds. */
  readonly rowsASecond: number;
  readonly offences: readonly string[];
}

/** @param open a page of its own for each round, drawn */
export async function busyRounds(
  { browser, rounds, say }: DashboardContext,
  what: string,
  open: () => Promise<LiveMarket>,
): Promise<BusyRounds> {
  const blank: FrameFigures[] = [];
  const busy: FrameFigures[] = [];
  const rates: number[] = [];
  const offences: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`${what}, round ${round} of ${rounds}`);
    const nothing = await openWatched(browser);
    const devtools = await nothing.page.context().newCDPSession(nothing.page);
    await devtools.send('Performance.enable');
    blank.push(await watchFrames(nothing.page, devtools, BLANK_MS));
    await nothing.close();
    const market = await open();
    await sleep(QUIET_MS);
    const sent = market.feed.sent;
    busy.push(await watchFrames(market.page, market.devtools, WATCHED_MS));
    rates.push(((market.feed.sent - sent) * 1_000) / WATCHED_MS);
    offences.push(...market.offences);
    await market.close();
  }
  return { blank, busy, rowsASecond: median(rates), offences };
}

export function medianOf(figures: readonly FrameFigures[], name: keyof FrameFigures): number {
  return median(figures.map((one) => one[name]));
}

/** Part of the frame times that the machine has taken: a page without any work misses it too. */
export function machineDelayMs(blank: readonly FrameFigures[]): number {
  return Math.max(0, medianOf(blank, 'p95FrameMs') - 17);
}
