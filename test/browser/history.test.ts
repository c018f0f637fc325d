/** History in the browser: closed trades and fills on the days that are asked for, and all of them as a file. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PAID_ON } from '../../gateway/domain/portfolio.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { untilPage } from '../support/page-time.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { usd } from '../support/trader.ts';

const TRADES = 4;

describe('the history screen', function () {
  this.timeout(90_000);
  const suite = screenSuite();
  const { bot, gateway, page } = suite;

  before(async () => {
    for (let trade = 0; trade < TRADES; trade += 1) {
      await bot.open([usd('LINK', 'BUY', '200'), usd('ETH', 'SELL', '200')]);
      await suite.closePositions();
    }
  });

  const rowsOf = (table: string) =>
    page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');

  /** Small pages, so that the list has to be followed through its cursors. */
  async function withSmallPages(path: string): Promise<void> {
    await page.route(
      (url) => url.pathname === path,
      (route) => {
        const url = new URL(route.request().url());
        url.searchParams.set('limit', '3');
        return route.continue({ url: url.href });
      },
    );
  }

  async function exported(): Promise<{ readonly name: string; readonly lines: readonly string[] }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.endsWith('\r\n')).to.equal(true);
    return { name: download.suggestedFilename(), lines: text.split('\r\n').slice(0, -1) };
  }

  it('leads to the position, which shows what the history shows @long', async () => {
    await suite.goTo('/history');
    const row = rowsOf('Closed trades').first();
    await row.getByRole('button', { name: 'Details' }).click();
    const legs = await rowsOf('Legs').allInnerTexts();
    expect(legs).to.have.length(2);
    const net = await row.locator('[data-name=Net]').innerText();
    await row.getByRole('link', { name: 'View' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('columnheader', { name: 'Exit' }).waitFor();
    const shown = sheet.getByRole('table', { name: 'Legs' }).locator('tr[data-row]');
    expect(await shown.allInnerTexts()).to.deep.equal(legs);
    const figures = sheet.locator('dl > div');
    const figure = (name: string) =>
      figures.filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
    expect(await figure('Net PnL').innerText()).to.equal(net);
    expect(await figure('Entered').innerText()).to.match(/^\$(39|40)\d\.\d\d$/);
    for (const name of ['Unrealised', 'Size', 'Margin', 'Price ratio at entry'])
      expect(await figure(name).count(), name).to.equal(0);
    await expectAccessible(page, 'a closed position');
  });

  it('shows closed trades with their legs and steps', async () => {
    await withSmallPages('/positions/closed');
    await suite.goTo('/history');
    await rowsOf('Closed trades')
      .nth(TRADES - 1)
      .waitFor();
    expect(await rowsOf('Closed trades').count()).to.equal(TRADES);
    await rowsOf('Closed trades').first().getByRole('button', { name: 'Details' }).click();
    expect(await rowsOf('Legs').count()).to.equal(2);
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText('Opened').waitFor();
    await steps.getByText('Closed').waitFor();
    await expectAccessibleWhenLong(page, 'a trade with its steps');
    await rowsOf('Closed trades').first().getByRole('button', { name: 'Details' }).click();
    // The newest close comes first, and its column says so; the other way round after a click on it.
    const closed = page.getByRole('columnheader', { name: 'Closed', exact: true });
    const newest = await rowsOf('Closed trades').first().getAttribute('data-row');
    expect(await closed.getAttribute('aria-sort')).to.equal('descending');
    await closed.getByRole('button').click();
    expect(await closed.getAttribute('aria-sort')).to.equal('ascending');
    expect(await rowsOf('Closed trades').last().getAttribute('data-row')).to.equal(newest);
    await closed.getByRole('button').click();
    expect(await closed.getAttribute('aria-sort')).to.equal('descending');
  });

  itInFreshTab('has a column that was chosen also where there was no room for it @long', async () => {
    await suite.goTo('/history');
    await rowsOf('Closed trades').first().waitFor();
    await page.setViewportSize({ width: 900, height: 800 });
    const fees = page.getByRole('columnheader', { name: 'Fees', exact: true });
    await fees.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Columns of Closed trades' }).click();
    await page.getByRole('checkbox', { name: 'Fees', exact: true }).check();
    await fees.waitFor();
    for (const name of ['Held', 'Funding']) await page.getByRole('checkbox', { name, exact: true }).check();
    // The table is wider than its place then; the list that undoes it stays at hand.
    const chooser = await page.getByRole('button', { name: 'Columns of Closed trades' }).boundingBox();
    expect((chooser?.x ?? 900) + (chooser?.width ?? 0)).to.be.at.most(900);
    await page.getByRole('button', { name: 'Automatic' }).click();
    await fees.waitFor({ state: 'hidden' });
  });

  it('looks at the days that are asked for @long', async () => {
    await suite.goTo('/history/fills');
    await rowsOf('Fills').first().waitFor();
    await expectAccessible(page, 'fills');
    const widthOfFrom = async () => (await page.getByLabel('From', { exact: true }).boundingBox())?.width;
    const width = await widthOfFrom();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No fills on these days').waitFor();
    expect(await widthOfFrom()).to.equal(width);
    await expectAccessible(page, 'days without fills');
    await page.getByLabel('From', { exact: true }).fill('2020-02-01');
    await page.getByText('The first day is after the last').waitFor();
    expect(await page.getByText('No fills on these days').count(), 'one message').to.equal(0);
    for (const field of ['From', 'To'])
      expect(await page.getByLabel(field, { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    expect(await page.getByRole('button', { name: 'Export CSV' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'days that are no span');
    await page.getByRole('radio', { name: 'Today' }).click();
    await rowsOf('Fills').first().waitFor();
    await page.getByRole('tab', { name: 'Closed trades' }).click();
    await rowsOf('Closed trades').first().waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByText('No trade was closed on these days').waitFor();
  });

  it('writes every fill into a file, page by page @long', async () => {
    await withSmallPages('/fills');
    await suite.goTo('/history/fills');
    await rowsOf('Fills').first().waitFor();
    const { name, lines } = await exported();
    const { fills } = (await bot.call('GET', '/fills?limit=2000')).json;
    expect(fills.length, 'more than a page').to.be.above(3);
    expect(name).to.equal('tandem-fills-all.csv');
    const [header = '', ...rows] = lines;
    expect(header.split(',').slice(0, 5)).to.deep.equal(['time', 'instrument', 'side', 'price', 'quantity']);
    expect(rows.map((row) => row.split(',').slice(0, 5))).to.deep.equal(
      fills.map((fill: Json) => [fill.timestamp, fill.symbol, fill.side, fill.price, fill.quantity]),
    );
  });

  it('lists funding payments with their sum, and writes all of them into a file @long', async () => {
    const [{ id }] = (await bot.call('GET', '/positions/closed?limit=1')).json.positions;
    const now = Math.floor(systemClock.now() / 1_000) * 1_000;
    const amounts = ['-1.25', '0.5', '-0.125', '2', '-0.0004', '-0.00001'];
    await gateway.seed({
      funding: amounts.map((amount, nth) => ({
        ...{
          id: `row-${nth}`,
          venueId: `paid-${nth}`,
          tradeAccountId: bot.accountId,
          // The last was paid on what is in no basket.
          positionId: nth === amounts.length - 1 ? PAID_ON.OUTSIDE : id,
          amount,
        },
        ...{ symbol: nth % 2 === 0 ? 'LINK-PERP' : 'ETH-PERP', rate: '0.0001' },
        timestamp: now - nth * 1_000,
      })),
    });
    await withSmallPages('/funding/payments');
    await suite.goTo('/history/funding');
    const rows = rowsOf('Funding payments');
    await rows.nth(amounts.length - 1).waitFor();
    // A payment of 1.25 at 0.01 % is one on 12,500 dollars, long.
    const first = (await rows.first().textContent()) ?? '';
    for (const part of ['LongLINK', '$12,500.00', '0.01000\u00a0%', '\u2212$1.2500'])
      expect(first).to.include(part);
    // A value shown as zero is coloured as zero.
    const least = rows.last().getByText('$0.0000', { exact: true });
    expect(await least.getAttribute('class')).to.not.match(/paid|loss/);
    expect(await rows.nth(4).getByText('$0.0004').getAttribute('class')).to.match(/paid|loss/);
    expect(await rows.last().textContent()).to.include('Past Tandem');
    const total = page.getByRole('table', { name: 'Funding payments' }).locator('tfoot');
    expect(await total.textContent()).to.include('+$1.1246');
    await expectAccessible(page, 'funding payments');
    // On cards too it is in view, however many payments are above it.
    await page.setViewportSize({ width: 400, height: 800 });
    expect((await total.boundingBox())?.y).to.be.below(800);
    expect((await rows.last().boundingBox())?.y, 'more than the window has room for').to.be.above(800);
    await page.setViewportSize({ width: 1280, height: 800 });
    const { name, lines } = await exported();
    expect(name).to.equal('tandem-funding-all.csv');
    expect(lines[0]?.split(',').slice(0, 6).join()).to.equal(
      'time,instrument,side,notional_usd,rate,amount_usd',
    );
    expect(lines.slice(1).map((line) => line.split(',')[5])).to.deep.equal(amounts);
    expect(lines.at(-1)?.split(',')[6]).to.equal('outside tandem');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No funding on these days').waitFor();
  });

  it('sums the funding of the days that are shown, and has what was paid while another tab was @long', async () => {
    const [{ id }] = (await bot.call('GET', '/positions/closed?limit=1')).json.positions;
    const pay = (name: string, amount: string, timestamp: number) =>
      gateway.seed({
        funding: [
          {
            ...{ id: `row-${name}`, venueId: `paid-${name}`, tradeAccountId: bot.accountId },
            ...{ positionId: id, amount, symbol: 'LINK-PERP', rate: '0.0001', timestamp },
          },
        ],
      });
    await pay('old', '-7.5', Date.UTC(2026, 0, 5));
    // Whatever sum is read for itself does not come: what the rows say of themselves is enough.
    await page.route(
      (url) => url.pathname === '/funding/payments' && url.searchParams.get('limit') === '1',
      () => new Promise(() => undefined),
    );
    await suite.goTo('/history/funding');
    const total = page.getByRole('table', { name: 'Funding payments' }).locator('tfoot');
    await total.waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await total.getByText('\u2212$7.5000').waitFor();
    await page.getByRole('radio', { name: 'Today' }).click();
    const rows = rowsOf('Funding payments');
    await rows.first().waitFor();
    await page.getByRole('tab', { name: 'Fills' }).click();
    await rowsOf('Fills').first().waitFor();
    await pay('new', '3.25', systemClock.now());
    // It came to the page as a change of a position.
    const fills = await rowsOf('Fills').count();
    await bot.open([usd('LINK', 'BUY', '200')]);
    await untilPage(page, 'its fill is there', async () => (await rowsOf('Fills').count()) > fills);
    await page.getByRole('tab', { name: 'Funding' }).click();
    await rows.filter({ hasText: '+$3.2500' }).waitFor();
  });

  it('writes the closed trades of the chosen days into a file @long', async () => {
    await withSmallPages('/positions/closed');
    await suite.goTo('/history');
    await page.getByRole('radio', { name: 'Today' }).click();
    await rowsOf('Closed trades').first().waitFor();
    const { name, lines } = await exported();
    expect(name).to.match(/^tandem-closed-trades-\d{4}-\d{2}-\d{2}-to-\d{4}-\d{2}-\d{2}\.csv$/);
    const { positions } = (await bot.call('GET', '/positions/closed?limit=200')).json;
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).to.deep.equal(
      positions.map(({ id }: Json) => id),
    );
    expect(lines[1], 'a negative number stays a number').to.not.match(/'-/);
    await page.getByText(`${TRADES} rows written`).waitFor();
  });
});
