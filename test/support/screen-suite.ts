/** Parts shared by suites about one screen: one gateway with a trader, and one watched tab, reset for each test. */
import type { Page } from 'playwright-core';
import { chromiumForSuite, type Expected } from './browser.ts';
import type { TestGatewayOptions } from './gateway.ts';
import { tabKeeper } from './kept-tab.ts';
import { openForSuite } from './open-for-tests.ts';
import { type SeededGateway, startSeededGateway } from './seeded-gateway.ts';
import { type Trader, traderForSuite } from './trader.ts';

const EMAIL = 'ada@example.test';

export interface ScreenSuite {
  readonly gateway: SeededGateway;
  /** The user who is signed in, on its first account. */
  readonly bot: Trader;
  readonly page: Page;
  goTo(screen: string): Promise<void>;
  closePosition(id: string): Promise<void>;
  closePositions(): Promise<void>;
}

/**
 * Call it in `describe`; the parts stand for those of each test.
 * @param isExpected answers that the tests provoke, and the browser may complain about
 */
export function screenSuite(
  isExpected: Expected = () => false,
  options: TestGatewayOptions = {},
): ScreenSuite {
  const tabs = tabKeeper();
  const browser = chromiumForSuite();
  const gateway = openForSuite(() => startSeededGateway({ clock: null, ...options }));
  const bot = traderForSuite(gateway, { email: EMAIL });
  const tab = tabs.forEachTest(() => tabs.open(browser, gateway, { email: EMAIL, isExpected }));
  async function closePosition(id: string): Promise<void> {
    await bot.execute(`/positions/${id}/close`, { type: 'MARKET' });
  }
  return {
    ...{ gateway, bot, ...tab, closePosition },
    async closePositions() {
      for (const { id } of await bot.positions()) await closePosition(id);
    },
  };
}
