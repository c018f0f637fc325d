/** Parts shared by suites about the Trade screen: a gateway, a trader for each test, a watched tab, its parts. */
import type { Locator, Page } from 'playwright-core';
import { chromiumForSuite } from './browser.ts';
import { gatewayForSuite, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import { tabKeeper } from './kept-tab.ts';
import { openForEachTest } from './open-for-tests.ts';
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
  /** Reviews an order at market and sends it. */
  place(): Promise<void>;
  /** Rows of a list of the gateway. */
  rows(path: string, list: string): Promise<Json[]>;
}

/** Call it in `describe`; the parts stand for those of each test. */
export function tradeScreen(): TradeScreen {
  const tabs = tabKeeper();
  const browser = chromiumForSuite();
  const gateway = gatewayForSuite({ clock: null });
  let users = 0;
  let expected: readonly string[] = [];
  const email = () => `ada-${users}@example.test`;

  const ada = openForEachTest(() => {
    expected = [];
    // A user of its own has no position, no order and no basket of the tests before.
    users += 1;
    return trader(gateway, { email: email() });
  });
  const { page, goTo } = tabs.forEachTest(() =>
    tabs.open(browser, gateway, {
      email: email(),
      isExpected: (status, path) => expected.includes(`${status} ${path}`),
    }),
  );
  afterEach(() => gateway.gateway.paperVenue('paper').setFaults({ rules: [] }));

  const ticket = () => page.getByRole('form', { name: 'Ticket' });
  const chart = () => page.getByRole('img', { name: /^Chart of/ });
  const card = () => page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();
  async function review(): Promise<Locator> {
    await ticket().getByRole('button', { name: 'Review' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    return sheet;
  }
  return {
    ...{ gateway, ada, page, goTo, ticket, chart, card, review },
    async goToChart(link = PAIR_LINK) {
      await goTo(link);
      await chart().waitFor();
    },
    expectAnswers: (...answers) => {
      expected = answers;
    },
    kind: (name) => ticket().getByRole('radio', { name, exact: true }).click(),
    async place() {
      const sheet = await review();
      await sheet.getByRole('button', { name: 'Place order' }).click();
    },
    cardSays: (word) =>
      card()
        .getByRole('status')
        .filter({ hasText: new RegExp(`^${word}$`) })
        .waitFor(),
    async pressChart(picture = chart()) {
      const { x, y, height } = (await picture.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      // Free with room around it: until it is pressed, the lines go on with the market.
      const free = await untilPage(page, 'a place without a line', () =>
        page.evaluate<number | null>(
          `[0.75, 0.65, 0.55, 0.45, 0.35, 0.25].map((share) => ${y} + ${height} * share).find((y) => [-9, 0, 9].every((by) =>
            document.elementFromPoint(${x + 300}, y + by)?.closest('canvas') != null)) ?? null`,
        ),
      );
      await page.mouse.click(x + 300, free);
    },
    rows: async (path, list) => (await ada.call('GET', path)).json[list],
  };
}
