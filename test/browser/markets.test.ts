/** The Markets screen on a real gateway: lists, filters, details, and a basket saved, changed, traded and deleted. */

import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser.ts';
import { buildDashboard, type DashboardPage, expectAccessible } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab, tabKeeper } from '../support/kept-tab.ts';
import { pageClock } from '../support/page-time.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';
import { until } from '../support/until.ts';

const EMAIL = 'ada@example.test';

describe('markets on the screen', function () {
  this.timeout(180_000);
  const tabs = tabKeeper();
  let browser: Browser;
  let gateway: TestGateway;
  let bot: Trader;
  let tab: DashboardPage;
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    await buildDashboard();
    gateway = await startTestGateway({ clock: null });
    bot = await trader(gateway, { email: EMAIL });
    expect((await bot.open(PAIR))['status']).to.equal('COMPLETED');
  });
  beforeEach(async () => {
    tab = await tabs.open(browser, gateway, {
      email: EMAIL,
      // A name that is taken is refused.
      isExpected: (status, path) => status === 400 && path === '/saved-baskets',
    });
    page = tab.page;
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });

  const table = (name: string) => page.getByRole('table', { name });
  const rowOf = (name: string, text: string) =>
    table(name).getByRole('row').filter({ hasText: text }).first();
  const saved = async (): Promise<Json[]> => (await bot.call('GET', '/saved-baskets')).json.savedBaskets;

  it('lists every pair once and reads only the pages that are looked at', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/markets/baskets' && searchParams.get('limit') === '100')
        asked.push(searchParams.get('offset') ?? '');
    });
    await tab.goTo('/markets');
    const first = table('Pairs').locator('[data-row="0"]');
    await first.getByText('BTC').waitFor();
    const { count } = (
      await gateway.request('GET', '/markets/baskets?connector=paper&limit=1&pairs=UNORDERED')
    ).json;
    expect(Number(await table('Pairs').getAttribute('aria-rowcount'))).to.equal(count + 1);
    // BTC against ETH was opened once, by one trader.
    const cells = first.getByRole('cell');
    await cells.nth(8).getByText('1', { exact: true }).waitFor();
    expect(await cells.nth(9).innerText()).to.equal('1');
    expect(await cells.nth(2).innerText()).to.match(/^[+−]?\d+\.\d\d\s%$/);
    await expectAccessible(page, 'pairs');
    // Of two figures of a day each says of what, and in a narrower window the way to trade stays in view.
    const names = await table('Pairs').getByRole('columnheader').allInnerTexts();
    expect(names).to.include.members(['Ratio 24 h', 'Weighted 24 h']);
    await page.setViewportSize({ width: 900, height: 700 });
    const trade = first.getByRole('button', { name: /^Trade / });
    await until(pageClock(page), 'Trade is in view', async () => {
      const box = await trade.boundingBox();
      return box !== null && box.x + box.width <= 900;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    expect([...new Set(asked)]).to.deep.equal(['0']);

    await first.focus();
    await page.keyboard.press('End');
    const last = table('Pairs').locator(`[data-row="${count - 1}"]`);
    await last.getByRole('button', { name: /^Trade / }).waitFor();
    const lastPage = String(Math.floor((count - 1) / 100) * 100);
    expect(asked).to.include(lastPage);
    expect(new Set(asked).size, 'pages that were read on the way to the end').to.be.at.most(5);
  });

  it('searches, filters by tradeability, and says when nothing matches', async () => {
    await tab.goTo('/markets/instruments');
    await rowOf('Instruments', 'BTC-PERP').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('doge');
    await rowOf('Instruments', 'BTC-PERP').waitFor({ state: 'detached' });
    await rowOf('Instruments', 'DOGE-PERP').waitFor();
    expect(await table('Instruments').locator('[data-row]').count()).to.equal(1);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('combobox', { name: 'Tradeability' }).click();
    await page.getByRole('option', { name: 'Reduce only' }).click();
    const { markets } = (await gateway.request('GET', '/markets?connector=paper&scope=reduce_only')).json;
    expect(markets.length).to.be.greaterThan(0);
    await rowOf('Instruments', markets[0].id).getByText('Reduce only').waitFor();
    expect(await table('Instruments').locator('[data-row]').count()).to.equal(markets.length);
    expect(await page.getByRole('button', { name: `Trade ${markets[0].symbol}` }).isDisabled()).to.equal(
      true,
    );
    await expectAccessible(page, 'instruments');
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
    await page.getByText('No instruments match').waitFor();
    await expectAccessible(page, 'nothing matches');
    await page.getByRole('button', { name: 'Show all tradable' }).click();
    await rowOf('Instruments', 'BTC-PERP').waitFor();
  });

  it('follows prices live', async () => {
    await tab.goTo('/markets/instruments');
    const price = rowOf('Instruments', 'BTC-PERP').getByRole('cell').nth(1);
    // With the decimals of its tick, which comes with the instruments.
    await price.getByText(/^[\d,]+\.\d$/).waitFor();
    const before = await price.innerText();
    await price.filter({ hasNotText: before }).waitFor();
  });

  itInFreshTab('shows a pair in detail and hands it to the Trade screen', async () => {
    await tab.goTo('/markets');
    await table('Pairs').locator('[data-row="0"]').getByText('BTC').waitFor();
    await table('Pairs').locator('[data-row="0"]').focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('img', { name: /^Chart of BTC \/ ETH/ }).waitFor();
    await drawer.getByRole('img', { name: /^Z-score of BTC \/ ETH, now / }).waitFor();
    const answer = await gateway.request(
      'GET',
      '/analytics/pair?connector=paper&long=BTC-PERP&short=ETH-PERP',
    );
    const figures = drawer.locator('dl');
    const [, correlation] = /Correlation\s+(−?[\d.]+)/.exec(await figures.innerText()) ?? [];
    // An hour may turn between the two looks.
    expect(Number(correlation?.replace('−', '-'))).to.be.closeTo(Number(answer.json.correlation), 0.02);
    for (const name of ['Z-score now', 'Beta', 'Hedge ratio', 'Half-life', 'Cointegration'])
      await figures.getByText(name, { exact: true }).waitFor();
    await drawer.getByRole('table', { name: 'Legs' }).getByText('ETH').waitFor();
    await expectAccessible(page, 'details of a pair');
    const looked = page.waitForResponse((response) => response.url().includes('lookback=90d'));
    await drawer.getByRole('radio', { name: '90d' }).click();
    await looked;
    await drawer.getByRole('button', { name: 'Trade this' }).click();
    await page.waitForURL('**/app/trade?long=BTC-PERP&short=ETH-PERP');
  });

  it('saves a basket, renames, edits and trades it, and deletes it', async () => {
    await tab.goTo('/markets/saved');
    await page.getByText('No saved baskets yet').waitFor();
    await expectAccessible(page, 'no saved baskets');
    await page.getByRole('button', { name: 'New basket' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^(New|Edit|Rename) basket$/ });
    const add = async (ticker: string) => {
      await dialog.getByRole('combobox', { name: 'Add a leg' }).fill(ticker);
      await page.getByRole('option', { name: `${ticker} ${ticker}-PERP` }).click();
      await dialog.getByRole('textbox', { name: `Weight of ${ticker}` }).waitFor();
    };
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('Must have 1 to 48 characters').waitFor();
    await dialog.getByText('A basket needs at least one leg').waitFor();
    await expectAccessible(page, 'an empty basket refused');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Majors');
    for (const ticker of ['BTC', 'DOGE', 'ETH']) await add(ticker);
    await dialog.getByText('Total 100 %').waitFor();
    await dialog.getByRole('textbox', { name: 'Weight of BTC' }).fill('40');
    await dialog.getByText('Total 115 %').waitFor();
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('The weights sum to 115 %, not 100 %').waitFor();
    await expectAccessible(page, 'weights that do not sum to 1');
    await dialog.getByRole('textbox', { name: 'Weight of BTC' }).fill('30.00');
    await dialog.getByRole('textbox', { name: 'Weight of ETH' }).fill('20');
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [made] = await saved();
    expect(made).to.deep.include({
      name: 'Majors',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.3 },
        { symbol: 'DOGE-PERP', side: 'SELL', weight: 0.5 },
        { symbol: 'ETH-PERP', side: 'BUY', weight: 0.2 },
      ],
    });

    // The same name once more is the gateway's no, beside the field; what was typed stays.
    await page.getByRole('button', { name: 'New basket' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('MAJORS');
    await add('SOL');
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('has this name already').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Weight of SOL' }).inputValue()).to.equal('100');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await rowOf('Saved baskets', 'Majors').getByRole('button', { name: 'More for Majors' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Minors');
    await expectAccessible(page, 'renaming');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await rowOf('Saved baskets', 'Minors').waitFor();

    await page.getByRole('button', { name: 'More for Minors' }).click();
    await page.getByRole('menuitem', { name: 'Edit legs' }).click();
    await dialog.getByRole('button', { name: 'Remove ETH' }).click();
    await dialog.getByText('Total 80 %').waitFor();
    await dialog.getByRole('button', { name: 'Scale to 100 %' }).click();
    await dialog.getByText('Total 100 %').waitFor();
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await saved())[0]).to.deep.include({
      name: 'Minors',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.375 },
        { symbol: 'DOGE-PERP', side: 'SELL', weight: 0.625 },
      ],
    });
    await expectAccessible(page, 'saved baskets');

    const { prices } = (await bot.call('GET', '/prices?connector=paper')).json;
    const moved = (id: string) => {
      const { mark, price24hAgo } = prices.find((price: Json) => price['id'] === id);
      return Math.log(Number(mark) / Number(price24hAgo));
    };
    const wanted = (Math.exp(0.375 * moved('BTC-PERP') - 0.625 * moved('DOGE-PERP')) - 1) * 100;
    const shownChange = rowOf('Saved baskets', 'Minors').locator('[data-name="Weighted 24 h"]');
    await until(pageClock(page), 'the change is of the weights of the basket', async () => {
      const text = (await shownChange.innerText()).replace('\u2212', '-');
      return Math.abs(Number.parseFloat(text) - wanted) < 0.1;
    });

    await page.getByRole('button', { name: 'Trade Minors' }).click();
    await page.waitForURL('**/app/trade?long=BTC-PERP&short=DOGE-PERP&weight=375000&weight=625000');
    const ticket = page.getByRole('form', { name: 'Ticket' });
    await ticket.getByRole('textbox', { name: /Notional/ }).fill('800');
    await ticket.getByRole('button', { name: 'Review' }).click();
    await page
      .getByRole('dialog', { name: 'Review the order' })
      .getByRole('button', { name: 'Place order' })
      .click();
    await page
      .getByRole('region', { name: 'Sent orders' })
      .getByRole('article')
      .first()
      .getByText('Filled', { exact: true })
      .waitFor();
    const held = await until(pageClock(page), 'the basket is held', async () =>
      (await bot.positions()).find(({ legs }) => legs.some(({ symbol }: Json) => symbol === 'DOGE-PERP')),
    );
    expect(held['legs'].map(({ symbol, side }: Json) => [symbol, side]).sort()).to.deep.equal([
      ['BTC-PERP', 'BUY'],
      ['DOGE-PERP', 'SELL'],
    ]);
    await tab.goTo('/markets/saved');
    await rowOf('Saved baskets', 'Minors').getByRole('cell').nth(3).getByText('1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More for Minors' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Minors”?' });
    await expectAccessible(page, 'deleting');
    await question.getByRole('button', { name: 'Delete basket' }).click();
    await page.getByText('No saved baskets yet').waitFor();
    expect(await saved()).to.deep.equal([]);
  });
});
