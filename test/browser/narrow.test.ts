/** Narrow windows, and wide ones at 200 % zoom: nothing leaves the bar, least of all Stop, and no figure is cut. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { connectAgent, signedIn } from '../support/agents.ts';
import { firstSeen } from '../support/browser.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { seenIn } from '../support/hidden-cells.ts';
import type { Json } from '../support/json.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { PAIR, usd } from '../support/trader.ts';

const WIDTHS = [320, 400, 480, 640, 641, 760, 800, 900, 1000, 1001, 1100, 1280];
const HEIGHT = 800;

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
}

/** Visible parts of the bar, from left to right. */
const seenInBar = (page: Page) =>
  page.evaluate<readonly Box[]>(`(() => {
    const bar = document.querySelector('header');
    const edge = bar.getBoundingClientRect();
    const shown = [...bar.querySelectorAll('button, a, [role=status], dl > div, [title]')]
      .filter((one) => one.parentElement.closest('button, a, [role=status], dl > div, [title]') === null)
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.top < edge.bottom && box.bottom <= edge.bottom + 1)
      .filter(({ one }) => {
        const line = one.closest('dl')?.getBoundingClientRect();
        return line === undefined || one.getBoundingClientRect().bottom <= line.bottom + 1;
      });
    return shown.map(({ one, box }) => ({
      name: one.getAttribute('aria-label') ?? one.textContent, left: box.left, right: box.right,
    })).sort((a, b) => a.left - b.left);
  })()`);

describe('the dashboard in narrow windows', function () {
  this.timeout(180_000);
  const desk = screenSuite();
  const { bot, gateway, page } = desk;

  it('keeps Stop and the account in its bar, and nothing over anything else', async () => {
    await gateway.request('PATCH', `/trade-accounts/${bot.accountId}`, {
      headers: { authorization: `Bearer ${bot.accessToken}` },
      body: { alias: 'A trade account with a long name' },
    });
    await bot.open(PAIR);
    await bot.call('POST', '/safety/pause', {});
    await desk.goTo('/settings');
    await page.getByRole('banner').getByText('New orders paused').waitFor();
    await page.getByRole('banner').getByText('Live data').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const seen = await seenInBar(page);
      const names = seen.map(({ name }) => name);
      for (const [index, { name, right }] of seen.entries()) {
        expect(right, `${name} at ${width}, of ${names}`).to.be.at.most(width);
        const next = seen[index + 1];
        if (next !== undefined)
          expect(next.left, `${next.name} over ${name} at ${width}`).to.be.at.least(right - 0.5);
      }
      expect(
        names.some((name) => name.includes('Stop')),
        `Stop at ${width}`,
      ).to.equal(true);
      if (width >= 800)
        expect(
          names.some((name) => name.includes('Equity')),
          `equity at ${width}`,
        ).to.equal(true);
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      const item = page.getByRole('menuitem', { name: 'Close everything…' });
      const box = await item.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), `menu at ${width}`).to.be.at.most(width);
      await page.keyboard.press('Escape');
      await item.waitFor({ state: 'detached' });
    }
    await bot.call('POST', '/safety/resume', {});
  });

  it('shows the name of the account whole in 400 × 800, and the details of an agent without scrolling sideways @long', async () => {
    const agent = await connectAgent(gateway, bot);
    const [known] = (await signedIn(gateway, bot).call('GET', '/agents')).json.agents;
    await signedIn(gateway, bot).call('PUT', `/agents/${known.id}/mandate`, {
      mandate: smallMandate(bot.accountId, { maxOrderUsd: '250' }),
      ifVersion: known.mandate?.version ?? 0,
    });
    await agent.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    await page.setViewportSize({ width: 400, height: HEIGHT });
    for (const alias of ['Paper', 'Momentum pairs']) {
      await gateway.request('PATCH', `/trade-accounts/${bot.accountId}`, {
        headers: { authorization: `Bearer ${bot.accessToken}` },
        body: { alias },
      });
      await desk.goTo('/agents');
      const name = page.getByRole('combobox', { name: 'Trade account' }).getByText(alias, { exact: true });
      await name.waitFor();
      await page.getByRole('banner').getByText('Live data').waitFor({ state: 'attached' });
      const [x, y] = await name.evaluate((one) => [
        one.scrollWidth - one.clientWidth,
        one.scrollHeight - one.clientHeight,
      ]);
      expect([x, y], alias).to.deep.equal([0, 0]);
    }
    await page.getByRole('button', { name: /^Details/ }).click();
    const refused = page.getByRole('list', { name: /^Refused attempts of/ });
    await refused.getByRole('listitem').first().waitFor();
    await firstSeen(page.getByRole('list', { name: /^Activity of/ }).getByRole('listitem'));
    // Words of one cell do not stand over those of another one.
    expect((await seenIn(page, 'Connected agents')).hidden).to.deep.equal([]);
    const cut = await page.evaluate<readonly string[]>(`(() => {
      const { right } = document.querySelector('main table').parentElement.getBoundingClientRect();
      const inside = [...document.querySelectorAll('main table td[colspan] *')];
      return inside.filter((one) => one.getBoundingClientRect().right > right)
        .map((one) => one.tagName + ' ' + one.textContent.slice(0, 40));
    })()`);
    expect(cut).to.deep.equal([]);
    await expectAccessible(page, 'details of an agent in 400 × 800');
  });

  it('shows where protection fires whole in 320 × 800 @long', async () => {
    await page.setViewportSize({ width: 320, height: HEIGHT });
    await bot.open([usd('BTC', 'BUY', '41000')], { stopLoss: { type: 'PRICE', value: '1000.5' } });
    const held = (await bot.positions()).find(({ legs }) => legs.length === 1);
    await desk.goTo(`/positions/${held?.id}`);
    const region = page.getByRole('region', { name: 'Protection' });
    await region
      .getByText(/^fires at basket price 1,000\.5 \(99\.\d\d\s% away\): ≈\s−\$\d\d,\d{3}\.\d\d$/)
      .waitFor();
    const right = await region.evaluate((one) =>
      Math.max(...[...one.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right)),
    );
    expect(right).to.be.at.most(320);
    await expectAccessible(page, 'protection in 320 × 800');
  });

  it('shows every figure of a row whole in 400 × 800: one that is cut would be read as another one @long', async () => {
    await page.setViewportSize({ width: 400, height: HEIGHT });
    await bot.open([usd('SOL', 'BUY', '41000'), usd('XRP', 'SELL', '41000')]);
    const held = (await bot.positions()).find(({ legs }) =>
      legs.some((leg: Json) => leg.symbol === 'SOL-PERP'),
    );
    const set = await bot.call('PUT', `/positions/${held?.id}/brackets`, {
      takeProfit: { type: 'PERCENTAGE', value: '12.5' },
      stopLoss: { type: 'PERCENTAGE', value: '13.5', trailing: { delta: '11' } },
    });
    expect(set.status, set.text).to.equal(200);
    await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' },
    });
    for (const [path, table, texts] of [
      [
        '/positions',
        'Open positions',
        ['SOL', 'XRP', /^Size\s*\$8[12],\d{3}\.\d\d$/, /^Unrealised\s*[−+]?\$\d/, /−13\.5.%, trailing 11.%/],
      ],
      ['/orders/triggers', 'Triggers', ['BTC', 'ETH', /Price ratio below.5/, 'Waiting']],
      ['/history/fills', 'Fills', ['XRP', 'Sell', /^Notional\s*\$4[01],\d{3}\.\d\d$/]],
    ] as const) {
      await desk.goTo(path);
      const row = page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]').first();
      await row.waitFor();
      // Nor over the next one: all texts of a card stay in their cells.
      const over = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('main tr[data-row] > td')]
          .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText)`,
      );
      expect(over, `${path}: wider than its cell`).to.deep.equal([]);
      await row.scrollIntoViewIfNeeded();
      const { said, hidden } = await seenIn(page, table);
      expect(hidden, `${path}: cut, covered or out of view`).to.deep.equal([]);
      for (const text of texts)
        expect(
          said.some((one) => (typeof text === 'string' ? one.includes(text) : text.test(one))),
          `${text} in ${said.join(' | ')}`,
        ).to.equal(true);
    }
  });
});
