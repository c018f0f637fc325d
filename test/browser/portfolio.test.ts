/** The Portfolio screen on a real gateway: an account that never traded, and one with seventy days behind it. */
import { expect } from 'chai';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { holdAnswers, pathIs, REQUEST_ID, refuseAnswers } from '../support/dashboard-states.ts';
import { untilPage } from '../support/page-time.ts';
import { seedDays } from '../support/portfolio-history.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { PAIR } from '../support/trader.ts';

const DAYS = 70;

/** Words of the charts' figures that stand on two lines. */
const BROKEN_FIGURES = `[...document.querySelectorAll('main figure b')].flatMap((figure) => {
  const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.push(word[0]);
    }
  return broken;
})`;

describe('portfolio on the screen', function () {
  this.timeout(180_000);
  const suite = screenSuite((status, path) => status === 500 && path === '/portfolio/analytics');
  const { bot, gateway, page } = suite;

  const figureOf = (name: string) =>
    page.locator('main dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd');

  it('of an account that never traded says why figures are missing, and what to do', async () => {
    await suite.goTo('/portfolio');
    await page.getByText('Nothing was traded in this range', { exact: true }).waitFor();
    expect(await figureOf('Equity').innerText()).to.contain('$100,000.00');
    expect(await figureOf('Hit rate').innerText()).to.match(/^–\s+Nothing won or lost in this range/);
    expect(await figureOf('Sharpe').innerText()).to.equal('–');
    await page.getByText('there are no daily returns yet').waitFor();
    await expectAccessible(page, 'nothing traded');
    await page.getByRole('button', { name: 'Build a basket' }).click();
    await page.waitForURL('**/app/trade');
  });

  it('shows curves, rolling risk, the heat map and the break-down of what was traded', async () => {
    await seedDays(gateway, bot, DAYS);
    const opened = await bot.open(PAIR);
    expect(opened['status']).to.equal('COMPLETED');
    await suite.goTo('/portfolio');
    await page.getByRole('figure', { name: /^Equity by day, now \$/ }).waitFor();
    await page.getByRole('figure', { name: /^Drawdown by day/ }).waitFor();
    await page.getByRole('figure', { name: 'Rolling Sharpe over 30 days' }).waitFor();

    // History lists exactly the trades that Portfolio counts.
    const { winCount, lossCount } = (await bot.call('GET', '/portfolio')).json;
    const listed = (await bot.call('GET', '/positions/closed?limit=200')).json.positions;
    expect(listed).to.have.length(winCount + lossCount);
    expect(listed.length).to.equal(DAYS - DAYS / 5);

    const { risk, series } = (await bot.call('GET', '/portfolio/analytics?includeSeries=true')).json;
    expect(series).to.have.length(DAYS + 1);
    const rounded = (value: string) => Number(value).toFixed(2).replace('-', '\u2212');
    expect(await figureOf('Sharpe').innerText()).to.contain(rounded(risk.sharpe));
    expect(await figureOf('Deepest drawdown').innerText()).to.contain(
      `${rounded(risk.maxDrawdown.pct)}\u00a0%`,
    );
    expect(await figureOf('Value at risk, 95 %').innerText()).to.match(/^\d+\.\d\d\s%/);

    // The title of the days says what the note below the curve does. A minute that ends meanwhile brings a sample.
    await untilPage(page, 'the note and the title', async () => {
      const lines = (await page.locator('main').innerText()).split('\n');
      const has = (text: string) => lines.some((line) => line.startsWith(text));
      return (
        (has('Today with open positions as they stand now. Days before are of realised') &&
          lines.includes("PnL of each day, unrealised in today's only")) ||
        (has('Marked to market since ') && lines.includes('PnL of each day'))
      );
    });
    const heat = page.getByRole('img', { name: /^PnL of each day from/ });
    expect(await heat.locator('[data-day]').count()).to.equal(DAYS + 1);
    expect(await heat.locator('[data-level^="-"]').count()).to.be.greaterThan(5);
    // The keyboard reads a day: back over today and yesterday.
    await heat.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const before = series.at(-3);
    const spoken = await page.locator('figcaption', { hasText: '2' }).last().innerText();
    expect(spoken).to.contain(
      Math.abs(Number(before.pnl))
        .toFixed(2)
        .replace(/\B(?=(\d{3})+\b)/, ','),
    );

    await page.getByRole('radio', { name: 'Volatility' }).click();
    await page.getByRole('figure', { name: 'Rolling Volatility over 30 days' }).waitFor();
    const baskets = page.getByRole('table', { name: 'Result by basket' });
    await baskets.getByText('BTC', { exact: false }).first().waitFor();
    expect(await baskets.locator('[data-row]').count()).to.equal(1);
    await page.getByRole('table', { name: 'Result by instrument' }).getByText('ETH').waitFor();
    await expectAccessible(page, 'with curves');

    // Baskets count closed positions, instruments every fill: the rows between them add up on the screen.
    const cents = async (name: string) => {
      const text = (await figureOf(name).innerText()).split('\n')[0] ?? '';
      return Math.round(Number(text.replace('\u2212', '-').replace(/[^\d.-]/g, '')) * 100);
    };
    const { pairs, assets } = (await bot.call('GET', `/portfolio/analytics?startDate=${series[0].date}`))
      .json;
    const sum = (rows: readonly { readonly pnl: string }[]) =>
      Math.round(rows.reduce((total, { pnl }) => total + Number(pnl), 0) * 100);
    expect(await cents('Closed positions')).to.be.closeTo(sum(pairs), 1);
    expect(await cents('All instruments')).to.be.closeTo(sum(assets), 1);
    expect((await cents('Closed positions')) + (await cents('Everything else'))).to.be.closeTo(
      sum(assets),
      2,
    );
    expect(sum(pairs), 'they differ').to.not.equal(sum(assets));
    expect(await figureOf('Hit rate').innerText()).to.match(/\d+ won, \d+ lost, of closed\spositions$/);

    // Another range: what still stands there says that it is of the one before.
    const release = await holdAnswers(page, pathIs('/portfolio/analytics'));
    await page.getByRole('radio', { name: '1 year' }).click();
    await page.getByText('Loading what you chose').waitFor();
    await expectAccessibleWhenLong(page, 'another range, loading');
    release();
    await page.getByText('Loading what you chose').waitFor({ state: 'detached' });
    await page.unrouteAll();

    const size = page.viewportSize();
    // A day that lost: its figures begin with a minus.
    const slider = page.getByRole('slider', { name: /^Equity by day/ });
    const lost = series.findLastIndex(({ pnl }: { readonly pnl: string }) => Number(pnl) < 0);
    for (let day = series.length - 1; day > lost; day -= 1) await slider.press('ArrowLeft');
    expect(await page.locator('main figure b').count()).to.be.above(2);
    for (let width = 320; width <= 440; width += 4) {
      await page.setViewportSize({ width, height: 800 });
      const broken = await untilPage(page, `a width of ${width}`, () =>
        page.evaluate<readonly string[] | null>(`innerWidth === ${width} ? ${BROKEN_FIGURES} : null`),
      );
      expect(broken, `broken at ${width}`).to.deep.equal([]);
    }
    if (size !== null) await page.setViewportSize(size);

    await page.getByRole('radio', { name: '7 days' }).click();
    await page.getByText('from 7 days only').waitFor();
    // The window reaches back before the week; only what is older than the account it does not have.
    await page.getByRole('figure', { name: 'Rolling Volatility over 30 days' }).waitFor();
    await page.getByRole('combobox', { name: 'Rolling window' }).click();
    await page.getByRole('option', { name: 'Rolling 90 days' }).click();
    await page.getByText('A window of 90 days needs 90 days of history').waitFor();
    expect(await figureOf('Value at risk, 95 %').innerText()).to.contain('Needs 20 days; there are 7');
    expect(await figureOf('Sharpe').innerText()).to.contain('of 7 days');
    await expectAccessibleWhenLong(page, 'a week');
  });

  it('says what went wrong, with the request to look for, and tries again @long', async () => {
    const broken = { status: 500, errorCode: 'DATABASE_ERROR', message: 'Database error' };
    await refuseAnswers(page, pathIs('/portfolio/analytics'), broken);
    await suite.goTo('/portfolio');
    await page.getByText('500 DATABASE_ERROR').waitFor();
    await page.getByText(REQUEST_ID).waitFor();
    await expectAccessible(page, 'an error');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('figure', { name: /^Equity by day/ }).waitFor();
  });
});
