/** Parts shared by suites about the Trade screen: a gateway, a trader for each test, a watched tab, its parts. */
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from './browser.ts';
import type { DashboardPage } from './dashboard.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import { tabKeeper } from './kept-tab.ts';
import { untilPage } from './page-time.ts';
import { type Trader, trader } from './trader.ts';

export const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';

export interface TradeScreen {
  readonly gateway: TestGateway;
  readonly ada: Trader;
  readonly page: Page;
  goTo(screen: string): Promise<void>;
  /** Goes to a basket, and waits for its chart. */
  goToChart(link?: string): Promise<void>;
  /** `400 /trade/open`: what the test provokes, and the browser may complain about. */
  expectAnswers(...answers: readonly string[]): void;
  ticket(): Locator;
  /** Chooses the kind of order. */
  kind(name: string): Promise<void>;
  /** The newest of the sent orders. */
  card(): Locator;
  /** Waits until its card says so: `Filled`. The names of the steps on the way do not count. */
  cardSays(word: string): Promise<void>;
  chart(): Locator;
  /** Presses into it, below rather than above. Where the market is decides where lines are: not on the strip of one. */
  pressChart(picture?: Locator): Promise<void>;
  /** Opens the review sheet. */
  review(): Promise<Locator>;
  /** Presses Tab until the element with this name has the focus. */
  tabTo(name: RegExp): Promise<void>;
  /** Rows of a list of the gateway. */
  rows(path: string, list: string): Promise<Json[]>;
}

const FOCUSED = `(() => {
  const at = document.activeElement;
  return at === null ? '' : (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '');
})()`;

/** Call it in `describe`; the parts are there in each test. */
export function tradeScreen(): TradeScreen {
  const tabs = tabKeeper();
  let browser: Browser | undefined;
  let gateway: TestGateway | undefined;
  let users = 0;
  let parts: { readonly gateway: TestGateway; readonly ada: Trader; readonly tab: DashboardPage } | undefined;
  let expected: readonly string[] = [];

  before(async function () {
    this.timeout(180_000);
    browser = await launchChromium(this);
    gateway = await startTestGateway({ clock: null });
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });
  beforeEach(async () => {
    expected = [];
    if (browser === undefined || gateway === undefined) throw new Error('The suite has not begun');
    // A user of its own has no position, no order and no basket of the tests before.
    users += 1;
    const email = `ada-${users}@example.test`;
    const ada = await trader(gateway, { email });
    const tab = await tabs.open(browser, gateway, {
      email,
      isExpected: (status, path) => expected.includes(`${status} ${path}`),
    });
    parts = { gateway, ada, tab };
  });
  afterEach(() => gateway?.gateway.paperVenue('paper').setFaults({ rules: [] }));

  const there = () => {
    if (parts === undefined) throw new Error('The test has not begun');
    return parts;
  };
  const page = () => there().tab.page;
  const ticket = () => page().getByRole('form', { name: 'Ticket' });
  const chart = () => page().getByRole('img', { name: /^Chart of/ });
  const card = () => page().getByRole('region', { name: 'Sent orders' }).getByRole('article').first();
  return {
    get gateway() {
      return there().gateway;
    },
    get ada() {
      return there().ada;
    },
    get page() {
      return page();
    },
    goTo: (screen) => there().tab.goTo(screen),
    async goToChart(link = PAIR_LINK) {
      await there().tab.goTo(link);
      await chart().waitFor();
    },
    expectAnswers: (...answers) => {
      expected = answers;
    },
    ticket,
    kind: (name) => ticket().getByRole('radio', { name, exact: true }).click(),
    card,
    cardSays: (word) =>
      card()
        .getByRole('status')
        .filter({ hasText: new RegExp(`^${word}$`) })
        .waitFor(),
    chart,
    async pressChart(picture = chart()) {
      const { x, y, height } = (await picture.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      // Free with room around it: until it is pressed, the lines go on with the market.
      const free = await untilPage(page(), 'a place without a line', () =>
        page().evaluate<number | null>(
          `[0.75, 0.65, 0.55, 0.45, 0.35, 0.25].map((share) => ${y} + ${height} * share).find((y) => [-9, 0, 9].every((by) =>
            document.elementFromPoint(${x + 300}, y + by)?.closest('canvas') != null)) ?? null`,
        ),
      );
      await page().mouse.click(x + 300, free);
    },
    async review() {
      await ticket().getByRole('button', { name: 'Review' }).click();
      const sheet = page().getByRole('dialog');
      await sheet.waitFor();
      return sheet;
    },
    async tabTo(name) {
      for (let pressed = 0; pressed < 120; pressed += 1) {
        if (name.test(await page().evaluate<string>(FOCUSED))) return;
        await page().keyboard.press('Tab');
      }
      throw new Error(`Nothing called ${name} can be reached with Tab`);
    },
    rows: async (path, list) => (await there().ada.call('GET', path)).json[list],
  };
}
