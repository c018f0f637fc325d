/** Positions: columns, sums by instrument, what was traded outside Tandem, and closing several. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { refusal } from '../../support/dashboard-states.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { positionsSuite } from '../../support/positions-suite.ts';
import { usd } from '../../support/trader.ts';

describe('rows of positions', function () {
  this.timeout(90_000);
  const { suite, bot, page, openPair, table, rowOf, dialog, button } = positionsSuite();

  itInFreshTab('has the columns that were chosen, in any width and after a reload', async () => {
    await openPair();
    await suite.goTo('/positions');
    await rowOf('BTC').waitFor();
    const heads = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('table[aria-label="Open positions"] thead th')]
        .filter((head) => head.checkVisibility())
        .map((head) => (head.getAttribute('aria-label') ?? head.innerText).trim()).filter((name) => name !== '')`);
    // Columns are fitted after what changes them is drawn.
    const become = (shown: readonly string[], ...gone: readonly string[]) =>
      untilPage(page, `columns with ${shown.join(', ')} and without ${gone.join(', ')}`, async () => {
        const names = await heads();
        return shown.every((name) => names.includes(name)) && !gone.some((name) => names.includes(name));
      });
    await become(['24 h', 'Entry price ratio', 'Net PnL'], 'Funding');
    // An arrow on a heading previews its sorting before a press, and shows it afterwards.
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
    await become(['Funding'], '24 h');
    await page.reload();
    await rowOf('BTC').waitFor();
    await become(['Funding'], '24 h');
    await chooser.click();
    await page.getByRole('button', { name: 'Automatic' }).click();
    await become(['24 h'], 'Funding');
    // Chosen columns make the table wider than its place. Columns without room are still not ticked.
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
    await become(['Age'], 'Size', 'Margin');
    await chooser.click();
    const ticked = await page.evaluate<string[]>(`[...document.querySelectorAll('[popover] input')]
      .filter((one) => one.checkVisibility() && one.checked).map((one) => one.labels[0].textContent)`);
    // The list is of the width at which it opened: another one ends it.
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('button', { name: 'Automatic' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 900, height: 800 });
    await become(['Age'], 'Size', 'Margin');
    expect(['Basket', ...ticked]).to.have.members(await heads());
  });

  it('shows what was traded outside, until a close takes it in, and which fills are no trades', async () => {
    const { id } = await openPair();
    // With a second basket in it, nothing but a close tells whose the trade is.
    await bot.open([usd('BTC', 'BUY', '300')]);
    await suite.goTo('/positions/past-tandem');
    await page.getByText('Nothing was traded outside Tandem').waitFor();
    const section = page.getByRole('table', { name: 'Holdings outside Tandem' });
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
    await gross.getByText(/^\$[\d,.]+ outside Tandem$/).waitFor();
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

    await suite.closePosition(id);
    await section.waitFor({ state: 'detached' });
    await suite.goTo('/history/fills');
    const fills = page.getByRole('table', { name: 'Fills' });
    await fills.getByText('Closed outside Tandem').first().waitFor();
    await expectAccessible(page, 'fills with a cause');
    await suite.goTo(`/positions/${id}`);
    await dialog().getByRole('tab', { name: 'Fills' }).click();
    await dialog().getByText('Closed outside Tandem').waitFor();
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
    await suite.goTo('/positions/by-instrument');
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
      // A page that has gone on takes no answer.
      await route.fulfill({ json: { ...json, ...unknown } }).catch(() => undefined);
    });
    // From ten times the price on the figure says nothing, in either column.
    await suite.goTo('/positions/by-instrument');
    for (const name of ['Liquidation alone', 'To liquidation alone'])
      await row
        .locator(`[data-name="${name}"]`)
        .getByTitle(/^At 9,999,999(\.0+)?, every other price as it is$/)
        .getByText('far (>10×)', { exact: true })
        .waitFor();
    // Liquidation is unknown while the venue does not answer.
    liquidationPrice = null;
    await suite.goTo('/positions/by-instrument');
    await row.getByText('Not known while the venue does not answer').first().waitFor();
    expect(await list.getByText(/no price/).count()).to.equal(0);
    await page.unrouteAll();
  });

  it('closes several after one question, and says of each what became of it', async () => {
    await openPair();
    for (const symbol of ['SOL', 'LINK', 'AVAX']) await bot.open([usd(symbol, 'BUY', '300')]);
    const held = async () => (await bot.positions()).map(({ legs }) => legs[0].ticker).sort();
    const [refused] = (await bot.positions()).filter(({ legs }) => legs[0].ticker === 'LINK');
    await page.route(`**/positions/${refused.id}/close`, (route) =>
      route.fulfill(refusal(400, 'VALIDATION_ERROR', 'LINK cannot be traded now', [])),
    );
    await suite.goTo('/positions');
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
    await untilPage(page, 'costs of each and of all', async () => {
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
    await page.route(plans, (route) => route.fulfill(refusal(400, 'VALIDATION_ERROR', 'No books', [])));
    const old = dialog()
      .locator('tbody tr')
      .filter({ has: page.locator('td.stale') });
    const total = dialog().locator('tfoot');
    await untilPage(
      page,
      'costs of before',
      async () => (await old.count()) === 3 && !/≈|at the mark/.test(await total.innerText()),
    );
    await expectAccessible(page, 'closing several at costs of before');
    await button('Back').click();
    await page.getByRole('button', { name: 'Close 3…' }).press('Enter');
    await untilPage(
      page,
      'costs of before again',
      async () => (await old.count()) === 3 && !/≈|at the mark/.test(await total.innerText()),
    );
    await page.unroute(plans);
    await untilPage(
      page,
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
    await untilPage(page, 'all are closed', async () => (await held()).length === 0);
  });
});
