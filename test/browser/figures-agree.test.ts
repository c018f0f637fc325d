/** The figures of one account on all screens: no one contradicts another, and the day counts what is not realised too. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import type { Json } from '../support/json.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
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

/** A clock that can be stopped: the simulated market stands still with it. */
function stoppableClock() {
  const clock = shiftedClock();
  let stoppedAt: number | null = null;
  return {
    ...clock,
    now: () => stoppedAt ?? clock.now(),
    stop() {
      stoppedAt = clock.now();
    },
  };
}

/** Every named figure of a page but ages, which go on: of its lists, and of its tables by row and column. */
const FIGURES = `(() => {
  const lists = [...document.querySelectorAll('dl > div')].map((one) => [
    one.querySelector('dt')?.textContent ?? '', one.querySelector('dd')?.textContent ?? '',
  ]).filter(([name]) => name !== 'Age');
  const tables = [...document.querySelectorAll('table')].flatMap((table) => {
    const names = [...table.querySelectorAll('thead th, thead td')].map((one) => one.textContent);
    return [...table.querySelectorAll('tr[data-row], tfoot tr')].flatMap((row) =>
      [...row.children].map((cell, column) => ({
        table: table.getAttribute('aria-label'), row: row.dataset.row ?? 'total', name: names[column], text: cell.textContent,
      })).filter(({ name }) => name !== 'Age'));
  });
  return { lists, tables };
})()`;

interface Figures {
  readonly lists: readonly (readonly [name: string, text: string])[];
  readonly tables: readonly {
    readonly table: string;
    readonly row: string;
    readonly name: string;
    readonly text: string;
  }[];
}

describe('every figure of an account that stands still', function () {
  this.timeout(120_000);
  const clock = stoppableClock();
  const suite = dashboardSuite({ overrides: { clock } });

  it('is the same wherever it stands, and the sums are those of their parts', async () => {
    const { gateway, accountId, accessToken } = suite;
    const headers = { authorization: `Bearer ${accessToken}`, 'x-trade-account-id': accountId };
    const call = (method: string, path: string, body?: unknown) =>
      gateway.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
    const positions = async () => (await call('GET', '/positions?status=OPEN')).json.positions;
    for (const legs of [
      [usd('BTC', 'BUY', '40000'), usd('ETH', 'SELL', '20000')],
      [usd('SOL', 'BUY', '5000')],
      [usd('LINK', 'BUY', '3000'), usd('AVAX', 'SELL', '3000')],
    ]) {
      const before = (await positions()).length;
      await call('POST', '/trade/open', { type: 'MARKET', legs });
      await until('it is open', async () => (await positions()).length === before + 1);
    }
    const tab = await suite.open('/positions');
    const { page } = tab;
    await page.getByRole('table', { name: 'Open positions' }).getByText('LINK').waitFor();
    clock.stop();
    // What was read before is read anew.
    await tab.goTo('/positions');
    await page.getByRole('table', { name: 'Open positions' }).getByText('LINK').waitFor();
    const read = () => page.evaluate<Figures>(FIGURES);
    /** Once two readings in a row are the same: everything has been read after the market stood still. */
    const settled = async () => {
      let last = '';
      return until('the page stands still', async () => {
        const figures = await read();
        // Spans of time go on.
        const text = JSON.stringify(figures).replaceAll(/\d+ (s|min|h|d)\b/g, '');
        await page.waitForTimeout(600);
        const isSame = text === last;
        last = text;
        return isSame ? figures : null;
      });
    };

    const seen = new Map<string, Map<string, string>>();
    const note = (name: string, text: string, where: string) => {
      const places = seen.get(name) ?? new Map<string, string>();
      // Beside the amount a tile may say what it is of.
      seen.set(name, places.set(where, /[+\u2212]?\$[\d,.]+/.exec(text)?.[0] ?? text));
    };
    const open = await settled();
    const cellsOf = (row: string, name: string) =>
      open.tables.find((cell) => cell.table === 'Open positions' && cell.row === row && cell.name === name)
        ?.text ?? '';
    const rows = await positions();
    for (const name of ['Size', 'Unrealised', 'Realised', 'Funding']) {
      const sum = rows.reduce((total: number, { id }: Json) => total + cents(cellsOf(id, name)), 0);
      // Each figure is rounded for itself.
      expect(sum, `sum of ${name}`).to.be.closeTo(cents(cellsOf('total', name)), rows.length);
    }
    note('Gross', cellsOf('total', 'Size'), 'total of the table');
    note('Unrealised', cellsOf('total', 'Unrealised'), 'total of the table');
    for (const [index, [name, text]] of open.lists.entries()) note(name, text, `Positions ${index}`);

    for (const { id, grossNotional, legs } of rows) {
      await tab.goTo(`/positions/${id}`);
      await page.getByRole('dialog').getByText('Price ratio at entry').waitFor();
      const { lists, tables } = await settled();
      const drawer = new Map(lists.slice(-20));
      expect(drawer.get('Size')).to.equal(cellsOf(id, 'Size'));
      expect(drawer.get('Unrealised')).to.contain(cellsOf(id, 'Unrealised'));
      expect(drawer.get('Price ratio at entry')).to.equal(cellsOf(id, 'Entry price ratio'));
      const notionals = tables.filter((cell) => cell.table === 'Legs' && cell.name === 'Notional');
      const sum = notionals.reduce((total, { text }) => total + cents(text), 0);
      expect(sum).to.be.closeTo(Math.round(Number(grossNotional) * 100), legs.length);
    }
    for (const screen of ['/portfolio', '/orders', '/history', '/accounts', '/markets']) {
      await tab.goTo(screen);
      await page.locator('h1').first().waitFor();
      const { lists } = await settled();
      for (const [name, text] of lists)
        if (['Equity', 'Balance', 'Day', 'Unrealised', 'Unrealised PnL'].includes(name))
          note(name === 'Unrealised PnL' ? 'Unrealised' : name, text, screen);
    }
    for (const [name, places] of seen)
      expect(new Set(places.values()).size, `${name}: ${JSON.stringify([...places])}`).to.equal(1);
    expect([...(seen.get('Unrealised')?.keys() ?? [])]).to.include.members([
      '/portfolio',
      'total of the table',
    ]);
  });
});
