/** Narrow windows: every screen can be used, and no figure is cut. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { SCREENS } from '../../support/dashboard-screens.ts';
import { seenIn } from '../../support/hidden-cells.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { PAIR, usd } from '../../support/trader.ts';

const HEIGHT = 800;

describe('screens in narrow windows', function () {
  this.timeout(180_000);
  const desk = screenSuite();

  it('can be used in 400 × 800 on every screen', async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 400, height: HEIGHT });
    const basket = { name: 'Trade', path: '/trade?long=BTC-PERP&short=ETH-PERP' };
    const stream = { name: 'Developers', path: '/developers/stream' };
    const calls = { name: 'Developers', path: '/developers/requests' };
    for (const { name, path } of [...SCREENS, basket, stream, calls]) {
      await desk.goTo(path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('banner').getByText('Live data').waitFor({ state: 'attached' });
      const widths = await page.evaluate<readonly number[]>(`(() => {
        const header = document.querySelector('main h1').closest('header');
        return [document.documentElement, header, header.nextElementSibling].map((one) => one.scrollWidth);
      })()`);
      // Tables scroll by themselves; nothing around them does.
      expect(Math.max(...widths), `${path} is as wide as its window`).to.be.at.most(400);
      expect(Math.max(...widths.slice(1)), `${path} is as wide as its place`).to.be.at.most(400 - 72);
      // Whatever can be pressed can be brought to where it is seen whole.
      const out = await page.evaluate<readonly string[]>(`(() => {
        const found = [];
        for (const one of document.querySelectorAll('main button, main input, main a')) {
          if (one.closest('[aria-hidden=true]') !== null || one.checkVisibility() === false) continue;
          one.scrollIntoView({ block: 'center', inline: 'nearest' });
          const { left, right, width } = one.getBoundingClientRect();
          if (width > 1 && (left < 71 || right > 401)) found.push(one.getAttribute('aria-label') ?? one.textContent ?? one.name);
        }
        return found;
      })()`);
      expect(out, name).to.deep.equal([]);
      await expectAccessible(page, `${name} in 400 × 800`);
    }
  });

  it('cuts no figure of a basket or its legs in any width', async () => {
    const { bot, page } = desk;
    await bot.open([
      usd('LINK', 'BUY', '41000'),
      usd('AVAX', 'BUY', '21000'),
      usd('DOGE', 'SELL', '31000'),
      usd('XRP', 'SELL', '21000'),
    ]);
    const link = (await bot.positions()).find(({ legs }) =>
      legs.some((leg: Json) => leg.symbol === 'LINK-PERP'),
    );
    await bot.expect('PUT', `/positions/${link?.id}/brackets`, {
      takeProfit: { type: 'PERCENTAGE', value: '12.5' },
      stopLoss: { type: 'PERCENTAGE', value: '13.5', trailing: { delta: '11' } },
    });
    await page.setViewportSize({ width: 1440, height: HEIGHT });
    await desk.goTo('/positions');
    const row = page
      .getByRole('table', { name: 'Open positions' })
      .locator('tr[data-row]')
      .filter({ hasText: 'LINK' })
      .first();
    await row.getByRole('button', { name: 'Details' }).click();
    const legs = page.getByRole('table', { name: 'Legs' }).or(page.getByRole('list', { name: 'Legs' }));
    for (const width of [1920, 1600, 1440, 1280, 1100, 1000, 900, 800, 700, 600]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await legs.getByText('Notional').first().waitFor();
      let over: Readonly<Record<string, number>> | null = null;
      // Nothing is out of view or under the actions, so nothing is there to scroll to. Cards come a frame after the width.
      await untilPage(page, `nothing is cut at ${width}`, async () => {
        over = await page.evaluate<Readonly<
          Record<string, number>
        > | null>(`innerWidth !== ${width} ? null : (() => {
          const frames = [...document.querySelectorAll('main table')].map((one) => one.parentElement);
          const cards = [...document.querySelectorAll('ul[aria-label=Legs]')];
          return Object.fromEntries([...frames, ...cards].map((one) => [
            one.firstElementChild.ariaLabel ?? 'cards', one.scrollWidth - one.clientWidth,
          ]));
        })()`);
        return over !== null && Math.max(...Object.values(over)) <= 0;
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(over)}`);
      });
      for (const name of ['Realised', 'Funding', 'Fees', 'Weight / target', 'Liquidation alone'])
        await legs.getByText(name, { exact: true }).first().waitFor();
      // Level of the trailing stop. Its distance is in its title and in the position's details.
      const stop = row.getByTitle(/^−13.5 %, trailing 11 %, fires at [+−][\d.]+ %$/);
      if (width >= 1000) await stop.getByText(/^Trailing stop.*[+−][\d.]+ %$/).waitFor();
      // The name gives way after every figure that can.
      const name = row.getByTitle('LINK + AVAX / DOGE + XRP');
      if (width < 700) continue;
      expect(
        await name.evaluate((one) => [one, ...one.children].map((at) => at.scrollWidth - at.clientWidth)),
        `name at ${width}`,
      ).to.satisfy((cut: readonly number[]) => cut.every((px) => px <= 0));
    }
    await page.setViewportSize({ width: 1920, height: HEIGHT });
    // The drawer shows the columns that a narrow table leaves out.
    await row.press('Enter');
    for (const name of ['Price ratio at entry', 'Realised', 'Funding', 'Opened'])
      await page.getByRole('dialog').getByText(name, { exact: true }).first().waitFor();
  });

  const MANY = [
    ...['LINK', 'AVAX', 'DOGE', 'LTC'].map((name) => usd(name, 'BUY', '4100')),
    ...['XRP', 'ADA', 'ARB', 'OP'].map((name) => usd(name, 'SELL', '4100')),
  ];
  /** Orders that rest: they never arrive at the venue, which is found out after some seconds. */
  async function restingOrders(): Promise<void> {
    const { bot, gateway } = desk;
    const lost = { match: { times: null }, action: { kind: 'drop_request' } } as const;
    gateway.gateway.paperVenue('paper').setFaults({ rules: [lost] });
    await bot.expect('POST', '/trade/open', { type: 'MARKET', legs: MANY }, 202);
  }
  async function noOrders(): Promise<void> {
    await desk.bot.call('POST', '/orders/cancel-all');
    desk.gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
  }
  /** Width in px of the first such table that is out of view or under pinned columns. */
  const overIn = (table: string, width: number) =>
    desk.page.evaluate<number>(`innerWidth !== ${width} ? 9_999 : (() => {
      const frame = document.querySelector('table[aria-label="${table}"]').parentElement;
      return frame.scrollWidth - frame.clientWidth;
    })()`);
  async function expectAllInView(table: string): Promise<void> {
    for (const width of [1920, 1440, 1280, 1240, 1100, 1001, 900, 870, 760, 640]) {
      await desk.page.setViewportSize({ width, height: HEIGHT });
      await untilPage(
        desk.page,
        `all of ${table} in view at ${width}`,
        async () => (await overIn(table, width)) <= 0,
      );
    }
  }

  it('says of each open order its basket, what it does, what it comes to and what has filled', async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 1920, height: HEIGHT });
    await desk.goTo('/orders/open');
    await page.getByText('No open orders').waitFor();
    await restingOrders();
    try {
      const row = page.getByRole('table', { name: 'Open orders' }).locator('tr[data-row]').first();
      await row.getByText(/^\$[34],\d{3}\.\d\d$/).waitFor();
      // The names of its instruments come for themselves.
      await row.getByText('Buy LINK', { exact: true }).waitFor();
      const { said } = await seenIn(page, 'Open orders');
      expect(said).to.include.members(['Action Open', 'Order Buy LINK', 'Filled 0\u00a0%']);
      expect(said.find((one) => one.startsWith('Basket'))).to.match(/LINK \+ AVAX \+ DOGE \+ LTC.*XRP/);
      await row.getByRole('button', { name: 'Details' }).click();
      await expectAccessible(page, 'open orders with the whole name of their basket');
      await expectAllInView('Open orders');
      const whole = page.locator('td[colspan]').getByTitle('LINK + AVAX + DOGE + LTC / XRP + ADA + ARB + OP');
      expect(await whole.evaluate((one) => one.scrollWidth - one.clientWidth)).to.be.at.most(0);
    } finally {
      await noOrders();
    }
  });

  itInFreshTab('covers nothing in the panel of Trade, and says names of many legs whole', async () => {
    const { bot, page } = desk;
    await bot.open(PAIR);
    await bot.open(MANY);
    const stops = {
      takeProfit: { type: 'PERCENTAGE', value: '12.5' },
      stopLoss: { type: 'PERCENTAGE', value: '13.5', trailing: { delta: '11' } },
    };
    for (const { id } of await bot.positions()) await bot.call('PUT', `/positions/${id}/brackets`, stops);
    const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '-4' };
    await bot.expect('POST', '/triggers/open', {
      legs: PAIR,
      condition: { ...condition, transform: 'Z_SCORE', lookback: 240 },
    });
    const twap = { legs: MANY, durationSeconds: 1_800, intervalSeconds: 600 };
    expect((await bot.call('POST', '/schedules', twap)).status).to.equal(200);
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await desk.goTo('/trade?long=BTC-PERP&short=ETH-PERP');
    const dock = page.getByRole('region', { name: 'This account' });
    for (const [tab, table] of [
      ['Positions', 'Open positions'],
      ['Triggers', 'Triggers'],
      ['TWAP and ladders', 'TWAP'],
      ['Open orders', 'Open orders'],
    ] as const) {
      if (tab === 'Open orders') await restingOrders();
      await page.setViewportSize({ width: 1280, height: HEIGHT });
      await dock.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      const many = dock
        .getByRole('table', { name: table, exact: true })
        .locator('tr[data-row]')
        .filter({ hasText: 'LINK' })
        .filter({ hasText: 'LTC' })
        .first();
      await many.getByRole('button', { name: 'Details' }).click();
      const whole = dock.locator('td[colspan]').getByTitle('LINK + AVAX + DOGE + LTC / XRP + ADA + ARB + OP');
      await whole.waitFor();
      // The protection column stays beside the pending orders.
      if (tab === 'Positions') await dock.getByRole('columnheader', { name: 'TP / SL' }).waitFor();
      expect(await whole.evaluate((one) => one.scrollWidth - one.clientWidth), table).to.be.at.most(0);
      await expectAllInView(table);
      // Over cards too.
      const ofAll = { Positions: 'Close all', Triggers: 'Cancel all', 'Open orders': 'Cancel all' }[
        tab as string
      ];
      if (ofAll === undefined) continue;
      await page.setViewportSize({ width: 400, height: HEIGHT });
      await dock.getByRole('button', { name: ofAll, exact: true }).waitFor();
      await expectAccessible(page, `${table} as cards with ${ofAll}`);
    }
    await noOrders();
  });
});
