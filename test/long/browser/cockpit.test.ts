/** A trader's facts, decisions and actions on Positions, Markets, Orders and Agents, with the number of actions. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { connectAgent, signedIn } from '../../support/agents.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { journey, tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { PAIR, usd } from '../../support/trader.ts';

const BRACKETS = {
  stopLoss: { type: 'PERCENTAGE', value: '50' },
  takeProfit: { type: 'PERCENTAGE', value: '60' },
};

describe('the cockpit', function () {
  this.timeout(120_000);
  const desk = screenSuite((status) => status === 400 || status === 403);

  const table = (name: string): Locator => desk.page.getByRole('table', { name, exact: true });
  const row = (text: string, of = 'Open positions') =>
    table(of).locator('tr[data-row]').filter({ hasText: text });
  const dialog = () => desk.page.getByRole('dialog').last();
  const preview = () => dialog().getByRole('region', { name: 'Preview' });

  async function closeAll(): Promise<void> {
    for (const { id } of await desk.bot.positions()) {
      const { json } = await desk.bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' });
      if (json.execution !== undefined) await desk.bot.ended(json.execution.id);
    }
  }
  afterEach(closeAll);

  async function openPair(): Promise<Json> {
    await desk.bot.open(PAIR, BRACKETS);
    await desk.goTo('/positions');
    await row('ETH').waitFor();
    return (await desk.bot.positions())[0];
  }
  /** Waits until the preview says where the stop-loss fires after the change, and the result there. */
  async function protectedAfter(): Promise<void> {
    const fact = preview().getByText('Stop-loss after', { exact: true }).locator('..');
    await fact.getByText(/fires at −[\d.]+\s% \([\d.]+\s% away\): −\$[\d,.]+$/).waitFor();
  }
  const halved = (before: Json) =>
    untilPage(desk.page, 'half is closed', async () => {
      const [now] = await desk.bot.positions();
      const share = Number(now?.legs[0].quantity) / Number(before.legs[0].quantity);
      return share > 0.4 && share < 0.6;
    });

  describe('a close before it is sent', () => {
    it('shows what is sent, what it costs and brings, and what becomes of the brackets', async () => {
      await openPair();
      await row('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
      await preview().getByText('Sell BTC').waitFor();
      await preview().getByText('Buy ETH').waitFor();
      for (const name of ['Notional', 'Expected slippage', 'Fees', 'Realised PnL', 'After closing fees'])
        await preview().getByText(name, { exact: true }).waitFor();
      await preview()
        .getByText(/^≈\s\$[\d.,]+ (worse|better)\s*than mark, [\d.]+\s%$/)
        .waitFor();
      await preview().getByText('Stop-loss −50 % ends with the position.').waitFor();
      await expectAccessible(desk.page, 'a close with its preview');
      await dialog().getByRole('button', { name: '50 %', exact: true }).click();
      await preview().getByText('Stop-loss −50 % stays for the rest.').waitFor();
      await protectedAfter();
      const cells = await preview()
        .getByRole('row', { name: /Sell BTC/ })
        .getByRole('cell')
        .allTextContents();
      expect(cells[0]).to.equal(cells[3]);
    });

    it('a reversal shows both halves', async () => {
      await openPair();
      await row('ETH').press('r');
      const parts = [
        'Expected slippage, closing',
        'Expected slippage, opening',
        'Fees, closing',
        'Fees, opening, at most',
      ];
      for (const name of [...parts, 'Margin, at most', 'Funding a day'])
        await preview().getByText(name, { exact: true }).waitFor();
      await protectedAfter();
      // Both halves of a leg trade the same way: what closes the long is a sale, and what opens the short is one too.
      for (const caption of ['What is sent', 'Then, to open the opposite'])
        for (const order of ['Sell BTC', 'Buy ETH'])
          await preview().getByRole('table', { name: caption }).getByText(order).waitFor();
      // The decisive figures are seen without scrolling, above the buttons.
      const { y: buttons = 0 } =
        (await dialog().getByRole('button', { name: 'Reverse position' }).boundingBox()) ?? {};
      for (const name of ['After these fees', 'Opens', 'Margin, at most', 'Liquidation after']) {
        const figure = preview().getByText(name, { exact: true }).locator('..');
        await figure.waitFor();
        const { y = Number.NaN, height = 0 } = (await figure.boundingBox()) ?? {};
        expect(y + height, name).to.be.below(buttons);
      }
      await expectAccessible(desk.page, 'a reversal with its preview');
    });

    it('an adjustment shows what it adds or takes out, before it is sent', async () => {
      await openPair();
      await row('ETH')
        .getByRole('button', { name: /^More for/ })
        .click();
      await desk.page.getByRole('menuitem', { name: /Adjust/ }).click();
      await dialog().getByLabel('Gross amount').fill('200');
      await preview().getByText('Buy BTC').waitFor();
      for (const name of ['Adds', 'Expected slippage', 'Fees, at most', 'Margin, at most', 'Funding a day'])
        await preview().getByText(name, { exact: true }).waitFor();
      await preview()
        .getByText('Stop-loss −50 % stays, and covers what is added, from the new entry.')
        .waitFor();
      await protectedAfter();
      await expectAccessible(desk.page, 'an increase with its preview');
      await dialog().getByText('Reduce', { exact: true }).click();
      await preview().getByText('Sell BTC').waitFor();
      await preview().getByText('Stop-loss −50 % stays for the rest.').waitFor();
    });

    it('closing everything names how many positions, their value, and what closing them costs', async () => {
      await openPair();
      await desk.page.getByRole('button', { name: 'Stop', exact: true }).click();
      await desk.page.getByRole('menuitem', { name: 'Close everything…' }).click();
      await dialog()
        .getByText(
          /1 position, \$[12],\d{3}\.\d\d, PnL .*, fees \$[\d.]+, expected slippage (≈\s\$[\d.]+ (worse|better)\s+than mark, [\d.]+\s%|at the mark)/,
        )
        .waitFor();
      await expectAccessible(desk.page, 'closing everything, with its size');
      // A cost of what would fill alone is not told as that of all.
      const expected = '**/safety/panic/plan?includeExpected=true';
      await desk.page.route(expected, async (route) => {
        const { json } = await desk.bot.call('GET', '/safety/panic/plan?includeExpected=true');
        const shortBooks = [{ symbol: 'BTC-PERP', ticker: 'BTC', isPartial: false }];
        const accounts = json.accounts.map((one: object) => ({ ...one, shortBooks }));
        await route.fulfill({ json: { accounts } });
      });
      await dialog()
        .getByText(/, fees \$[\d.]+, expected slippage The book is too thin: BTC$/)
        .waitFor();
      await desk.page.unroute(expected);
      await dialog().getByRole('button', { name: 'Back' }).click();
    });
  });

  it('half of a position is closed in two actions, by mouse and by keyboard', async () => {
    const { page } = desk;
    const first = await openPair();
    const byMouse = journey(page, 'mouse');
    await byMouse.press(row('ETH').getByRole('button', { name: 'Close half of BTC / ETH' }));
    await byMouse.press(dialog().getByRole('button', { name: 'Close 50 %' }));
    await halved(first);
    expect(byMouse.actions).to.be.at.most(2);
    await dialog().waitFor({ state: 'detached' });
    const [second] = await desk.bot.positions();
    await tabTo(page, row('ETH'));
    const byKeyboard = journey(page, 'keyboard');
    await byKeyboard.keys('h');
    await dialog().getByRole('button', { name: 'Close 50 %' }).waitFor();
    await byKeyboard.keys('Enter');
    await halved(second);
    expect(byKeyboard.actions).to.be.at.most(2);
  });

  it('the keys of a row leave the second key of `g` alone', async () => {
    await openPair();
    await row('ETH').focus();
    await desk.page.keyboard.press('g');
    await desk.page.keyboard.press('h');
    await desk.page.getByRole('heading', { name: 'History' }).waitFor();
  });

  it('commands find verbs on positions, and what waits', async () => {
    const { bot, page } = desk;
    const trigger = await bot.call('POST', '/triggers/open', {
      legs: [usd('LINK', 'BUY', '300')],
      condition: { type: 'PRICE', direction: 'LESS_THAN', value: '1', symbol: 'LINK-PERP' },
    });
    await openPair();
    await page.keyboard.press('Control+k');
    const commands = page.getByRole('combobox', { name: 'Commands' });
    await commands.fill('trigger link');
    await page.getByRole('option', { name: /Trigger LINK/ }).waitFor();
    await commands.fill('reverse btc');
    await page.getByRole('option', { name: /Reverse BTC \/ ETH/ }).click();
    await page.getByRole('dialog', { name: 'Reverse BTC / ETH' }).waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await bot.call('POST', `/triggers/${trigger.json.id}/cancel`);
  });

  itInFreshTab(
    'the risk of the account stands above its positions, and the totals agree with it',
    async () => {
      const { bot, page } = desk;
      const { id: pairId } = await openPair();
      await bot.open([usd('SOL', 'BUY', '200000')]);
      // By their ids: other rows name SOL too, which goes first.
      const { id: solId } = (await bot.positions()).find(({ id }) => id !== pairId) ?? {};
      const byId = (id: string) => table('Open positions').locator(`tr[data-row="${id}"]`);
      const [pair, sol] = [byId(pairId), byId(solId)];
      await sol.waitFor();
      const risk = page.locator('dl[aria-label="Risk"]');
      for (const name of ['Gross', 'Net, long − short', 'Beta to BTC', 'Margin ratio', 'Free margin'])
        await risk.getByText(name, { exact: true }).waitFor();
      // The basket itself, not what goes first.
      await risk.getByTitle('SOL', { exact: true }).waitFor();
      // One line; the rest is a press away.
      expect(await risk.locator('> div').count()).to.be.at.most(6);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByLabel('Account totals').getByText('Leverage of equity').waitFor();
      await page.getByRole('button', { name: 'Less', exact: true }).click();
      // One reading of the page, because the market moves on.
      const seen = await page.evaluate<{ strip: string; foot: string }>(`(() => ({
      strip: document.querySelector('dl[aria-label="Risk"] dd').textContent,
      foot: document.querySelector('table[aria-label="Open positions"] tfoot tr').children[2].textContent,
    }))()`);
      expect(seen.strip).to.equal(seen.foot);
      // In a narrower window with brackets on both sides the bar and the line give way to them.
      await page.setViewportSize({ width: 1440, height: 800 });
      await pair.getByRole('img', { name: /of the way to the (stop-loss|take-profit)/ }).waitFor();
      await pair.getByRole('img', { name: /^24 hours/ }).waitFor();
      await sol.getByText(/^−\d/).first().waitFor();
      await expectAccessible(page, 'risk, totals and ways');
      // One that closes may be in the risk and in the rows no more: its distance stands, nothing is called far.
      const risked = /\/positions\/risk/;
      const { json: told } = await bot.call('GET', '/positions/risk');
      const closest = {
        ...told.baskets[0],
        positionId: bot.accountId,
        ratioMove: '-0.123',
        legMove: '-0.0635',
      };
      await page.route(risked, (route) => route.fulfill({ json: { ...told, baskets: [closest] } }));
      const nearest = risk.locator('div', { hasText: 'Nearest liquidation' }).locator('dd');
      await nearest.getByText(/^−12\.3\s%$/).waitFor();
      expect(await nearest.innerText()).to.match(/^−12\.3\s%$/);
      await page.unroute(risked);
    },
  );

  it('what the limits of an agent have refused is told with the limit', async () => {
    const { bot, gateway, page } = desk;
    const agent = await connectAgent(gateway, bot);
    const [known] = (await signedIn(gateway, bot).call('GET', '/agents')).json.agents;
    await signedIn(gateway, bot).expect('PUT', `/agents/${known.id}/mandate`, {
      mandate: smallMandate(bot.accountId, { maxOrderUsd: '250' }),
      ifVersion: known.mandate?.version ?? 0,
    });
    for (let nth = 0; nth < 2; nth += 1) {
      const tried = await agent.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      expect(tried.json.errorCode, tried.text).to.equal('AGENT_LIMIT');
    }
    await desk.goTo('/agents');
    await page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    const attempts = page.getByRole('list', { name: /^Refused attempts of/ }).getByRole('listitem');
    await attempts.first().waitFor();
    expect(await attempts.allInnerTexts()).to.have.length(1);
    expect(await attempts.first().innerText())
      .to.contain('Open BTC / ETH')
      .and.contain('2 times')
      .and.match(/order size: 250\u00a0USD allowed, .*\u00a0USD asked/);
    await expectAccessible(page, 'refused attempts');
  });

  describe('Markets', () => {
    const pairs = () => table('Pairs').locator('tr[data-row]');
    const names = async () =>
      (await pairs().locator('td:first-child').allTextContents()).filter((text) => text !== '');

    it('has every pair once, and its funding a year', async () => {
      await desk.goTo('/markets');
      await desk.page.getByRole('columnheader', { name: 'Funding APR' }).waitFor();
      await pairs().first().getByText('%').first().waitFor();
      const seen = (await names()).map((name) =>
        name
          .match(/[A-Z0-9]+/g)
          ?.sort()
          .join(' '),
      );
      expect(seen.length).to.be.above(10);
      expect(new Set(seen).size).to.equal(seen.length);
      await expectAccessible(desk.page, 'pairs');
    });

    for (const typed of ['SOL/ETH', 'sol eth'])
      it(`finds the pair that "${typed}" names`, async () => {
        await desk.goTo('/markets');
        await desk.page.getByRole('searchbox', { name: 'Search' }).fill(typed);
        await untilPage(desk.page, 'only that pair', async () => {
          const found = await names();
          return found.length === 1 && /SOL.*ETH/.test(found[0] ?? '');
        });
      });
  });

  describe('forms and orders', () => {
    it("a field's error goes when the field is corrected, and only that field's", async () => {
      await openPair();
      await row('ETH').press('c');
      const share = dialog().getByRole('textbox', { name: 'Share of the position' });
      const slippage = dialog().getByRole('textbox', { name: 'Max slippage' });
      await share.fill('120');
      await slippage.fill('50');
      await dialog()
        .getByRole('button', { name: /^Close 120/ })
        .click();
      await dialog().getByText('Must be at most 100 %').waitFor();
      const faults = () => dialog().locator('[aria-invalid="true"]').count();
      expect(await faults()).to.equal(2);
      await share.fill('50');
      await untilPage(desk.page, 'one is left', async () => (await faults()) === 1);
      expect(await slippage.getAttribute('aria-invalid')).to.equal('true');
    });

    it('a stop is never cancelled by one click, and equal orders are told apart', async () => {
      const { page, bot } = desk;
      await openPair();
      await bot.open([usd('BTC', 'BUY', '500')], { stopLoss: { type: 'PERCENTAGE', value: '40' } });
      await desk.goTo('/orders/triggers');
      const cancels = table('Triggers').getByRole('button', { name: /^Cancel trigger/ });
      await untilPage(desk.page, 'three wait', async () => (await cancels.count()) === 3);
      const labels = await cancels.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(new Set(labels).size, labels.join()).to.be.above(1);
      await cancels.first().click();
      await dialog().getByText('without this protection').waitFor();
      await dialog().getByRole('button', { name: 'Back' }).click();
      expect(await cancels.count()).to.equal(3);
      const details = await page
        .getByRole('button', { name: /^Details/ })
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(new Set(details).size).to.equal(details.length);
    });
  });
});
