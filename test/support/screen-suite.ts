/** Parts shared by suites about one screen: one gateway with a trader, and one watched tab, reset for each test. */
import type { Browser, Page } from 'playwright-core';
import { type Expected, launchChromium } from './browser.ts';
import type { DashboardPage } from './dashboard.ts';
import type { TestGatewayOptions } from './gateway.ts';
import { tabKeeper } from './kept-tab.ts';
import { type SeededGateway, startSeededGateway } from './seeded-gateway.ts';
import { type Trader, trader } from './trader.ts';

const EMAIL = 'ada@example.test';

export interface ScreenSuite {
  readonly gateway: SeededGateway;
  /** The user who is signed in, on its first account. */
  readonly bot: Trader;
  readonly page: Page;
  goTo(screen: string): Promise<void>;
}

/**
 * Call it in `describe`; the parts are there in each test.
 * @param isExpected answers that the tests provoke, and the browser may complain about
 */
export function screenSuite(
  isExpected: Expected = () => false,
  options: TestGatewayOptions = {},
): ScreenSuite {
  const tabs = tabKeeper();
  let browser: Browser | undefined;
  let gateway: SeededGateway | undefined;
  let bot: Trader | undefined;
  let tab: DashboardPage | undefined;

  function there<T>(part: T | undefined): T {
    if (part === undefined) throw new Error('The suite has not begun');
    return part;
  }

  before(async function () {
    this.timeout(180_000);
    browser = await launchChromium(this);
    gateway = await startSeededGateway({ clock: null, ...options });
    bot = await trader(gateway, { email: EMAIL });
  });
  beforeEach(async () => {
    tab = await tabs.open(there(browser), there(gateway), { email: EMAIL, isExpected });
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });

  return {
    get gateway() {
      return there(gateway);
    },
    get bot() {
      return there(bot);
    },
    get page() {
      return there(tab).page;
    },
    goTo: (screen) => there(tab).goTo(screen),
  };
}
