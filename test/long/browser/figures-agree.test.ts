/** The figures of one account on all screens: no one contradicts another, and the day counts what is not realised too. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { usd } from '../../support/trader.ts';

/** Dollars of a text: `−$1,234.50` → −123450 cents. */
function cents(text: string): number {
  const [, sign = '', digits = ''] = /([+\u2212-]?)\$([\d,]+\.\d\d)/.exec(text) ?? [];
  if (digits === '') return Number.NaN;
  return (sign === '\u2212' || sign === '-' ? -1 : 1) * Math.round(Number(digits.replaceAll(',', '')) * 100);
}

interface Seen {
  /** Name → text, of the lists of figures in the bar and on the screen. */
  readonly bar: Readonly<Record<string, string>>;
  readonly screen: Readonly<Record<string, string>>;
  readonly dayHint: string;
  readonly chart: string;
}

/** All in one moment: the market moves on. */
const seenOn = (page: Page) =>
  page.evaluate<Seen>(`(() => {
    const figures = (root) => Object.fromEntries(
      [...root.querySelectorAll('dl > div')].map((one) => [
        one.querySelector('dt').textContent, one.querySelector('dd').textContent,
      ]),
    );
    const bar = document.querySelector('header');
    const day = [...bar.querySelectorAll('dl > div')].find((one) => one.textContent.startsWith('Day'));
    const chart = [...document.querySelectorAll('figcaption')].find((one) => one.textContent.startsWith('Equity by day'));
    return {
      bar: figures(bar), screen: figures(document.querySelector('main')),
      dayHint: day.title, chart: chart?.textContent ?? '',
    };
  })()`);

/** Figures on Positions, of one position and of all, read at the same time. */
interface Moment {
  readonly row: Readonly<Record<string, string>>;
  readonly drawer: Readonly<Record<string, string>>;
  readonly total: string;
  readonly tile: string;
  readonly pastTandem: string;
}

const MOMENT = `(id) => {
  const table = document.querySelector('table[aria-label="Open positions"]');
  const names = [...table.querySelectorAll('thead th, thead td')].map((one) => one.textContent);
  const cells = (row) => Object.fromEntries([...row.children].map((cell, at) => [names[at], cell.textContent]));
  const list = (root) => Object.fromEntries(
    [...root.querySelectorAll('dl > div')].map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent]),
  );
  const tile = [...document.querySelectorAll('[aria-label="Account totals"] > div')].find((one) => one.textContent.startsWith('Unrealised'));
  return {
    row: cells(table.querySelector('tr[data-row="' + id + '"]')),
    drawer: list(document.querySelector('[role=dialog]')),
    total: cells(table.querySelector('tfoot tr'))['Unrealised'],
    tile: tile.querySelector('dd').textContent,
    pastTandem: tile.querySelector('small')?.textContent ?? '',
  };
}`;

describe('the figures of an account', function () {
  this.timeout(120_000);
  const desk = screenSuite();

  itInFreshTab(
    'are the same on every screen: equity, its parts, and what it has changed by today',
    async () => {
      const { bot, page } = desk;
      await bot.open([usd('BTC', 'BUY', '40000'), usd('ETH', 'SELL', '20000')]);
      // Until something is realised: a market that stands at the same tick again brings nothing.
      await untilPage(page, 'a result', async () => {
        await bot.open([usd('SOL', 'BUY', '5000')]);
        const sol = (await bot.positions()).find(({ legs }) => legs.length === 1);
        const { json } = await bot.call('POST', `/positions/${sol?.id}/close`, { type: 'MARKET' });
        await bot.ended(json.execution.id);
        const closed = (await bot.call('GET', `/positions/${sol?.id}`)).json;
        return Number(closed.realizedPnl) !== 0;
      });

      const of = (list: Seen['bar'], name: string) => cents(list[name] ?? '');
      const settledLast = async () => (await bot.call('GET', '/funding/payments')).json.payments[0]?.id ?? '';
      // One after the other: where funding was settled in between, the balance has changed, and both are read again.
      const { onPortfolio, onPositions } = await untilPage(page, 'both with the same funding', async () => {
        const before = await settledLast();
        await desk.goTo('/portfolio');
        await page.getByRole('figure', { name: /^Equity by day/ }).waitFor();
        const onPortfolio = await untilPage(
          page,
          'a moment with something unrealised, everything read',
          async () => {
            const seen = await seenOn(page);
            // The header may have read the results of the range before the close: they are read anew then.
            const isOfNow = [seen.bar['Unrealised'], seen.screen['Net PnL']].every(
              (text) => cents(text ?? '') !== 0,
            );
            return isOfNow && !Number.isNaN(cents(seen.chart)) ? seen : null;
          },
        );
        // A line needs two points: the first day begins with what it began with.
        const slider = page.getByRole('slider', { name: /^Equity by day/ });
        expect(await slider.getAttribute('aria-valuemax')).to.equal('1');
        await slider.press('Home');
        await page.getByText('$100,000.00 when the day began').waitFor();

        await desk.goTo('/positions');
        await page.getByRole('table', { name: 'Open positions' }).getByText('ETH').first().waitFor();
        // The browser keeps that they are shown.
        const more = page.getByRole('button', { name: /^(More|Less)$/ });
        if ((await more.getAttribute('aria-expanded')) === 'false') await more.click();
        const onPositions = await untilPage(page, 'the totals', async () => {
          const seen = await seenOn(page);
          return Number.isNaN(of(seen.screen, 'Balance')) ? null : seen;
        });
        return (await settledLast()) === before ? { onPortfolio, onPositions } : null;
      });
      const { bar, screen, chart, dayHint } = onPortfolio;
      const equity = of(bar, 'Equity');
      expect(of(screen, 'Equity'), 'tile').to.equal(equity);
      expect(cents(chart), 'chart').to.equal(equity);
      expect(of(screen, 'Unrealised PnL')).to.equal(of(bar, 'Unrealised'));
      // Each figure is rounded for itself.
      expect(of(screen, 'Balance') + of(bar, 'Unrealised'), 'balance + unrealised').to.be.closeTo(equity, 1);
      // The account began today with 100,000.
      expect(of(bar, 'Day'), 'day').to.be.closeTo(equity - 10_000_000, 1);
      const parts = dayHint.split(';').map(cents);
      expect((parts[0] ?? 0) + (parts[1] ?? 0), dayHint).to.be.closeTo(of(bar, 'Day'), 1);
      expect(parts[1], dayHint).to.be.closeTo(of(bar, 'Unrealised'), 1);

      // Realised results of the range, and their part in the balance: the account was opened today.
      const net = of(screen, 'Net PnL');
      expect(net, 'net').to.not.equal(0);
      const netParts = of(screen, 'Realised PnL') - of(screen, 'Fees paid') + of(screen, 'Funding received');
      expect(netParts, 'realised − fees + funding').to.be.closeTo(net, 2);
      expect(of(screen, 'Deposits') + net, 'deposits + net').to.be.closeTo(of(screen, 'Balance'), 1);
      expect(net, 'net of today').to.be.closeTo(parts[0] ?? 0, 1);

      expect(of(onPositions.screen, 'Unrealised')).to.equal(of(onPositions.bar, 'Unrealised'));
      expect(of(onPositions.screen, 'Balance')).to.equal(of(screen, 'Balance'));
      const realised = ['Realised today', 'Funding today', 'Fees today'].reduce(
        (sum, name) => sum + of(onPositions.screen, name),
        0,
      );
      expect(realised, 'realised less fees, with funding').to.be.closeTo(parts[0] ?? 0, 3);
    },
  );

  itInFreshTab(
    'are those of one moment on Positions: drawer and row, and the rows with what was traded outside Tandem',
    async () => {
      const { bot, page } = desk;
      const order = { symbol: 'SOL-PERP', side: 'BUY', quantity: '2.5' };
      await bot.expect('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
      const [{ id }] = await bot.positions();
      await desk.goTo('/positions');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.locator(`tr[data-row="${id}"]`).click();
      await page.getByRole('dialog').getByText('Price ratio at entry').waitFor();
      await page.locator(`tr[data-row="${id}"]`).waitFor();
      await page.getByLabel('Account totals').getByText('outside Tandem').waitFor();
      const look = () => page.evaluate<Moment>(`(${MOMENT})('${id}')`);
      const seen: Moment[] = [];
      // The market moves on under both.
      await untilPage(page, 'the figures have changed', async () => {
        seen.push(await look());
        return new Set(seen.map(({ row }) => row['Unrealised'])).size > 3;
      });
      for (const { row, drawer } of seen) {
        expect(drawer['Size']).to.equal(row['Size']);
        expect(drawer['Unrealised']).to.match(/^[+\u2212]?\$/);
        expect(cents(drawer['Unrealised'] ?? '')).to.equal(cents(row['Unrealised'] ?? ''));
      }
      await untilPage(page, 'total and what is outside Tandem come to the tile', async () => {
        const { total, tile, pastTandem } = await look();
        // Each figure is rounded for itself.
        return Math.abs(cents(total) + cents(pastTandem) - cents(tile)) <= 1;
      });
    },
  );
});
