/** Markets: lists, filters, prices that move, and the details of a pair. */
import { expect } from 'chai';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { untilPage } from '../support/page-time.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { PAIR } from '../support/trader.ts';

describe('markets on the screen', function () {
  this.timeout(180_000);
  // A name that is taken is refused.
  const suite = screenSuite((status, path) => status === 400 && path === '/saved-baskets');
  const { bot, gateway, page } = suite;

  before(async () => {
    expect((await bot.open(PAIR))['status']).to.equal('COMPLETED');
  });

  const table = (name: string) => page.getByRole('table', { name });
  const rowOf = (name: string, text: string) =>
    table(name).getByRole('row').filter({ hasText: text }).first();

  it('lists every pair once and reads only the pages that are looked at @long', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/markets/baskets' && searchParams.get('limit') === '100')
        asked.push(searchParams.get('offset') ?? '');
    });
    await suite.goTo('/markets');
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
    // Each of two 24 h figures names its ratio. In a narrower window the Trade button stays in view.
    const names = await table('Pairs').getByRole('columnheader').allInnerTexts();
    expect(names).to.include.members(['Ratio 24 h', 'Weighted 24 h']);
    await page.setViewportSize({ width: 900, height: 700 });
    const trade = first.getByRole('button', { name: /^Trade / });
    await untilPage(page, 'Trade is in view', async () => {
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

  it('searches, filters by tradeability, and says when nothing matches @long', async () => {
    await suite.goTo('/markets/instruments');
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
    await expectAccessibleWhenLong(page, 'nothing matches');
    await page.getByRole('button', { name: 'Show all tradable' }).click();
    await rowOf('Instruments', 'BTC-PERP').waitFor();
  });

  it('follows prices live @long', async () => {
    await suite.goTo('/markets/instruments');
    const price = rowOf('Instruments', 'BTC-PERP').getByRole('cell').nth(1);
    // With the decimals of its tick, which comes with the instruments.
    await price.getByText(/^[\d,]+\.\d$/).waitFor();
    const before = await price.innerText();
    await price.filter({ hasNotText: before }).waitFor();
  });

  itInFreshTab('shows a pair in detail and hands it to the Trade screen', async () => {
    await suite.goTo('/markets');
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
});
