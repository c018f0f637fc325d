/** Positions in the browser: closing in whole and in part, take-profit and stop-loss, by mouse and by keyboard alone. */

import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/browser.ts';
import { buildDashboard, type DashboardPage, expectAccessible } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab, tabKeeper } from '../support/kept-tab.ts';
import { pageClock } from '../support/page-time.ts';
import { figureOf, zOfRatio } from '../support/ratio-z.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const EMAIL = 'ada@example.test';

describe('the positions screen', function () {
  this.timeout(90_000);
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
  });
  beforeEach(async () => {
    // What a refused form is answered with, the browser calls an error.
    tab = await tabs.open(browser, gateway, {
      email: EMAIL,
      isExpected: (status, path) => status === 400 && path.startsWith('/positions/'),
    });
    page = tab.page;
  });
  afterEach(async () => {
    for (const { id } of await bot.positions()) await closed(id);
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });

  async function closed(id: string): Promise<void> {
    const { json } = await bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' });
    await bot.ended(json.execution.id);
  }
  async function openPair(): Promise<Json> {
    await bot.open(PAIR);
    const [position] = await bot.positions();
    return position;
  }
  const table = () => page.getByRole('table', { name: 'Open positions' });
  const rowOf = (text: string): Locator => table().locator('tr[data-row]').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog').last();
  const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  async function fromMenu(row: Locator, item: RegExp): Promise<void> {
    await row.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await dialog().waitFor();
  }

  itInFreshTab('has the columns that were chosen, in any width and after a reload', async () => {
    await openPair();
    await tab.goTo('/positions');
    await rowOf('BTC').waitFor();
    const heads = async () => {
      const names: string[] = [];
      for (const head of await table().locator('thead th').all())
        if (await head.isVisible())
          names.push((await head.getAttribute('aria-label')) ?? (await head.innerText()));
      return names.map((name) => name.trim()).filter((name) => name !== '');
    };
    expect(await heads())
      .to.include.members(['24 h', 'Entry price ratio', 'Net PnL'])
      .and.not.include('Funding');
    // What a press on a heading would do is seen before it, and what it did after.
    const heading = table().getByRole('button', { name: 'Size', exact: true });
    const arrow = () =>
      page.evaluate<string>(`getComputedStyle(
        [...document.querySelectorAll('th button')].find((one) => one.textContent === 'Size').querySelector('svg'),
      ).opacity`);
    expect(await arrow()).to.equal('0');
    await heading.focus();
    await page.keyboard.press('Shift');
    expect(await arrow()).to.equal('1');
    await heading.press('Enter');
    expect(await table().locator('th[aria-sort]').innerText()).to.equal('Size');
    await page.mouse.move(0, 0);
    expect(await arrow()).to.equal('1');
    await heading.press('Enter');
    await heading.press('Enter');
    expect(await table().locator('th[aria-sort]').count()).to.equal(0);
    const chooser = page.getByRole('button', { name: 'Columns of Open positions' });
    await chooser.press('Enter');
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    expect(await box('24 h').isChecked()).to.equal(true);
    await box('24 h').press('Space');
    expect(await box('Funding').isChecked()).to.equal(false);
    await box('Funding').click();
    await expectAccessible(page, 'columns to choose');
    await page.keyboard.press('Escape');
    const chosen = async () =>
      expect(await heads())
        .to.include('Funding')
        .and.not.include('24 h');
    await chosen();
    await page.reload();
    await rowOf('BTC').waitFor();
    await chosen();
    await chooser.click();
    await page.getByRole('button', { name: 'Automatic' }).click();
    expect(await heads())
      .to.include('24 h')
      .and.not.include('Funding');
    // Those that are chosen make the table wider than its place: what has no room there is still not ticked.
    for (const name of [
      'Funding',
      'Realised',
      'Age',
      'SL to TP',
      'Price ratio now',
      'Entry price ratio',
      '24 h',
    ]) {
      await box(name).uncheck();
      await box(name).check();
    }
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 900, height: 800 });
    await chooser.click();
    const ticked = await page.evaluate<string[]>(`[...document.querySelectorAll('[popover] input')]
      .filter((one) => one.checkVisibility() && one.checked).map((one) => one.labels[0].textContent)`);
    // The list is of the width at which it opened: another one ends it.
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('button', { name: 'Automatic' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 900, height: 800 });
    const shown = (await heads()).filter((name) => name !== 'Basket');
    expect(shown, 'the table is too wide').to.include('Age').and.not.include('Margin');
    expect(ticked).to.have.members(shown);
  });

  it('says what to do when nothing is open', async () => {
    await tab.goTo('/positions');
    await page.getByText('No open positions').waitFor();
    expect(await page.getByRole('link', { name: 'Build a basket' }).getAttribute('href')).to.equal(
      '/app/trade',
    );
    await expectAccessible(page, 'empty');
  });

  it('shows each basket with its legs, and a new one without being asked', async () => {
    await openPair();
    await tab.goTo('/positions');
    await rowOf('ETH').waitFor();
    await expectAccessible(page, 'one position');
    await rowOf('ETH').getByRole('button', { name: 'Details' }).click();
    const legs = page.getByRole('table', { name: 'Legs' });
    await legs.waitFor();
    expect(await legs.locator('tr[data-row]').count()).to.equal(2);
    await expectAccessible(page, 'legs');
    await bot.open([usd('SOL', 'BUY', '300')]);
    await rowOf('SOL').waitFor();
  });

  it('shows what was traded outside, until a close takes it in, and which fills are no trades', async () => {
    const { id } = await openPair();
    // With a second basket in it, nothing but a close tells whose the trade is.
    await bot.open([usd('BTC', 'BUY', '300')]);
    await tab.goTo('/positions/past-tandem');
    await page.getByText('Nothing was traded past Tandem').waitFor();
    const section = page.getByRole('table', { name: 'Holdings past Tandem' });
    expect(await section.count()).to.equal(0);
    const order = { symbol: 'BTC-PERP', side: 'SELL', quantity: '0.002' };
    await bot.call('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
    const row = section.locator('tr[data-row]');
    await row.getByText('Past Tandem').waitFor();
    // Exposure counts it as the margin does, and says how much of it that is.
    const gross = page
      .getByLabel('Risk')
      .locator('div')
      .filter({ hasText: /^Gross/ });
    await gross.getByText(/^\$[\d,.]+ past Tandem$/).waitFor();
    // Its name and its digits come with the instruments.
    await row.getByText('0.00200', { exact: true }).waitFor();
    expect((await row.locator('td').allTextContents()).slice(0, 3)).to.deep.equal([
      'BTC',
      '▼Short',
      '0.00200',
    ]);
    await page.getByText(/^Traded at the venue itself/).waitFor();
    expect(await page.getByText(/^Remained of a closed basket/).count()).to.equal(0);
    await expectAccessible(page, 'in no basket');

    await closed(id);
    await section.waitFor({ state: 'detached' });
    await tab.goTo('/history/fills');
    const fills = page.getByRole('table', { name: 'Fills' });
    await fills.getByText('Closed past Tandem').first().waitFor();
    await expectAccessible(page, 'fills with a cause');
    await tab.goTo(`/positions/${id}`);
    await dialog().getByRole('tab', { name: 'Fills' }).click();
    await dialog().getByText('Closed past Tandem').waitFor();
  });

  it('adds up by instrument what baskets share, and leads to them', async () => {
    const { id } = await openPair();
    await bot.open([usd('BTC', 'SELL', '2500')]);
    const held = await bot.positions();
    const quantity = (side: string) =>
      held
        .flatMap(({ legs }) => legs)
        .filter((leg: Json) => leg.ticker === 'BTC' && leg.side === side)
        .reduce((sum: number, leg: Json) => sum + Number(leg.quantity), 0);
    await tab.goTo('/positions/by-instrument');
    const list = page.getByRole('table', { name: 'By instrument' });
    const row = list.locator('tr[data-row="BTC-PERP"]');
    await row.waitFor();
    await expectAccessible(page, 'by instrument');
    /** All of one moment: texts of a row by column, and what stands above the rows. */
    const seen = await page.evaluate<Readonly<Record<string, Readonly<Record<string, string>>>>>(`(() => {
      const table = document.querySelector('table[aria-label="By instrument"]');
      const cells = (row) => Object.fromEntries([...row.cells].map((cell) => [cell.dataset.name, cell.textContent]));
      const strip = [...document.querySelectorAll('[aria-label=Risk] > div')];
      return {
        BTC: cells(table.querySelector('tr[data-row="BTC-PERP"]')),
        ETH: cells(table.querySelector('tr[data-row="ETH-PERP"]')),
        total: cells(table.querySelector('tfoot tr')),
        strip: Object.fromEntries(strip.map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent])),
      };
    })()`);
    const figure = (text = '') => Number(text.replace('\u2212', '-').replaceAll(/[$,]/g, ''));
    const { BTC = {}, ETH = {}, total = {}, strip = {} } = seen;
    expect(figure(BTC['Long qty'])).to.be.closeTo(quantity('BUY'), 1e-9);
    expect(figure(BTC['Short qty'])).to.be.closeTo(quantity('SELL'), 1e-9);
    // Each figure is rounded for itself.
    for (const name of ['Long − short', 'Gross', 'Unrealised'])
      expect(figure(BTC[name]) + figure(ETH[name]), name).to.be.closeTo(figure(total[name]), 0.02);
    expect(total['Gross']).to.equal(strip['Gross']);
    expect(total['Long − short']).to.equal(strip['Net, long − short']);
    expect(BTC['Baskets']).to.match(/^2/);
    await row.getByRole('button', { name: /^Details/ }).click();
    const parts = page.getByRole('table', { name: 'Baskets with BTC' });
    expect(await parts.locator('tr[data-row]').count()).to.equal(2);
    await expectAccessible(page, 'baskets of an instrument');
    await row.getByRole('link', { name: /ETH/ }).click();
    await dialog().waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/app/positions/${id}`);

    let liquidationPrice: string | null = '9999999';
    await page.route('**/portfolio?*', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { json } = await bot.call('GET', pathname + search);
      const legs = (json.holdings?.positions ?? []).flatMap((one: Json) => one.legs);
      for (const leg of legs) leg.liquidationPrice = liquidationPrice;
      const unknown = liquidationPrice === null ? { equity: null, balance: null, deposits: null } : {};
      await route.fulfill({ json: { ...json, ...unknown } });
    });
    // From ten times the price on the figure says nothing, in either column.
    await tab.goTo('/positions/by-instrument');
    for (const name of ['Liquidation alone', 'To liquidation alone'])
      await row
        .locator(`[data-name="${name}"]`)
        .getByTitle(/^At 9,999,999(\.0+)?, every other price as it is$/)
        .getByText('far (>10×)', { exact: true })
        .waitFor();
    // Of a venue that does not answer nobody knows whether anything liquidates.
    liquidationPrice = null;
    await tab.goTo('/positions/by-instrument');
    await row.getByText('Not known while the venue does not answer').first().waitFor();
    expect(await list.getByText(/no price/).count()).to.equal(0);
    await page.unrouteAll();
  });

  it('closes a position', async () => {
    const { id } = await openPair();
    await tab.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByText('Share of the position').waitFor();
    await expectAccessible(page, 'close dialog');
    await button('Close position').click();
    await page.getByText('No open positions').waitFor();
    expect((await bot.call('GET', `/positions/${id}`)).json.status).to.equal('CLOSED');
    // What is not held is not far from liquidation.
    await tab.goTo(`/positions/${id}`);
    await dialog().getByTitle('Nothing of it is held').first().waitFor();
    expect(await dialog().getByTitle('Nothing of it is held').count()).to.equal(2);
    expect(await dialog().getByRole('region', { name: 'Legs' }).innerText()).not.to.contain('far');
  });

  it('closes several after one question, and says of each what became of it', async () => {
    await openPair();
    for (const symbol of ['SOL', 'LINK', 'AVAX']) await bot.open([usd(symbol, 'BUY', '300')]);
    const held = async () => (await bot.positions()).map(({ legs }) => legs[0].ticker).sort();
    const [refused] = (await bot.positions()).filter(({ legs }) => legs[0].ticker === 'LINK');
    await page.route(`**/positions/${refused.id}/close`, (route) =>
      route.fulfill({
        status: 400,
        json: {
          message: 'LINK cannot be traded now',
          errorCode: 'VALIDATION_ERROR',
          details: [],
          timestamp: '2026-01-31T12:00:00.000Z',
        },
      }),
    );
    await tab.goTo('/positions');
    // `/` leaves some of the rows, and the sums are of those.
    await rowOf('SOL').press('/');
    await page.keyboard.type('sol');
    await table().locator('tfoot').getByText('1 of 4 baskets', { exact: true }).waitFor();
    expect(await table().locator('tr[data-row]').count()).to.equal(1);
    const filter = page.getByRole('searchbox', { name: 'Filter' });
    await filter.fill('api key btc/eth');
    await rowOf('BTC').waitFor();
    await filter.fill('nobody');
    await page.getByText('No position passes the filter').waitFor();
    await expectAccessible(page, 'nothing passes the filter');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await table().locator('tfoot').getByText('4 baskets', { exact: true }).waitFor();
    // By the keyboard: the focused row is chosen by its key, and what is chosen by then by Enter too.
    await rowOf('SOL').press('x');
    await rowOf('LINK').press('Enter');
    await rowOf('AVAX').getByRole('checkbox').check();
    await rowOf('AVAX').getByRole('checkbox').uncheck();
    await rowOf('BTC')
      .locator('td')
      .last()
      .click({ position: { x: 2, y: 4 } });
    await expectAccessible(page, 'some are chosen');
    await page.getByRole('button', { name: 'Close 3…' }).press('Enter');
    const asked = await dialog().getByRole('row').allInnerTexts();
    expect(asked.slice(1, -1).map((text) => text.split(/\s/)[0])).to.have.members(['BTC', 'LINK', 'SOL']);
    expect(asked.at(-1)).to.match(/^3 positions\s+\$2,(59|60)\d/);
    // Expected slippage and fees of each, as the close of one says them, and of all. What is better than mark is a gain.
    let costs: number[][] = [];
    await until(pageClock(page), 'costs of each and of all', async () => {
      const rows = (await dialog().getByRole('row').allInnerTexts()).slice(1);
      costs = rows.flatMap((text) => {
        const found =
          /(?:≈\s\$(?<cost>[\d.]+)\s(?<side>better|worse)\s+than mark, [\d.]+\s%|at the mark)\s+−?\$(?<fee>[\d.]+)$/s.exec(
            text,
          );
        if (found === null) return [];
        const { cost = '0', side, fee } = found.groups ?? {};
        return [[Number(cost) * (side === 'better' ? -1 : 1), Number(fee)]];
      });
      return costs.length === 4;
    });
    for (const column of [0, 1]) {
      const [together = 0, ...each] = costs.map((row) => row[column] ?? 0).reverse();
      const sum = each.reduce((before, cost) => before + cost, 0);
      expect(together).to.be.closeTo(sum, 0.03);
    }
    await expectAccessible(page, 'closing several');
    // Costs that are not read any more, now and when it is asked about again, are no costs of now, and have no sum.
    const plans = '**/positions/*/close/plan';
    await page.route(plans, (route) => {
      const refused = { message: 'No books', errorCode: 'VALIDATION_ERROR', details: [] };
      return route.fulfill({ status: 400, json: { ...refused, timestamp: '2026-01-31T12:00:00.000Z' } });
    });
    const old = dialog()
      .locator('tbody tr')
      .filter({ has: page.locator('td.stale') });
    const total = dialog().locator('tfoot');
    await until(
      pageClock(page),
      'costs of before',
      async () => (await old.count()) === 3 && !/≈|at the mark/.test(await total.innerText()),
    );
    await expectAccessible(page, 'closing several at costs of before');
    await button('Back').click();
    await page.getByRole('button', { name: 'Close 3…' }).press('Enter');
    await until(
      pageClock(page),
      'costs of before again',
      async () => (await old.count()) === 3 && !/≈|at the mark/.test(await total.innerText()),
    );
    await page.unroute(plans);
    await until(
      pageClock(page),
      'costs of now',
      async () => (await old.count()) === 0 && /≈|at the mark/.test(await total.innerText()),
    );
    await button('Close 3 positions').click();
    await dialog().getByText('2 of 3 were sent').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'BTC' }).getByText('Filled').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'SOL' }).getByText('Filled').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'LINK' }).getByText('Not closed: ').waitFor();
    await expectAccessible(page, 'several were closed');
    expect(await held()).to.deep.equal(['AVAX', 'LINK']);
    await button('Done').click();
    await dialog().waitFor({ state: 'detached' });

    await page.unrouteAll();
    await page.getByRole('button', { name: 'Select' }).click();
    await page.getByRole('button', { name: 'All 2 of this account' }).click();
    await page.getByRole('button', { name: 'Close 2…' }).click();
    await button('Close 2 positions').click();
    await dialog().getByText('All 2 were sent').waitFor();
    await until(pageClock(page), 'all are closed', async () => (await held()).length === 0);
  });

  it('closes a quarter of it, and refuses what is no share without losing it', async () => {
    const before = await openPair();
    await tab.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    const share = dialog().getByLabel('Share of the position');
    await share.fill('120');
    await button('Close 120 %').click();
    await dialog().getByText('Must be at most 1').waitFor();
    await expectAccessible(page, 'close dialog with an error');
    expect(await share.inputValue()).to.equal('120');
    await button('25 %').click();
    await button('Close 25 %').click();
    await dialog().waitFor({ state: 'detached' });
    await until(pageClock(page), 'less of it is held', async () => {
      const [after] = await bot.positions();
      return Number(after.legs[0].quantity) < Number(before.legs[0].quantity) * 0.76;
    });
    const [after] = await bot.positions();
    expect(Number(after.legs[0].quantity)).to.be.above(Number(before.legs[0].quantity) * 0.74);
  });

  it('lets a close wait: in slices, and for a condition', async () => {
    await openPair();
    await tab.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByRole('radio', { name: 'Trigger' }).click();
    await expectAccessible(page, 'close by trigger');
    await dialog().getByLabel('Level').fill('1000');
    await button('Set trigger').click();
    await dialog().waitFor({ state: 'detached' });
    const { json: triggers } = await bot.call('GET', '/triggers?status=ACTIVE');
    expect(triggers.triggers.map(({ kind, condition }: Json) => [kind, condition.value])).to.deep.equal([
      ['CLOSE', '1000'],
    ]);
    await bot.call('POST', '/triggers/cancel-all');

    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByRole('radio', { name: 'TWAP' }).click();
    await expectAccessible(page, 'close by TWAP');
    await dialog().getByLabel('Duration').fill('5');
    await dialog()
      .getByText(/^5 slices of about \$[\d.]+, the last after 4 min$/)
      .waitFor();
    await button('Start closing').click();
    await dialog().waitFor({ state: 'detached' });
    const { json: schedules } = await bot.call('GET', '/schedules?status=ACTIVE');
    expect(schedules.schedules.map(({ kind, sliceCount }: Json) => [kind, sliceCount])).to.deep.equal([
      ['CLOSE', 5],
    ]);
    await bot.call('POST', `/schedules/${schedules.schedules[0].id}/cancel`);
    await until(
      pageClock(page),
      'nothing is on its way',
      async () =>
        (await bot.call('GET', '/executions?status=ACTIVE&includeSchedule=true')).json.executions.length ===
        0,
    );
  });

  /** In any width all of it is in view, and nothing lies over it. */
  async function seenWhole(ofPage: () => readonly Locator[]): Promise<void> {
    for (const width of [1920, 400, 640, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const one of ofPage()) {
        const isSeen = () =>
          one.evaluate((at, px) => {
            // Each time: what is laid out anew may push it out of view again.
            at.scrollIntoView({ block: 'center' });
            const { left, right, top, bottom } = at.getBoundingClientRect();
            const { documentElement } = at.ownerDocument;
            return (
              documentElement.clientWidth === px &&
              [left + 2, right - 2].every((x) =>
                at.contains(at.ownerDocument.elementFromPoint(x, (top + bottom) / 2)),
              )
            );
          }, width);
        await until(pageClock(page), `${one} in view at ${width}`, isSeen);
      }
    }
  }

  it('says in its row and in full what else works on a position, and leads there', async () => {
    const { id } = await openPair();
    const close = { durationSeconds: 300, intervalSeconds: 60, type: 'TWAP', fraction: '0.5' };
    const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000' };
    const { json: twap } = await bot.call('POST', `/positions/${id}/close`, close);
    for (const fraction of ['0.5', '1'])
      await bot.call('POST', `/positions/${id}/close`, { type: 'TRIGGER', fraction, condition });
    const ladder = { metric: 'PRICE_RATIO', direction: 'LESS_THAN', start: '20', end: '10', levels: 3 };
    const { status, text } = await bot.call('POST', '/ladders', {
      ...ladder,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
      legs: PAIR,
    });
    expect(status, text).to.equal(200);
    await tab.goTo('/positions');
    const twapIn = (place: Locator) => place.getByRole('link', { name: /^TWAP \d\/5, BTC / });
    await seenWhole(() => [
      twapIn(rowOf('BTC')),
      rowOf('BTC').getByRole('link', { name: /^\+3: 2 triggers/ }),
    ]);
    await twapIn(rowOf('BTC'))
      .getByText(/^TWAP \d\/5$/)
      .waitFor();
    await expectAccessible(page, 'a position with what works on it');
    await twapIn(rowOf('BTC')).press('Enter');
    await page.getByRole('tab', { name: /^TWAP/, selected: true }).waitFor();

    await tab.goTo(`/positions/${id}`);
    await dialog()
      .getByRole('link', { name: /^2 triggers/ })
      .waitFor();
    await dialog()
      .getByRole('link', { name: /^Ladder, 3 rungs/ })
      .click();
    await page.getByRole('tab', { name: /^Ladders/, selected: true }).waitFor();

    await tab.goTo('/trade');
    const panel = page.getByRole('region', { name: 'This account' });
    await seenWhole(() => [twapIn(panel), panel.getByRole('link', { name: /^\+3: 2 triggers/ })]);
    await twapIn(panel).click();
    await panel.getByRole('tab', { name: /^TWAP and ladders/, selected: true }).waitFor();

    await bot.call('POST', `/schedules/${twap.id}/cancel`);
    await bot.call('POST', '/triggers/cancel-all');
    await tab.goTo('/positions');
    await rowOf('BTC').waitFor();
    await rowOf('BTC').getByRole('link').waitFor({ state: 'detached' });
  });

  it('sets take-profit and stop-loss, keeps what the gateway refuses, and removes them again', async () => {
    const { id, legs } = await openPair();
    const brackets = async () => {
      const { json } = await bot.call('GET', `/positions/${id}`);
      return [json.takeProfit?.value ?? null, json.stopLoss?.value ?? null];
    };
    await tab.goTo('/positions');
    const set = rowOf('ETH').getByRole('button', { name: 'Set take-profit and stop-loss of BTC / ETH' });
    await set.click();
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog().getByRole('switch', { name: 'Stop-loss' }).click();
    await dialog().getByRole('textbox', { name: 'Gain' }).fill('5');
    await button('Save').click();
    await dialog().getByText('Needed').waitFor();
    // What it means: of what was paid at entry, and as a level of the chart.
    const paid = legs.reduce((sum: number, leg: Json) => sum + leg.quantity * leg.entryPrice, 0);
    const note = await dialog().locator('[data-note=takeProfit]').innerText();
    expect(Number(/\+\$([\d.,]+)/.exec(note)?.[1]?.replace(',', ''))).to.be.closeTo(paid * 0.05, 0.02);
    expect(note).to.match(/ · price ratio [\d.,]+$/);
    await dialog()
      .locator('[data-note=now]')
      .getByText(/^Now [+−]?\$[\d.]+ \([+−]?[\d.]+\s%\), price ratio [\d.]+$/)
      .waitFor();
    await expectAccessible(page, 'brackets dialog with an error');
    await dialog().getByRole('textbox', { name: 'Loss' }).fill('3');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await brackets()).to.deep.equal(['5', '3']);
    await rowOf('TP +5 %').waitFor();
    await set.waitFor({ state: 'detached' });

    await fromMenu(rowOf('ETH'), /Take-profit/);
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await brackets()).to.deep.equal([null, '3']);

    // A level that is passed already is refused by the gateway only.
    await fromMenu(rowOf('ETH'), /Take-profit/);
    await dialog().getByRole('switch', { name: 'Stop-loss' }).click();
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog()
      .getByRole('group', { name: 'Take-profit' })
      .getByRole('combobox', { name: 'Measured by' })
      .click();
    await page.getByRole('option', { name: 'Position value' }).click();
    await dialog().getByLabel('Level').fill('1');
    await button('Save').click();
    await dialog().getByRole('alert').or(dialog().locator('[class*="error"]')).first().waitFor();
    expect(await dialog().getByLabel('Level').inputValue()).to.equal('1');
    expect(await brackets()).to.deep.equal([null, '3']);
  });

  it('says of a stop that trails what it would lose where it stands, beside what was asked', async () => {
    const { id, legs } = await openPair();
    const stopLoss = { type: 'PERCENTAGE', value: '30', trailing: { delta: '10' } };
    await bot.call('PUT', `/positions/${id}/brackets`, { stopLoss });
    await until(pageClock(page), 'a stop that trails', async () => {
      const { json } = await bot.call('GET', `/positions/${id}`);
      return json.stopLoss?.peak != null;
    });
    const paid = legs.reduce((sum: number, leg: Json) => sum + leg.quantity * leg.entryPrice, 0);
    await tab.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Take-profit/);
    const terms = /: ≈ −\$([\d.,]+) · price ratio ([\d.,]+)$/;
    const figures = (text: string) =>
      (terms.exec(text) ?? []).slice(1).map((one) => Number(one.replace(',', '')));
    const asked = await dialog().locator('[data-note=stopLoss]').innerText();
    const now = await dialog().locator('[data-note=stopLoss-now]').innerText();
    expect(asked).to.match(/^As asked: /);
    const [, share = ''] = /^Trails, and stands at −([\d.]+).% now: /.exec(now) ?? [];
    const [[loss = 0, level = 0], [lossNow = 0, levelNow = 0]] = [figures(asked), figures(now)];
    expect(loss).to.be.closeTo(paid * 0.3, 0.02);
    expect(Number(share)).to.be.closeTo(10, 1);
    expect(lossNow).to.be.closeTo((paid * Number(share)) / 100, paid * 0.0001);
    expect(levelNow).to.be.greaterThan(level);
    await dialog()
      .getByRole('checkbox', { name: /^Trailing/ })
      .click();
    expect(await dialog().locator('[data-note=stopLoss]').innerText()).to.match(/^≈ −/);
  });

  it('says before a leg is reduced alone that a bracket jumps, or is watched no more', async () => {
    await openPair();
    const [position] = await bot.positions();
    const guards = {
      takeProfit: { type: 'PRICE_RATIO', value: '1000' },
      stopLoss: { type: 'DOLLAR', value: '400' },
    };
    const set = await bot.call('PUT', `/positions/${position?.id}/brackets`, guards);
    expect(set.status, set.text).to.equal(200);
    await tab.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Adjust/);
    await dialog().getByText('Reduce', { exact: true }).click();
    await dialog().getByText('Leg by leg').click();
    const [first] = position?.legs ?? [];
    await dialog()
      .getByPlaceholder('unchanged')
      .first()
      .fill(String(Number(first?.quantity) / 2));
    await dialog()
      .getByText(/^Stop-loss .* jumps with this, and may fire it at once/)
      .waitFor();
    await dialog().getByPlaceholder('unchanged').first().fill('0');
    await dialog()
      .getByText(/^Take-profit .* is not watched then: its ratio needs one long and one short leg/)
      .waitFor();
  });

  itInFreshTab('sends no increase and no reversal above the largest order of the settings', async () => {
    await openPair();
    await page.addInitScript(
      `localStorage.setItem('tandem.settings', '{"limits":{"largestOrderUsd":"300"}}')`,
    );
    await tab.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Adjust/);
    const increase = button('Increase position');
    await dialog().getByLabel('Gross amount').fill('5000');
    await dialog()
      .getByText(/^Above the largest order of \$300/)
      .waitFor();
    expect(await increase.isDisabled()).to.equal(true);
    await dialog().getByLabel('Gross amount').fill('200');
    await until(pageClock(page), 'an order within the limit', async () => await increase.isEnabled());
    expect(
      await dialog()
        .getByText(/^Above the largest order/)
        .count(),
    ).to.equal(0);
    await page.keyboard.press('Escape');
    await fromMenu(rowOf('ETH'), /Reverse/);
    await dialog()
      .getByText(/^Above the largest order of \$300/)
      .waitFor();
    expect(await button('Reverse position').isDisabled()).to.equal(true);
  });

  it('adjusts, reverses and rebalances', async () => {
    const before = await openPair();
    await tab.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Adjust/);
    await expectAccessible(page, 'adjust dialog');
    // What stands in an empty field cannot be taken for a quantity.
    await dialog().getByText('Leg by leg').click();
    expect(await dialog().getByPlaceholder('unchanged').count()).to.equal(2);
    await dialog().getByText('Amount', { exact: true }).click();
    await dialog().getByLabel('Gross amount').fill('500');
    await button('Increase position').click();
    await dialog().waitFor({ state: 'detached' });
    await until(
      pageClock(page),
      'more of it is held',
      async () => Number((await bot.positions())[0]?.grossNotional) > Number(before.grossNotional) + 400,
    );

    await fromMenu(rowOf('ETH'), /Rebalance/);
    await page.getByRole('table', { name: 'Rebalance plan' }).waitFor();
    await expectAccessible(page, 'rebalance plan');
    await dialog().getByRole('tab', { name: 'Automatically' }).click();
    await button('Rebalance automatically').click();
    await dialog().getByText('Active').waitFor();
    await expectAccessible(page, 'standing rebalance');
    await button('Pause').click();
    await dialog().getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });

    await fromMenu(rowOf('ETH'), /Reverse/);
    await expectAccessible(page, 'reverse dialog');
    await button('Reverse position').click();
    await dialog().waitFor({ state: 'detached' });
    await until(pageClock(page), 'it is the other way round', async () => {
      const [position] = await bot.positions();
      return position?.legs.find(({ symbol }: Json) => symbol === 'ETH-PERP')?.side === 'BUY';
    });
  });

  it('shows one position in full: chart, fills and what happened', async () => {
    const { id, entryPrice } = await openPair();
    // Only the long pays, and next to nothing.
    const rates = '**/funding?connector=*';
    await page.route(rates, async (route) => {
      const { json } = await bot.call('GET', '/funding?connector=paper');
      const rateOf = ({ symbol }: Json) => (symbol === 'BTC' ? '0.00000001' : '0');
      const funding = json.funding.map((one: Json) => ({ ...one, rate: rateOf(one) }));
      await route.fulfill({ json: { ...json, funding } });
    });
    await tab.goTo(`/positions/${id}`);
    await dialog()
      .locator('dl > div', { hasText: 'Next funding' })
      .getByText(/^pays < \$0\.0001$/)
      .waitFor();
    await page.unroute(rates);
    // Where the ratio stands among its own past, and where it stood at entry, as a trigger compares it.
    const z = (name: string) =>
      dialog()
        .locator('dl > div', { hasText: `Ratio z ${name}` })
        .locator('dd');
    await z('now (240 h)')
      .getByText(/^−?\d+\.\d\d$/)
      .waitFor();
    // Between the two looks the hour may turn.
    const near = async (name: string, most: number, ratio?: string) =>
      Math.abs(figureOf(await z(name).innerText()) - (await zOfRatio(bot, 240, ratio))) <= most;
    await until(pageClock(page), 'the z-score of the entry', () => near('at entry', 0.011, entryPrice));
    await until(pageClock(page), 'that of now', () => near('now (240 h)', 0.1));
    const legs = dialog().getByRole('table', { name: 'Legs' });
    await legs.getByRole('columnheader', { name: 'Funding' }).waitFor();
    const hidden = await legs.evaluate(
      ({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0),
    );
    expect(hidden, 'px of the legs that are out of view').to.be.at.most(0);
    await dialog().getByRole('tab', { name: 'Timeline' }).click();
    await dialog().getByRole('list', { name: 'Timeline' }).getByText('Opened').waitFor();
    await expectAccessible(page, 'timeline');
    await dialog().getByRole('tab', { name: 'Scenarios' }).click();
    const scenarios = dialog().getByRole('table', { name: 'Scenarios' });
    await scenarios.getByRole('rowheader', { name: /^All prices \+10/ }).waitFor();
    // What the ratio would be, and a pair's gain from its fall is a loss.
    const fall = scenarios.getByRole('row', { name: /^Price ratio −10/ });
    const [ratioThen = '', gain = ''] = (await fall.getByRole('cell').allInnerTexts()).slice(0, 2);
    expect(Number(ratioThen)).to.be.closeTo(Number(entryPrice) * 0.9, Number(entryPrice) * 0.02);
    expect(gain).to.match(/^−\$/);
    await expectAccessible(page, 'scenarios of a position');
    await dialog().getByRole('tab', { name: 'Fills' }).click();
    await dialog().getByRole('table', { name: 'Fills of the position' }).waitFor();
    await expectAccessible(page, 'fills of a position');
    await dialog().getByRole('tab', { name: 'Chart' }).click();
    await dialog().getByRole('radio', { name: 'Weighted' }).waitFor();
    await expectAccessible(page, 'chart');
    // A popup of a button that was scrolled out of sight is not seen either.
    await page.setViewportSize({ width: 400, height: 800 });
    await dialog().getByRole('button', { name: 'Indicators' }).click();
    const popup = page.getByRole('dialog', { name: 'Indicators' });
    await popup.waitFor();
    const scrollTo = (name: string) =>
      page.evaluate(`[...document.querySelectorAll('[role=dialog] ${name}')][0].scrollIntoView()`);
    await scrollTo('h2');
    await scrollTo('dl');
    await popup.waitFor({ state: 'hidden' });
    await scrollTo('[role=img]');
    await popup.waitFor();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).to.equal('/app/positions');
  });

  it('closes a position with the keyboard alone', async () => {
    await openPair();
    await tab.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).waitFor();
    // Row, then Tab over what is in it: details, brackets, close.
    await rowOf('ETH').focus();
    for (let nth = 0; nth < 3; nth += 1) await page.keyboard.press('Tab');
    expect(await focusedName(page)).to.equal('Close BTC / ETH');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    // The focus follows the dialog by a frame.
    await until(
      pageClock(page),
      'the focus in the dialog',
      async () => (await focusedName(page)) === 'Share of the position',
    );
    await page.keyboard.press('Enter');
    await page.getByText('No open positions').waitFor();
  });
});

/** The name of what has the focus, by its label or its text. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const one = document.activeElement;
    return one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  })()`);
}
