/** Parts shared by suites about one screen: a browser, the built dashboard, a gateway with one user, watched tabs. */
import type { Browser } from 'playwright-core';
import { launchChromium } from './browser.ts';
import type { DashboardOptions, DashboardPage } from './dashboard.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { tabKeeper } from './kept-tab.ts';

export const USER = 'ada@example.test';

export interface DashboardSuite {
  readonly browser: Browser;
  readonly gateway: TestGateway;
  /** Trade account that the user began with. */
  readonly accountId: string;
  /** Token of that user, for requests besides the page's. */
  readonly accessToken: string;
  /** Signed in, on this screen. What the tab does wrong fails the test at its end. */
  open(screen: string, options?: Omit<DashboardOptions, 'email'>): Promise<DashboardPage>;
}

/** Call it in `describe`; the parts are there from the first test on. */
export function dashboardSuite(options: TestGatewayOptions = {}): DashboardSuite {
  let browser: Browser | undefined;
  let gateway: TestGateway | undefined;
  let accountId = '';
  let accessToken = '';
  const tabs = tabKeeper();

  function there<T>(part: T | undefined): T {
    if (part === undefined) throw new Error('The suite has not begun');
    return part;
  }

  before(async function () {
    this.timeout(120_000);
    browser = await launchChromium(this);
    gateway = await startTestGateway({ clock: null, ...options });
    const user = await gateway.register(USER);
    accountId = user.tradeAccount.id;
    accessToken = user.accessToken;
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
  });

  return {
    get browser() {
      return there(browser);
    },
    get gateway() {
      return there(gateway);
    },
    get accountId() {
      return accountId;
    },
    get accessToken() {
      return accessToken;
    },
    async open(screen, tabOptions = {}) {
      const tab = await tabs.open(there(browser), there(gateway), { email: USER, ...tabOptions });
      await tab.goTo(screen);
      return tab;
    },
  };
}
