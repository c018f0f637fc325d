/** Trade and Positions: figures that stand in two places, or are made of each other, agree; and what is counted follows the venue. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { faultScript } from '../../support/fault-script.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

/** By the names beside them, of one moment: the ticket's figures, the review's, and the totals of its table. */
const FIGURES = `(() => {
  const pairs = (of) => Object.fromEntries([...of.querySelectorAll('dt')].map((name) =>
    [name.textContent, name.nextElementSibling.textContent]));
  const sheet = document.querySelector('[role=dialog]');
  const totals = [...sheet.querySelectorAll('tfoot td')].map((cell) => [cell.dataset.name, cell.textContent]);
  return { ticket: pairs(document.querySelector('form[aria-label=Ticket]')), review: pairs(sheet), totals: Object.fromEntries(totals) };
})()`;
type Figures = Readonly<Record<'ticket' | 'review' | 'totals', Readonly<Record<string, string>>>>;

const amounts = (text = '') =>
  [...text.matchAll(/\$([\d,.]+\d)/g)].map(([, figure = '']) => Number(figure.replaceAll(',', '')));

describe('trade and positions, figures', function () {
  this.timeout(120_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  for (const delayMs of [4_000, 8_000])
    it(`counts open orders while they are at a venue that takes ${delayMs / 1_000} s`, async () => {
      desk.gateway.gateway
        .paperVenue('paper')
        .setFaults(faultScript().at({ times: 2 }, { kind: 'delay', delayMs }).done());
      await desk.goTo(PAIR_LINK);
      const tab = (count: number) => page.getByRole('tab', { name: `Open orders ${count}`, exact: true });
      await tab(0).waitFor();
      const counted = tab(2).waitFor();
      await desk.place();
      await counted;
      // However it ends: a venue that is slower than the gateway waits for it is asked what became of the orders.
      await tab(0).waitFor();
    });

  it('has one fee in ticket and review, and a free margin that is less by margin, fee and what the worst prices lose', async () => {
    let plan: Json = {};
    // A venue with fees: without any, no sum could be wrong.
    await page.route('**/trade/open', async (route) => {
      const body = route.request().postDataJSON();
      const { status, json } = await ada.call('POST', '/trade/open', body);
      // The ticket may still ask for the size that it began with.
      const isOfTyped = Number(body.totalUsd) === 60_000;
      if (json.plan !== undefined) json.plan = { ...json.plan, totalFee: isOfTyped ? '7.1234' : '1.2345' };
      if (isOfTyped) plan = json.plan ?? plan;
      return route.fulfill({ status, json });
    });
    await page.route('**/fee?*', async (route) => {
      const { json } = await ada.call('GET', '/fee?connector=paper&notional=1');
      return route.fulfill({ json: { ...json, takerRate: '0.00045' } });
    });
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('60000');
    await firstSeen(ticket().getByText(/^\$7\.1234/));
    await ticket()
      .getByText(/(than|the) mark/)
      .waitFor();
    const sheet = await desk.review();
    await firstSeen(sheet.locator('tfoot').getByText(/^\$7\.1234/));
    const { ticket: typed, review, totals } = await page.evaluate<Figures>(FIGURES);
    expect(totals['Fee'], 'with its rate').to.match(/^\$7\.12340\.045\s%$/);
    expect(typed['Fee']).to.match(/^\$7\.12340\.045\s% taker/);
    const [before = 0, after = 0] = amounts(review['Free margin']);
    expect(before).to.be.greaterThan(after);
    const lost = plan.legs.reduce(
      (sum: number, { side, quantity, price, limitPrice }: Json) =>
        sum + Number(quantity) * (Number(limitPrice) - Number(price)) * (side === 'BUY' ? 1 : -1),
      0,
    );
    expect(lost).to.be.greaterThan(500);
    const margin = amounts(totals['Margin'])[0] ?? 0;
    // The marks of the sheet may be those of the dry run before.
    expect(after).to.be.closeTo(before - margin - 7.1234 - lost, 1);
    expect(review['Free margin']).to.contain('at worst');
    expect(typed['Fee']).to.contain('worst price');
  });

  /** Replaces a plan's expected slippage and cost, which depend on the market. */
  const planOf = (of: { readonly expectedSlippage: string; readonly expectedCost: string }) =>
    page.route('**/trade/open', async (route) => {
      const { status, json } = await ada.call('POST', '/trade/open', route.request().postDataJSON());
      if (json.plan !== undefined) json.plan = { ...json.plan, ...of };
      return route.fulfill({ status, json });
    });

  it('says "at the mark" of a slippage that rounds to nothing, without an amount, and no noughts of no fee', async () => {
    await planOf({ expectedSlippage: '0.0000004', expectedCost: '0.0004' });
    await desk.goTo(PAIR_LINK);
    await ticket().getByText('at the mark', { exact: true }).waitFor();
    expect(await ticket().textContent()).not.to.contain('than mark');
    const sheet = await desk.review();
    expect(await sheet.textContent()).not.to.match(/0\.000\s% (worse|better)/);
    const { ticket: typed, review, totals } = await page.evaluate<Figures>(FIGURES);
    expect([typed['Expected slippage'], review['Expected slippage']]).to.deep.equal([
      'at the mark',
      'at the mark',
    ]);
    expect([typed['Fee'], totals['Fee']]).to.deep.equal(['$0.00', '$0.00']);
  });

  it('says on which side of the mark a slippage is, and leaves no sign alone on a line', async () => {
    await planOf({ expectedSlippage: '-0.00004', expectedCost: '-0.0832' });
    await desk.goTo(PAIR_LINK);
    await ticket()
      .getByText(/^≈\s\$0\.0832 better$/)
      .waitFor();
    const sheet = await desk.review();
    const lines = await sheet.evaluate((one) => {
      const text = [...one.querySelectorAll('dd *')].find(
        ({ firstChild }) => firstChild?.nodeType === 3 && firstChild.textContent?.startsWith('≈'),
      );
      if (text === undefined) return 0;
      const range = one.ownerDocument.createRange();
      range.selectNodeContents(text);
      const view = one.ownerDocument.defaultView;
      return view?.getComputedStyle(text).whiteSpace === 'nowrap' ? 1 : 2;
    });
    expect(lines, 'the sign and its figure are one word').to.equal(1);
  });

  it('groups the dollars of a margin that is missing', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('9000000');
    const problems = ticket().getByRole('list', { name: 'Problems' });
    await problems.getByText(/\$[\d,]+,\d{3}\.\d{2} of margin and fees; \$100,000\.00 is free/).waitFor();
  });

  it('writes what the price ratio is beside the limit of a TWAP as a sentence of its own', async () => {
    // Sides of unlike weight: with equal ones the limit is the price ratio.
    await desk.goTo(`${PAIR_LINK}&weight=600000&weight=400000`);
    await desk.kind('TWAP');
    const other = ticket().getByText(/^It is not the price ratio, which is [\d.,]+$/);
    await other.waitFor();
    const now = ticket().getByRole('button', { name: /^Now \d/ });
    await untilPage(page, 'it stands below the value of now', async () => {
      const [above, below] = [await now.boundingBox(), await other.boundingBox()];
      return above !== null && below !== null && below.y >= above.y + above.height - 1;
    });
  });

  itInFreshTab(
    'has the bid and ask of a basket: to buy it, longs at their ask and shorts at their bid',
    async () => {
      const best: Readonly<Record<string, object>> = {
        'BTC-PERP': { mark: '100.5', bid: '100', ask: '101' },
        'ETH-PERP': { mark: '40.5', bid: '40', ask: '41' },
        'SOL-PERP': { mark: '10.5', bid: '10', ask: '11' },
      };
      await page.routeWebSocket(/\/ws/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          const { data, ...rest } = JSON.parse(String(message));
          const rows = Array.isArray(data) && rest.channel === 'prices:paper';
          const own = rows ? data.map((row: { readonly id: string }) => ({ ...row, ...best[row.id] })) : data;
          socket.send(JSON.stringify({ ...rest, data: own }));
        });
      });
      const quote = async (link: string, ...figures: readonly string[]) => {
        await desk.goTo(`/trade?${link}`);
        for (const text of figures) await page.getByText(text, { exact: true }).waitFor();
      };
      // 100 ÷ 41 and 101 ÷ 40.
      await quote('long=BTC-PERP&short=ETH-PERP', 'Bid 2.43902', 'Ask 2.52500');
      // While its figures come the head is not as wide yet, and what is under the pointer moves away.
      const head = page.getByLabel('About the pair');
      await untilPage(page, 'its figures', async () => !((await head.textContent()) ?? '–').includes('–'));
      await page.getByText('Ask 2.52500', { exact: true }).hover();
      await page.getByRole('tooltip').getByText('longs at their ask, shorts at their bid').waitFor();
      const mark = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd');
      await mark('Mark ratio').getByText('2.48148').waitFor();
      // Shorts of equal weight: 100 ÷ √(41 × 11), 101 ÷ √(40 × 10).
      await quote('long=BTC-PERP&short=ETH-PERP&short=SOL-PERP', 'Bid 4.70882', 'Ask 5.05000');
      // One leg is its price, also where it is sold.
      await quote('short=ETH-PERP', 'Bid 40.0000', 'Ask 41.0000');
      await mark('Mark price').getByText('40.5000').waitFor();
    },
  );

  itInFreshTab('takes the name of a button away once its menu was opened, and keeps it away', async () => {
    await ada.open(PAIR);
    await desk.goTo('/positions');
    const more = page.getByRole('button', { name: /^More for/ }).first();
    await page.evaluate(`(() => {
      globalThis.__said = [];
      new MutationObserver(() => {
        const one = document.querySelector('[role=tooltip]');
        globalThis.__said.push(one === null ? '' : one.textContent);
      }).observe(document.body, { childList: true, subtree: true });
    })()`);
    const tooltip = page.getByRole('tooltip');
    await more.hover();
    await tooltip.waitFor();
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    expect(await tooltip.count(), 'while the menu is open').to.equal(0);
    await page.evaluate('globalThis.__said = []');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    // Longer than a tooltip waits.
    await framesPass(page, 900);
    expect(await tooltip.count(), 'after the menu was closed').to.equal(0);
    // It is there again for a pointer that comes anew.
    await page.mouse.move(2, 2);
    await more.hover();
    await tooltip.waitFor();
    await more.click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await framesPass(page, 900);
    expect(await tooltip.count(), 'after the mouse had opened it').to.equal(0);
    await expectAccessible(page, 'positions after a menu');
  });

  it('says how far liquidation is in one measure, however far it is', async () => {
    await ada.open(PAIR);
    const risk = (move: object) =>
      page.route('**/positions/risk', async (route) => {
        const { baskets, ...rest } = (await ada.call('GET', '/positions/risk')).json;
        const moved = baskets.map((one: object) => ({ ...one, ...move }));
        return route.fulfill({ json: { ...rest, baskets: moved } });
      });
    const cell = page
      .getByRole('table', { name: 'Open positions' })
      .locator('tr[data-row] [data-name="To liquidation"]');
    await risk({ legMove: '-0.85', ratioMove: '-0.9775', firstSymbol: 'ETH-PERP' });
    await desk.goTo('/positions');
    await cell.getByText('\u221297.8\u00a0%', { exact: true }).waitFor();
    const strip = page.locator('dl[aria-label=Risk]');
    await strip.getByText('\u221297.8\u00a0%', { exact: true }).waitFor();
    for (const place of [strip, cell]) await place.getByText('ETH first', { exact: true }).waitFor();
    await page.unroute('**/positions/risk');
    // Both legs by more than ten times: no figure says anything there, of a leg alone as little.
    await risk({ legMove: '-0.91', ratioMove: '-0.9919' });
    await cell.getByText('far (>10×)', { exact: true }).waitFor();
    await strip.getByText('far (>10×)', { exact: true }).waitFor();
    await page.unroute('**/positions/risk');
    await risk({ legMove: null, ratioMove: null, firstSymbol: null });
    await cell.getByText('far (>10×)', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Details, row 1' }).click();
    const leg = page.getByRole('table', { name: 'Legs' }).locator('tr[data-row="BTC-PERP"]');
    await leg.locator('[data-name="Liquidation alone"]').getByText('far (>10×)', { exact: true }).waitFor();
  });
});
