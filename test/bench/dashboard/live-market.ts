/** Markets with ten thousand live instruments, and the chart of one of them over it. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openWatched } from '../../support/browser.ts';
import { type BuiltGateway, settledUser, startBuilt } from './dashboard-bench.ts';
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

export async function liveMarkets(browser: Browser): Promise<LiveMarkets> {
  const { dataDir, profile } = await settledUser(browser);
  const gateway: BuiltGateway = await startBuilt(dataDir);
  const feed = await startMarketFeed(gateway.port, INSTRUMENTS, UPDATES_A_SECOND);
  return {
    async open() {
      const tab = await openWatched(browser, { viewport: { width: 1600, height: 900 }, ...profile });
      const { page } = tab;
      await page.goto(`http://tandem.localhost:${feed.port}/app/markets/instruments`);
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
