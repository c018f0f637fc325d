/** The figures of one account on all screens: no one contradicts another, and the day counts what is not realised too. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { screenSuite } from '../support/screen-suite.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

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

describe('the figures of an account', function () {
  this.timeout(120_000);
  const desk = screenSuite();

  it('are the same on every screen: equity, its parts, and what it has changed by today', async () => {
    const { bot, page } = desk;
    await bot.open([usd('BTC', 'BUY', '40000'), usd('ETH', 'SELL', '20000')]);
    await bot.open([usd('SOL', 'BUY', '5000')]);
    const sol = (await bot.positions()).find(({ legs }) => legs.length === 1);
    await bot.ended(
      (await bot.call('POST', `/positions/${sol?.id}/close`, { type: 'MARKET' })).json.execution.id,
    );

    await desk.goTo('/portfolio');
    await page.getByRole('figure', { name: /^Equity by day/ }).waitFor();
    const onPortfolio = await until('a moment with something unrealised, everything read', async () => {
      const seen = await seenOn(page);
      return cents(seen.bar['Unrealised'] ?? '') !== 0 && !Number.isNaN(cents(seen.chart)) ? seen : null;
    });
    const { bar, screen, chart, dayHint } = onPortfolio;
    const of = (list: Seen['bar'], name: string) => cents(list[name] ?? '');
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

    // A line needs two points: the first day begins with what it began with.
    const slider = page.getByRole('slider', { name: /^Equity by day/ });
    expect(await slider.getAttribute('aria-valuemax')).to.equal('1');
    await slider.press('Home');
    await page.getByText('$100,000.00 when the day began').waitFor();

    await desk.goTo('/positions');
    await page.getByRole('table', { name: 'Open positions' }).getByText('ETH').waitFor();
    const onPositions = await until('the totals', async () => {
      const seen = await seenOn(page);
      return Number.isNaN(of(seen.screen, 'Balance')) ? null : seen;
    });
    expect(of(onPositions.screen, 'Unrealised')).to.equal(of(onPositions.bar, 'Unrealised'));
    expect(of(onPositions.screen, 'Balance')).to.equal(of(screen, 'Balance'));
    const realised = ['Realised today', 'Funding today', 'Fees today'].reduce(
      (sum, name) => sum + of(onPositions.screen, name),
      0,
    );
    expect(realised, 'realised less fees, with funding').to.be.closeTo(parts[0] ?? 0, 3);
  });
});
