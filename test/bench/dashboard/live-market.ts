/** Markets with ten thousand live instruments, and the chart of one of them over it. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openWatched, type WatchedPage } from '../../support/browser.ts';
import { type BuiltGateway, settledUser, signIn, startBuilt } from './dashboard-bench.ts';
import { type MarketFeed, startMarketFeed } from './market-feed.ts';

export const INSTRUMENTS = 10_000;
export const UPDATES_A_SECOND = 5_000;

export interface LiveMarket {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly feed: MarketFeed;
  readonly offences: readonly string[];
  close(): Promise<void>;
}

export interface LiveMarkets {
  /** In a profile of its own, with the table and the chart drawn. */
  open(): Promise<LiveMarket>;
  stop(): Promise<void>;
}

/** A tab of its own that sees the gateway through the feed. */
export async function openThrough(browser: Browser, port: number, feed: MarketFeed): Promise<WatchedPage> {
  const proxy = { server: `http://127.0.0.1:${feed.port}`, bypass: '<-loopback>' };
  const tab = await openWatched(browser, { viewport: { width: 1600, height: 900 }, proxy });
  await signIn(tab, port);
  return tab;
}

export async function liveMarkets(browser: Browser): Promise<LiveMarkets> {
  const { dataDir, port } = await settledUser();
  const gateway: BuiltGateway = await startBuilt(dataDir, port);
  const half = UPDATES_A_SECOND / 2;
  const feed = await startMarketFeed(port, { instruments: INSTRUMENTS, prices: half, markets: half });
  return {
    async open() {
      const tab = await openThrough(browser, port, feed);
      const { page } = tab;
      await page.goto(`http://tandem.localhost:${port}/app/markets/instruments`);
      const row = page.locator('tr[data-row]').first();
      await row.waitFor({ timeout: 60_000 });
      await page.getByText(`${INSTRUMENTS} of`).waitFor({ timeout: 60_000 });
      await row.locator('td').first().click();
      await page.getByRole('dialog').locator('canvas').first().waitFor({ timeout: 30_000 });
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Performance.enable');
      return { page, devtools, feed, offences: tab.offences, close: tab.close };
    },
    async stop() {
      await feed.stop();
      await gateway.stop();
    },
  };
}
