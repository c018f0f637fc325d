/** Placers named on Orders and History: the user, an API key by its label, an agent by its name. */
import { expect } from 'chai';
import { connectAgent, signedIn } from '../../support/agents.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { refusal } from '../../support/dashboard-states.ts';
import { journey, tabTo, WAYS } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { FALLING_LADDER } from '../../support/resting-calls.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { usd } from '../../support/trader.ts';

describe('who placed an order', function () {
  this.timeout(120_000);
  const desk = screenSuite((status) => status === 400);
  const { bot, gateway, page } = desk;

  const textsOf = (table: string) =>
    page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]').allTextContents();

  it('stands on every list of Orders, and on History', async () => {
    const agent = await connectAgent(gateway, bot);
    const { name } = (await signedIn(gateway, bot).call('GET', '/oauth2/grants')).json.grants[0];
    const callers = [
      ['You', signedIn(gateway, bot), 'SOL'],
      ['API key test', bot, 'LINK'],
      [`Agent ${name}`, agent, 'ETH'],
    ] as const;
    const opened: string[] = [];
    for (const [, caller, symbol] of callers) {
      const legs = [usd(symbol, 'BUY', '300')];
      const { json, text } = await caller.call('POST', '/trade/open', { type: 'MARKET', legs });
      const execution = await bot.ended(json.execution.id);
      expect(execution.status, text).to.equal('COMPLETED');
      opened.push(execution.positionId);
      for (const [path, body] of [
        [
          '/triggers/open',
          {
            legs,
            condition: { type: 'PRICE', direction: 'LESS_THAN', value: '1', symbol: `${symbol}-PERP` },
          },
        ],
        ['/schedules', { legs, durationSeconds: 600, intervalSeconds: 300 }],
        ['/ladders', { ...FALLING_LADDER, start: '2', end: '1', legs: [usd(symbol, 'BUY', '3000')] }],
      ] as const)
        expect((await caller.call('POST', path, body)).status, `${path} ${symbol}`).to.equal(200);
    }
    // The schedule's first slice adds to the same position, which is busy while it is on its way.
    const closing = await untilPage(page, 'the position is free to be closed', async () => {
      const answer = await agent.call('POST', `/positions/${opened.at(-1)}/close`, { type: 'MARKET' });
      return answer.status === 202 && answer;
    });
    await bot.ended(closing.json.execution.id);

    for (const [screen, table] of [
      ['/orders', 'Executions'],
      ['/orders/triggers', 'Triggers'],
      ['/orders/twap', 'TWAP schedules'],
      ['/orders/ladders', 'Ladders'],
      ['/history/fills', 'Fills'],
    ] as const) {
      await desk.goTo(screen);
      await page.getByRole('columnheader', { name: 'Placed by' }).waitFor();
      for (const [placer, , symbol] of callers) {
        await page
          .getByRole('table', { name: table, exact: true })
          .getByText(placer, { exact: true })
          .first()
          .waitFor();
        const own = (await textsOf(table)).filter((text) => text.includes(symbol));
        expect(own, `${table}, ${symbol}`).to.not.be.empty;
        for (const text of own) expect(text).to.contain(placer);
      }
      await expectAccessible(page, `${table} with who placed them`);
    }
    await desk.goTo('/history');
    await page.locator('tr[data-row]').first().getByRole('button', { name: 'Details' }).click();
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText(`Agent ${name}`).nth(1).waitFor();
    await expectAccessible(page, 'a closed trade with who placed its steps');
  });

  itInFreshTab(
    'stands with each position, in its row and in full, however long ago it was opened',
    async () => {
      const agent = await connectAgent(gateway, bot);
      const { name } = (await signedIn(gateway, bot).call('GET', '/oauth2/grants')).json.grants[0];
      const opened = new Map<string, string>();
      for (const [placer, caller, symbol] of [
        ['You', signedIn(gateway, bot), 'AVAX'],
        ['API key test', bot, 'DOGE'],
        [`Agent ${name}`, agent, 'XRP'],
      ] as const) {
        const order = { type: 'MARKET', legs: [usd(symbol, 'BUY', '300')] };
        const first = await bot.ended((await caller.call('POST', '/trade/open', order)).json.execution.id);
        opened.set(placer, first.positionId);
      }
      // Adding to a position later does not change its opener.
      const more = { type: 'MARKET', legs: [usd('AVAX', 'BUY', '100')] };
      await bot.ended((await bot.call('POST', '/trade/open', more)).json.execution.id);
      await page.setViewportSize({ width: 1920, height: 1000 });
      const rows = async () => {
        await desk.goTo('/positions');
        for (const [placer, id] of opened)
          await page.locator(`tr[data-row="${id}"]`).getByText(placer, { exact: true }).waitFor();
      };
      await rows();
      await expectAccessible(page, 'positions with who opened them');
      await desk.goTo(`/positions/${opened.get(`Agent ${name}`)}`);
      const facts = page.getByRole('dialog').locator('dl > div').filter({ hasText: 'Opened by' });
      await facts.getByText(`Agent ${name}`, { exact: true }).waitFor();
      // Among the executions that are listed there is none of them any more.
      await page.route(/\/executions\?/, (route) => route.fulfill({ json: { executions: [] } }));
      await page.reload();
      await facts.getByText(`Agent ${name}`, { exact: true }).waitFor();
      await rows();
      // One that cannot be read keeps no other from being found.
      const unread = new RegExp(`/fills/${opened.get('You')}`);
      await page.route(unread, (route) => route.fulfill(refusal(400, 'VALIDATION_ERROR', 'Not now', [])));
      await page.reload();
      const shown = (placer: string) => page.locator(`tr[data-row="${opened.get(placer)}"]`);
      await shown('You').focus();
      await page.keyboard.press('/');
      await page.keyboard.type('api key');
      await shown('You').waitFor({ state: 'detached' });
      await shown('API key test').waitFor();
      await page.unrouteAll();
    },
  );

  for (const way of WAYS)
    itInFreshTab(`is one action away, by ${way}`, async () => {
      const agentOrder = (await bot.call('GET', '/executions?limit=100')).json.executions.find(
        ({ authority }: Json) => authority.kind === 'oauth_grant',
      );
      await page.setViewportSize({ width: 1280, height: 800 });
      const placer = `Agent ${agentOrder.authority.name}`;
      /** In the window, without scrolling either way. */
      const seen = async (table: string) => {
        const cell = page
          .getByRole('table', { name: table, exact: true })
          .locator('tr[data-row]')
          .getByText(placer, { exact: true })
          .first();
        // Content that loads above may still move it.
        await untilPage(page, `${placer} among ${table} in view`, async () => {
          const box = await cell.boundingBox();
          return box !== null && box.x + box.width <= 1280 && box.y + box.height <= 800;
        });
      };
      const trade = async () => {
        await desk.goTo('/trade');
        await page.getByRole('heading', { level: 1, name: 'Trade' }).waitFor();
      };
      await trade();
      const toOrders = journey(page, way);
      if (way === 'mouse') await toOrders.press(page.getByRole('link', { name: 'Orders' }));
      else await toOrders.keys('g', 'o');
      await seen('Executions');
      expect(toOrders.actions).to.equal(1);

      // Fills are named in the panel under the chart too.
      await trade();
      const inPanel = journey(page, way);
      const tabs = page.getByRole('region', { name: 'This account' }).getByRole('tab');
      if (way === 'keyboard') await tabTo(page, tabs.first());
      await inPanel.choose(tabs.filter({ hasText: /^Fills/ }), ['End', 'ArrowLeft', 'Enter']);
      await seen('Fills');
      expect(inPanel.actions).to.equal(1);
    });
});
