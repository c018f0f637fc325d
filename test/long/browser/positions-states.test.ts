/** Positions in the browser: names and ratios of baskets, isolated margin, menus, and a screen whose data load, fail, grow old and come back. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import {
  holdAnswers,
  pathIs,
  REQUEST_ID,
  refuseAnswers,
  switchableStream,
} from '../../support/dashboard-states.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { PAIR, usd } from '../../support/trader.ts';

describe('the positions screen, margin and states', function () {
  this.timeout(90_000);
  const suite = screenSuite(
    (status, path) => status === 409 || (status === 400 && path.startsWith('/positions/')),
  );
  const { bot, page } = suite;

  const rowOf = (text: string): Locator =>
    page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog').last();
  /** Rows and sums are one answer: without it there is no figure and no count, and no zero stands for one. */
  async function expectNothingKnown(): Promise<void> {
    const figures = [page.getByLabel('Account totals'), page.locator('header dl')];
    for (const list of figures) expect(await list.textContent()).to.not.match(/\d/);
    expect(await page.getByRole('tab', { name: /^Open/ }).textContent()).to.equal('Open');
    expect(await page.getByRole('tab', { name: /^Traded outside/ }).textContent()).to.equal(
      'Traded outside Tandem',
    );
  }
  const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  afterEach(suite.closePositions);

  it('names every leg of a large basket, in its row beside another with brackets and over its drawer', async () => {
    await bot.open(PAIR);
    const [{ id }] = await bot.positions();
    await bot.call('PUT', `/positions/${id}/brackets`, { takeProfit: { type: 'PERCENTAGE', value: '5' } });
    const six = ['LINK', 'AVAX', 'DOGE', 'XRP', 'ADA', 'LTC'];
    await bot.open(six.map((name, index) => usd(name, index < 3 ? 'BUY' : 'SELL', '300')));
    await suite.goTo('/positions');
    const cut = async (within: Locator) => {
      const found: boolean[] = [];
      for (const side of await within.locator('[class*=side]').all())
        found.push(await side.evaluate((one) => one.scrollWidth > one.clientWidth));
      return found;
    };
    await rowOf('ETH').getByText('TP').waitFor();
    await rowOf('LINK').waitFor();
    expect(await cut(rowOf('LINK'))).to.deep.equal([false, false]);
    await rowOf('LINK').click();
    await dialog().getByText('Weighted ratio now', { exact: true }).first().waitFor();
    const title = dialog().getByRole('heading').first();
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await cut(title), `${width}`).to.deep.equal([false, false]);
    }
    // From seven legs on their number, and the largest; the rest is in its title and its legs, sorted as one likes.
    await page.keyboard.press('Escape');
    await bot.open([...six, 'SOL'].map((name, at) => usd(name, at < 3 ? 'BUY' : 'SELL', `${300 + at * 10}`)));
    const large = rowOf('3 long / 4 short');
    await large.getByText('DOGE, AVAX … / SOL, LTC …', { exact: true }).waitFor();
    await large.getByTitle('LINK + AVAX + DOGE / XRP + ADA + LTC + SOL').waitFor();
    await large.getByRole('button', { name: /^Details/ }).click();
    const legs = page.getByRole('table', { name: 'Legs' });
    const first = () => legs.locator('tr[data-row]').first().getAttribute('data-row');
    await legs.getByRole('button', { name: 'Weight / target' }).click();
    await legs.locator('th[aria-sort=descending]').waitFor();
    expect(await first()).to.equal('SOL-PERP');
    await legs.getByRole('button', { name: 'Weight / target' }).click();
    await legs.locator('th[aria-sort=ascending]').waitFor();
    expect(await first()).to.equal('LINK-PERP');
  });

  it('has one weighted ratio of a position, in the chart of its drawer and where a TWAP or a trigger closes it', async () => {
    // So small that whole steps of quantity are far from a half each.
    await bot.open([usd('BTC', 'BUY', '23'), usd('ETH', 'SELL', '23')]);
    const [{ id, markRatio, legs }] = await bot.positions();
    const near = (text: string | null) =>
      expect(Number(/[\d.]+/.exec(text ?? '')?.[0])).to.be.closeTo(Number(markRatio), markRatio * 0.005);
    await suite.goTo(`/positions/${id}`);
    const [asked] = await Promise.all([
      page.waitForRequest((one) => one.url().includes('metric=WEIGHTED_RATIO')),
      dialog().getByRole('radio', { name: 'Weighted ratio' }).click(),
    ]);
    const [long] = legs;
    const whole = legs.reduce((sum: number, leg: Json) => sum + leg.quantity * leg.entryPrice, 0);
    const weights = new URL(asked.url()).searchParams.getAll('weights').flatMap((one) => one.split(','));
    expect(Number(weights[0])).to.be.closeTo((long.quantity * long.entryPrice) / whole, 1e-5);
    await button('Close position').click();
    await dialog().getByRole('radio', { name: 'TWAP' }).click();
    near(await button(/^Now \d/).textContent());
    await dialog().getByRole('radio', { name: 'Trigger' }).click();
    await dialog().getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'Weighted ratio' }).click();
    near(await button(/^Now \d/).textContent());
  });

  it('adds margin to an isolated leg, and takes it out again', async () => {
    await bot.call('PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 5, marginMode: 'isolated' });
    await bot.open([usd('SOL', 'BUY', '500')]);
    const margin = async () => Number((await bot.positions())[0]?.marginUsed);
    const before = await margin();
    await suite.goTo('/positions');
    await rowOf('SOL')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page, 'menu of a position');
    await page.getByRole('menuitem', { name: /margin/ }).click();
    await dialog().getByLabel('Amount').waitFor();
    await expectAccessible(page, 'margin dialog');
    // Margin of the leg, available amount of the account, and amount that the venue would release.
    const had = await dialog()
      .locator('dl > div')
      .filter({ hasText: /^Margin/ })
      .locator('dd')
      .textContent();
    expect(Number(had?.replace(/[$,]/g, ''))).to.be.closeTo(before, 5);
    await dialog()
      .getByText(/^\$[\d,]{5,}\.\d\d of the account is free$/)
      .waitFor();
    await dialog().getByText('Take out', { exact: true }).click();
    await dialog()
      .getByText(/^About \$\d+\.\d\d at most: 5× needs the rest$/)
      .waitFor();
    await dialog().getByText('Add', { exact: true }).click();
    await button('Add margin').click();
    await dialog().getByText('Needed').waitFor();
    await dialog().getByLabel('Amount').fill('20');
    await button('Add margin').click();
    await dialog().waitFor({ state: 'detached' });
    await untilPage(page, 'margin was added', async () => (await margin()) > before + 15);

    await rowOf('SOL')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: /margin/ }).click();
    await dialog().getByRole('radio', { name: 'Take out' }).click();
    // More than there is: refused by the gateway, and still there to be corrected.
    await dialog().getByLabel('Amount').fill('90000');
    await button('Take margin out').click();
    await dialog().getByRole('alert').or(dialog().locator('[class*="error"]')).first().waitFor();
    await expectAccessible(page, 'margin dialog, refused');
    expect(await dialog().getByLabel('Amount').inputValue()).to.equal('90000');
    await dialog().getByLabel('Amount').fill('10');
    await button('Take margin out').click();
    await dialog().waitFor({ state: 'detached' });
    await untilPage(page, 'margin was taken out', async () => (await margin()) < before + 15);
  });

  it('shows where rows will be while they are on their way', async () => {
    const release = await holdAnswers(page, pathIs('/portfolio'));
    await suite.goTo('/positions');
    await page.locator('[role=status] [class*=bar]').first().waitFor();
    await expectNothingKnown();
    await expectAccessible(page, 'loading');
    release();
    await page.getByText('No open positions').waitFor();
    await page.getByRole('tab', { name: /^Traded outside Tandem\s*0$/ }).waitFor();
    await page.getByLabel('Account totals').getByText('$0.00').first().waitFor();
  });

  it('says what went wrong with a request id to copy, and tries again when asked', async () => {
    await refuseAnswers(page, pathIs('/portfolio'));
    await suite.goTo('/positions');
    await page.getByText('The account may not be read').waitFor();
    await page.getByText(REQUEST_ID).waitFor();
    await page.getByRole('button', { name: 'Copy request id' }).waitFor();
    await expectNothingKnown();
    await expectAccessible(page, 'error');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No open positions').waitFor();
  });

  itInFreshTab('dims while the stream is lost, and then shows what happened meanwhile', async () => {
    const stream = await switchableStream(page);
    await bot.open(PAIR);
    await suite.goTo('/positions');
    await rowOf('ETH').waitFor();
    await page.getByText('Live data').waitFor();
    await stream.cut();
    await page.locator('.stale').first().waitFor();
    await firstSeen(page.getByText(/^Stale \d+ s$/));
    await expectAccessible(page, 'stale');
    await suite.closePositions();
    await bot.open([usd('LINK', 'SELL', '300')]);
    let snapshots = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/portfolio') snapshots += 1;
    });
    stream.mend();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    await rowOf('LINK').waitFor();
    await rowOf('ETH').waitFor({ state: 'detached' });
    await untilPage(page, 'a snapshot is read', async () => snapshots > 0);
  });

  it('finds its way with the keyboard: rows, legs, the drawer and back', async () => {
    await bot.open(PAIR);
    await suite.goTo('/positions');
    await rowOf('ETH').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Legs' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('table', { name: 'Legs' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await dialog().getByRole('tab', { name: 'Chart' }).waitFor();
    await expectAccessible(page, 'drawer');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('shows sums as the gateway sends them, digit by digit', async () => {
    await bot.open([usd('SOL', 'BUY', '500')]);
    const { json } = await bot.call('GET', '/portfolio?includeDay=true&includeHoldings=true');
    // More digits than a float holds.
    for (const position of json.holdings.positions) position.grossNotional = '12345678901234567.89';
    await page.route(pathIs('/portfolio'), (route) => route.fulfill({ json }));
    await suite.goTo('/positions');
    await rowOf('SOL').getByText('$12,345,678,901,234,567.89').waitFor();
  });
});
