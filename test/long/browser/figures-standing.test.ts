/** Figures of one account while the market stands still: each is the same on every screen, and sums are those of their parts. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { type Caller, connectAgent, signedIn } from '../../support/agents.ts';
import { SCREENS } from '../../support/dashboard-screens.ts';
import { dashboardSuite } from '../../support/dashboard-suite.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, machineClock, untilPage } from '../../support/page-time.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { PAIR, traderOn, usd } from '../../support/trader.ts';
import { until } from '../../support/until.ts';

/** Dollars of a text: `−$1,234.50` → −123450 cents. */
function cents(text: string): number {
  const [, sign = '', digits = ''] = /([+\u2212-]?)\$([\d,]+\.\d\d)/.exec(text) ?? [];
  if (digits === '') return Number.NaN;
  return (sign === '\u2212' || sign === '-' ? -1 : 1) * Math.round(Number(digits.replaceAll(',', '')) * 100);
}
/** The machine's clock until it is stopped. The simulated market then stands still, while timers still run. */
function stoppableClock() {
  let stoppedAt: number | null = null;
  return {
    ...systemClock,
    now: () => stoppedAt ?? systemClock.now(),
    stop() {
      stoppedAt = systemClock.now();
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

/** Room for every column: a narrower table leaves some out. */
const WIDE = { context: { viewport: { width: 1_920, height: 1_080 } } };
/** Figures of the account, whatever screen they stand on. */
const ACCOUNT = /^(Equity|Balance|Day|Unrealised|Unrealised PnL)$/;
const MONEY = /[+\u2212]?\$[\d,.]+/;
const ID = /^[\da-f]{8}-/;
/** Positions has room for what the venue closes first: `−94.7 %ETH first`. */
const FIRST_TO_GO = /[A-Z\d]+ first$/;
/** Columns that say the same in other words, say something else on each screen, or go on: brackets, times, ages. */
const REPEATED = /^(TP \/ SL|Age|Time|Since|Connected since|Actions|State|Step|)$/;

describe('every figure of an account that stands still', function () {
  this.timeout(240_000);
  const clock = stoppableClock();
  const suite = dashboardSuite({ overrides: { clock } });

  /** The user, signed in as the page is. */
  const bot = () => traderOn(suite.gateway, { key: '', ...suite });
  const call = (method: string, path: string, body?: unknown) =>
    signedIn(suite.gateway, bot()).call(method, path, body);
  const read = async (path: string): Promise<Json> => (await call('GET', path)).json;
  const positions = async (): Promise<readonly Json[]> => (await read('/positions?status=OPEN')).positions;

  before(
    'positions, an order that waits, an agent that has traded; then the market stands still',
    async function () {
      this.timeout(60_000);
      const opened = async (caller: Caller, body: object) => {
        const before = (await positions()).length;
        await caller.expect('POST', '/trade/open', { type: 'MARKET', ...body }, 202);
        await until(machineClock, 'it is open', async () => (await positions()).length === before + 1);
      };
      const own = signedIn(suite.gateway, bot());
      await opened(own, { legs: [usd('BTC', 'BUY', '40000'), usd('ETH', 'SELL', '20000')] });
      await opened(own, { legs: [usd('SOL', 'BUY', '5000')] });
      await opened(own, { legs: [usd('LINK', 'BUY', '3000'), usd('AVAX', 'SELL', '3000')] });
      const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '10' };
      const price = { type: 'PRICE', direction: 'LESS_THAN', value: '10', symbol: 'BTC-PERP' };
      // A trigger of two legs and one of one leg, and a stop: each is measured in another unit.
      for (const legs of [PAIR, PAIR.slice(0, 1)]) {
        await own.expect('POST', '/triggers/open', {
          legs,
          condition: legs.length === 2 ? condition : price,
        });
      }
      const [newest] = await positions();
      await own.expect('PUT', `/positions/${newest?.['id']}/brackets`, {
        stopLoss: { type: 'PERCENTAGE', value: '50' },
      });
      const agent = await connectAgent(suite.gateway, bot());
      const small = smallMandate(suite.accountId, { maxOrderUsd: '1000' });
      const approval = { ...small.approval, when: 'never', aboveUsd: null, firsts: 'off' } as const;
      const mandate = { mandate: { ...small, approval }, ifVersion: 0 };
      await own.expect('PUT', `/agents/${agent.grantId}/mandate`, mandate);
      await opened(agent, { legs: [usd('DOGE', 'BUY', '300')] });
      clock.stop();
    },
  );

  /** Once two readings in a row are the same: everything has been read after the market stood still. */
  const settled = async (page: Page) => {
    let last = '';
    return untilPage(page, 'the page stands still', async () => {
      const figures = await page.evaluate<Figures>(FIGURES);
      // Spans of time go on.
      const text = JSON.stringify(figures).replaceAll(/\d+ (s|min|h|d)\b/g, '');
      await framesPass(page, 600);
      const isSame = text === last;
      last = text;
      return isSame ? figures : null;
    });
  };

  it('is the same wherever it stands, and the sums are those of their parts', async () => {
    const tab = await suite.open('/positions', WIDE);
    const { page } = tab;
    await page.getByRole('table', { name: 'Open positions' }).getByText('LINK').waitFor();
    const seen = new Map<string, Map<string, string>>();
    const note = (name: string, text: string, where: string) => {
      const places = seen.get(name) ?? new Map<string, string>();
      // Beside the amount a tile may say what it is of.
      seen.set(name, places.set(where, /[+\u2212]?\$[\d,.]+/.exec(text)?.[0] ?? text));
    };
    const open = await settled(page);
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
      const { lists, tables } = await settled(page);
      const drawer = new Map(lists.slice(-20));
      expect(drawer.get('Size')).to.equal(cellsOf(id, 'Size'));
      expect(drawer.get('Unrealised')).to.contain(cellsOf(id, 'Unrealised'));
      expect(drawer.get('Price ratio at entry')).to.equal(cellsOf(id, 'Entry price ratio'));
      const parts = [cellsOf(id, 'Unrealised')];
      for (const name of ['Realised', 'Funding', 'Fees']) parts.push(drawer.get(name) ?? '');
      const net = parts.reduce((total, text) => total + cents(text), 0);
      expect(net, `net of ${parts.join(', ')}`).to.be.closeTo(
        cents(drawer.get('Net PnL') ?? ''),
        parts.length,
      );
      const notionals = tables.filter((cell) => cell.table === 'Legs' && cell.name === 'Notional');
      const sum = notionals.reduce((total, { text }) => total + cents(text), 0);
      expect(sum).to.be.closeTo(Math.round(Number(grossNotional) * 100), legs.length);
    }
    for (const screen of ['/portfolio', '/orders', '/history', '/accounts', '/markets']) {
      await tab.goTo(screen);
      await page.locator('h1').first().waitFor();
      const { lists } = await settled(page);
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

  itInFreshTab(
    'is on Trade, the Screener, Agents and Settings what it is elsewhere, and what the gateway has',
    async () => {
      const screens = [
        ...SCREENS.map(({ path }) => path),
        '/orders/triggers',
        '/history/fills',
        '/markets/pairs',
        '/trade?long=BTC-PERP&short=ETH-PERP',
      ];
      const tab = await suite.open('/positions', WIDE);
      const { page } = tab;
      /** Cell (row and column) or figure of an account → screen → text. */
      const places = new Map<string, Map<string, string>>();
      const note = (name: string, where: string, text: string) =>
        places.set(name, (places.get(name) ?? new Map<string, string>()).set(where, text));
      const lists = new Map<string, ReadonlyMap<string, string>>();
      const noteAll = ({ lists: found, tables }: Figures, where: string) => {
        lists.set(where, new Map(found));
        for (const [name, text] of found)
          if (ACCOUNT.test(name)) note(name.replace(/ PnL$/, ''), where, MONEY.exec(text)?.[0] ?? text);
        // An id stands for the same thing everywhere; pairs and totals have names that are only of their table.
        for (const { table, row, name, text } of tables)
          if (!REPEATED.test(name) && ID.test(row))
            note(`${row} ${name}`, `${where}, ${table}`, text.replace(FIRST_TO_GO, ''));
      };
      for (const screen of screens) {
        await tab.goTo(screen);
        await page.locator('h1').first().waitFor();
        // It is computed by a thread that waits for everything else, other tests' processes too.
        if (screen === '/screener') await page.locator('[data-row]').first().waitFor({ timeout: 150_000 });
        if (screen === '/settings') await page.getByText('API', { exact: true }).waitFor();
        if (screen.startsWith('/trade?'))
          await untilPage(page, 'the figures of the pair', async () => {
            const text = (await page.getByLabel('About the pair').textContent()) ?? '';
            return text !== '' && !text.includes('–');
          });
        noteAll(await settled(page), screen);
      }

      // The panel under the chart, tab by tab; its counts are those of the lists.
      const dock = page.getByRole('region', { name: 'This account' });
      const held = await positions();
      const waiting: readonly Json[] = (await read('/triggers?status=ACTIVE')).triggers;
      for (const [name, count] of [
        ['Positions', held.length],
        ['Triggers', waiting.length],
        ['Fills', null],
      ] as const) {
        const own = dock.getByRole('tab', { name: new RegExp(`^${name}`) });
        await own.click();
        if (count !== null) expect(await own.textContent()).to.equal(`${name}${count}`);
        await dock.locator('tr[data-row]').first().waitFor();
        noteAll(await settled(page), `Trade, ${name}`);
      }
      const pair = held.find(({ legs }) => legs.length === 2 && legs[0].symbol === 'BTC-PERP') ?? {};
      for (const name of [
        ...['Size', 'Unrealised', 'Entry price ratio', 'Price ratio Now', '% of entry'],
        ...['Net PnL', 'To liquidation'],
      ])
        expect([...(places.get(`${pair['id']} ${name}`)?.keys() ?? [])], name).to.have.length.at.least(2);
      const contradictions = [...places].filter(([, found]) => new Set(found.values()).size > 1);
      expect(contradictions.map(([name, found]) => `${name}: ${JSON.stringify([...found])}`)).to.deep.equal(
        [],
      );

      // The head of the pair.
      const { long, short } = { long: 'BTC-PERP', short: 'ETH-PERP' };
      const prices: readonly Json[] = (await read('/prices?connector=paper')).prices;
      const mark = (id: string) => Number(prices.find((one) => one['id'] === id)?.['mark']);
      const head = (await page.getByLabel('About the pair').locator('..').textContent()) ?? '';
      const ratio = /Mark ratio([\d.,]+)/.exec(head)?.[1] ?? '';
      expect(Number(ratio)).to.be.closeTo(mark(long) / mark(short), 0.005);
      const shownRatio = places.get(`${pair['id']} Price ratio Now`)?.values().next().value;
      expect(Number(shownRatio)).to.be.closeTo(Number(ratio), 0.005);
      const entry = page.getByRole('slider', { name: 'Move Entry' });
      expect(Number(await entry.getAttribute('aria-valuenow'))).to.be.closeTo(
        Number(pair['entryPrice']),
        1e-9,
      );
      const about = lists.get('/trade?long=BTC-PERP&short=ETH-PERP') ?? new Map<string, string>();
      const screened = (await read('/analytics/screener?connector=paper&search=btc%20eth')).pairs[0];
      await tab.goTo('/screener');
      await page.getByRole('searchbox', { name: 'Search' }).fill('btc eth');
      await untilPage(page, 'only that pair', async () => (await page.locator('[data-row]').count()) === 1);
      const cells = new Map((await settled(page)).tables.map(({ name, text }) => [name, text]));
      const [volume, least] = (about.get('Volume 24 h') ?? '').split(' least: ');
      expect(volume, 'volume').to.equal(cells.get('Volume 24 h'));
      const volumes: readonly Json[] = (await read('/markets?connector=paper&limit=500')).markets;
      const [bitcoin = 0, ether = 0] = ['BTC', 'ETH'].map((ticker) =>
        Number(volumes.find(({ symbol }) => symbol === ticker)?.['volume24h']),
      );
      expect(least, 'whose volume').to.equal(bitcoin <= ether ? 'BTC' : 'ETH');
      const percent = (text: string | undefined) =>
        Number(/[+\u2212]?[\d.]+/.exec(text ?? '')?.[0].replace('\u2212', '-'));
      const apr = about.get('Funding APR') ?? '';
      const [, held24 = '', reversed = ''] = /^(.*?)\s*reversed\s*(.*)$/.exec(apr) ?? [];
      const who = percent(held24) < 0 ? /you pay$/ : percent(held24) > 0 ? /you receive$/ : /%/;
      expect(held24, 'who pays').to.match(who);
      const rates: readonly Json[] = (await read('/funding?connector=paper')).funding;
      const yearly = (id: string) => {
        const rate = rates.find((one) => one['id'] === id) ?? {};
        return (Number(rate['rate']) / Number(rate['intervalHours'])) * 24 * 365 * 100;
      };
      expect(percent(held24), 'of equal legs').to.be.closeTo((yearly(short) - yearly(long)) / 2, 0.006);
      const { first, second } = screened;
      const hedge = Number(screened.hedgeRatio);
      const ofSecond = hedge >= 0.1 && hedge <= 10 ? hedge : 1;
      const carry = (yearly(second.id) * ofSecond - yearly(first.id)) / (1 + ofSecond);
      expect(percent(cells.get('Carry APR')), 'carry, of legs weighed by h').to.be.closeTo(
        screened.direction === 'SHORT_FIRST' ? -carry : carry,
        0.006,
      );
      expect(percent(held24), 'both ways').to.be.closeTo(-percent(reversed), 0.0002);
      for (const [name, value] of [
        ['Z-score', screened.zScore],
        ['Correlation', screened.correlation],
        ['Coint. p', screened.pValue],
      ])
        expect(percent(cells.get(name)), name).to.be.closeTo(Number(value), 0.006);
      // Figures of other spans of time have other names.
      for (const [name, text] of about)
        if (['Correlation', 'Half-life', 'Z-score'].includes(name))
          expect(text, name).to.equal(cells.get(name));

      // The ticket, worked out from its legs.
      await tab.goTo('/trade?long=BTC-PERP&short=ETH-PERP');
      const ticket = page.getByRole('form', { name: 'Ticket' });
      await ticket.getByLabel('Notional').fill('600');
      await ticket.getByText(/(than|the) mark/).waitFor();
      const typed = new Map((await settled(page)).lists);
      const half = { mode: 'WEIGHT', amount: '0.5' };
      const legs = [
        { symbol: long, side: 'BUY', ...half },
        { symbol: short, side: 'SELL', ...half },
      ];
      const body = { type: 'MARKET', legs, totalUsd: '600', dryRun: true };
      const { plan } = (await call('POST', '/trade/open', body)).json;
      const margin = plan.legs.reduce((total: number, leg: Json) => total + Number(leg['margin']), 0);
      const [needed = '', free = ''] = (typed.get('Margin') ?? '').split('of ');
      expect(cents(needed), 'margin').to.be.closeTo(margin * 100, 1);
      const portfolio = await read('/portfolio');
      const risk = await read('/positions/risk');
      // An account that stands still: what the order adds stands beside what risk says of now, tier by tier.
      const { after } = plan;
      const [move, backed] = ['Liquidation after', 'Margin ratio after'].map(
        (name) => /([\d.]+)\s%(?=$|, first: )/.exec(typed.get(name) ?? '')?.[1],
      );
      expect(Number(backed) / 100, 'margin ratio').to.be.closeTo(Number(after.marginRatio), 0.00006);
      expect(Number(move) / 100, 'liquidation').to.be.closeTo(
        Math.abs(Number(after.basket.ratioMove)),
        0.0006,
      );
      expect(Number(after.maintenanceMargin) - Number(risk.maintenanceMargin)).to.be.within(1, 60);
      expect(Number(portfolio.equity) - Number(after.equity)).to.be.within(-0.5, 2);
      const used = held.reduce((total, { marginUsed }) => total + Number(marginUsed), 0);
      expect(cents(free), 'equity less the margin in use').to.be.closeTo(
        (Number(portfolio.equity) - used) * 100,
        2,
      );
      expect(risk.baskets).to.have.length(held.length);

      // The agent's limits: one order of $300 is what it holds.
      await tab.goTo('/agents');
      await page
        .getByRole('button', { name: /^Details/ })
        .first()
        .click();
      await page.getByText('Counts as opened in 24 hours').waitFor();
      const ofAgent = new Map((await settled(page)).lists);
      const [{ usage }] = (await read('/agents')).agents;
      const doge = held.find((one) => one['legs'][0].symbol === 'DOGE-PERP') ?? {};
      expect(Number(usage.openedUsd24h)).to.be.closeTo(300, 1);
      expect(Number(usage.grossUsd)).to.be.closeTo(Number(doge['grossNotional']), 1);
      for (const [name, value] of [
        ['Counts as opened in 24 hours', usage.openedUsd24h],
        ['Counts as held and waiting', usage.grossUsd],
      ])
        expect(Number(/[\d,.]+/.exec(ofAgent.get(name) ?? '')?.[0].replaceAll(',', '')), name).to.be.closeTo(
          Number(value),
          0.01,
        );
      for (const name of ['Positions', 'Orders in 24 hours'])
        expect(ofAgent.get(name), name).to.match(/^1 of /);

      // Settings, and the bell.
      const settings = lists.get('/settings');
      const version = await read('/version');
      expect([settings?.get('Gateway'), settings?.get('API')]).to.deep.equal([
        version.version,
        version.apiVersion,
      ]);
      const unread = (await read('/notifications?scope=unread&limit=100')).notifications.length;
      const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ });
      expect(await bell.getAttribute('aria-label')).to.equal(
        unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
      );
    },
  );
});
