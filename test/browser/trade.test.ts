/** Trade, in a real browser on a real gateway: from an empty basket to a fill, and everything that may go wrong between. */
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { faultScript } from '../../gateway/venues/paper/faults.ts';
import { launchChromium } from '../support/browser.ts';
import { buildDashboard, type DashboardPage, expectAccessible, openDashboard } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';

const EMAIL = 'ada@example.test';
const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';

describe('trade screen', function () {
  this.timeout(60_000);
  let browser: Browser;
  let gateway: TestGateway;
  let ada: Trader;
  let tab: DashboardPage;
  let page: Page;
  /** `400 /trade/open`: what the test provokes, and the browser may complain about. */
  let expected: readonly string[] = [];

  before(async function () {
    this.timeout(120_000);
    browser = await launchChromium(this);
    await buildDashboard();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    expected = [];
    gateway = await startTestGateway();
    ada = await trader(gateway, { email: EMAIL });
    tab = await openDashboard(browser, gateway, {
      email: EMAIL,
      isExpected: (status, path) => expected.includes(`${status} ${path}`),
    });
    page = tab.page;
  });
  afterEach(async () => {
    await tab.close();
    await gateway.close();
    expect(tab.offences).to.deep.equal([]);
  });

  const ticket = () => page.getByRole('form', { name: 'Ticket' });
  const kind = (name: string) => ticket().getByRole('radio', { name, exact: true }).click();
  const card = () => page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();
  const chart = () => page.getByRole('img', { name: /^Chart of/ });

  async function review(): Promise<Locator> {
    await ticket().getByRole('button', { name: 'Review' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    return sheet;
  }

  /** Presses Tab until the element with this name has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let pressed = 0; pressed < 120; pressed += 1) {
      const focused = await page.evaluate<string>(
        `(() => { const at = document.activeElement; return at === null ? '' : (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? ''); })()`,
      );
      if (name.test(focused)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Nothing called ${name} can be reached with Tab`);
  }

  const resting = async (path: string, list: string): Promise<Json[]> =>
    (await ada.call('GET', path)).json[list];

  it('goes from an empty basket to a fill with the keyboard alone', async () => {
    await tab.goTo('/trade');
    await page.getByText('No basket yet').waitFor();
    await expectAccessible(page, 'empty');
    await tabTo(/Add a long leg/);
    await page.keyboard.type('btc');
    await page
      .getByRole('option', { name: /^BTC\b/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Long legs' }).getByText('BTC', { exact: true }).waitFor();
    await tabTo(/Add a short leg/);
    await page.keyboard.type('eth');
    await page
      .getByRole('option', { name: /^ETH\b/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Short legs' }).getByText('ETH', { exact: true }).waitFor();
    await chart().waitFor();
    await tabTo(/^Notional/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Review the order' }).waitFor();
    await page.getByRole('dialog').getByRole('row', { name: /BTC/ }).waitFor();
    await tabTo(/^Place order/);
    await page.keyboard.press('Enter');
    await card().getByText('Filled', { exact: true }).waitFor();
    const [position] = await ada.positions();
    expect(position.legs.map(({ symbol, side }: Json) => `${side} ${symbol}`)).to.deep.equal([
      'BUY BTC-PERP',
      'SELL ETH-PERP',
    ]);
    await ticket().getByText('Adjusts your position').waitFor();
    await expectAccessible(page, 'filled');
  });

  it('weighs legs exactly: percent as typed, normalised to the whole', async () => {
    await tab.goTo('/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP');
    await page.getByLabel('Weight of BTC in percent').fill('33.3333');
    await page
      .getByRole('status')
      .getByText(/not 100 %/)
      .waitFor();
    await page.getByRole('button', { name: 'Normalise' }).click();
    const sheet = await review();
    expect(await sheet.getByRole('row').count()).to.equal(5);
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await card().getByText('Filled', { exact: true }).waitFor();
    const [execution] = await resting('/executions', 'executions');
    const weights = execution?.orders.map(({ mode, amount }: Json) => [mode, amount]);
    expect(weights.map(([mode]: string[]) => mode)).to.deep.equal(['WEIGHT', 'WEIGHT', 'WEIGHT']);
    const millionths = weights.map(([, amount]: string[]) => Math.round(Number(amount) * 1e6));
    expect(millionths.reduce((sum: number, one: number) => sum + one, 0)).to.equal(1_000_000);
  });

  it('sets a trigger with a take-profit, and shows both on the chart as they are typed', async () => {
    await tab.goTo(PAIR_LINK);
    await kind('Trigger');
    await ticket().getByLabel('Level').fill('20');
    await page.getByRole('switch', { name: 'Take-profit' }).click();
    await ticket().getByLabel('Gain').fill('5');
    await page.getByRole('img', { name: /Trigger 20/ }).waitFor();
    await page.getByRole('img', { name: /TP ≈ \+5 % 22/ }).waitFor();
    await ticket().getByLabel('Level').fill('21');
    await page.getByRole('img', { name: /Trigger 21/ }).waitFor();
    await expectAccessible(page, 'trigger');
    const sheet = await review();
    await sheet.getByText('when Price ratio below 21').waitFor();
    await expectAccessible(page, 'review of a trigger');
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await card().getByText('Waiting', { exact: true }).waitFor();
    const [trigger] = await resting('/triggers', 'triggers');
    expect(trigger).to.deep.include({
      status: 'ACTIVE',
      condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '21' },
      takeProfit: { type: 'PERCENTAGE', value: '5', trailing: null },
    });
  });

  it('starts a TWAP whose slices it has shown', async () => {
    await tab.goTo(PAIR_LINK);
    await kind('TWAP');
    await ticket().getByLabel('Duration').fill('5');
    await ticket().getByText('5 slices').waitFor();
    await ticket().getByRole('cell', { name: '4:00' }).waitFor();
    await expectAccessible(page, 'twap');
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Start TWAP' }).click();
    await card().getByText('Running', { exact: true }).waitFor();
    const [schedule] = await resting('/schedules', 'schedules');
    expect(schedule).to.include({
      durationSeconds: 300,
      intervalSeconds: 60,
      sliceCount: 5,
      totalUsd: '1000',
    });
  });

  it('places a ladder with the rungs that it has drawn', async () => {
    await tab.goTo(PAIR_LINK);
    await kind('Ladder');
    await ticket().getByLabel('First rung').fill('25');
    await ticket().getByLabel('Last rung').fill('21');
    await page.getByRole('img', { name: /1 25.*2 24.*3 23.*4 22.*5 21/ }).waitFor();
    await expectAccessible(page, 'ladder');
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Place ladder' }).click();
    await card().getByText('Resting', { exact: true }).waitFor();
    const [ladder] = await resting('/ladders', 'ladders');
    expect(ladder?.rungs.map(({ level }: Json) => level)).to.deep.equal(['25', '24', '23', '22', '21']);
    await page.getByRole('img', { name: /Rung 1 25.*Rung 5 21/ }).waitFor();
  });

  it('says of a leg that failed at the venue that the rest may be filled', async () => {
    const reject = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
    gateway.gateway
      .paperVenue('paper')
      .setFaults(faultScript().at({ symbol: 'ETH-PERP', times: null }, reject).done());
    await tab.goTo(PAIR_LINK);
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await card().getByText('Failed', { exact: true }).waitFor();
    await card().getByText('May be partly filled: check positions').waitFor();
    await card().getByText('risk engine says no').first().waitFor();
    await expectAccessible(page, 'partly failed');
    await card().getByRole('link', { name: 'Check positions' }).click();
    await page.waitForURL(/\/positions/);
  });

  it('says that no orders were placed when it failed before the venue', async () => {
    await tab.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('3');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor();
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await card().getByText('No orders were placed').waitFor();
    expect(await ada.positions()).to.deep.equal([]);
  });

  it('looks for an order whose answer was lost, and never sends it again', async () => {
    expected = ['0 /trade/open', '0 /executions/by-key'];
    let sent = 0;
    let isFound = false;
    await page.route('**/trade/open', async (route) => {
      if (route.request().postDataJSON().dryRun === true) return route.continue();
      sent += 1;
      // The gateway takes it, and nobody hears.
      const key = route.request().headers()['idempotency-key'] ?? '';
      await ada.call('POST', '/trade/open', route.request().postDataJSON(), { 'idempotency-key': key });
      await route.abort();
    });
    await page.route('**/executions/by-key*', (route) => (isFound ? route.continue() : route.abort()));
    await tab.goTo(PAIR_LINK);
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await card().getByText('Unknown: checking', { exact: true }).waitFor();
    await expectAccessible(page, 'unknown');
    // The page may be reloaded meanwhile: it goes on looking.
    await page.reload();
    await card().getByText('Unknown: checking', { exact: true }).waitFor();
    isFound = true;
    await card().getByText('Filled', { exact: true }).waitFor();
    expect(sent).to.equal(1);
    expect(await resting('/executions', 'executions')).to.have.length(1);
  });

  it('shows the gateway’s field errors beside the fields, and loses nothing that was typed', async () => {
    expected = ['400 /triggers/open'];
    await tab.goTo(PAIR_LINK);
    await kind('Trigger');
    await ticket().getByLabel('Notional').fill('');
    await ticket().getByLabel('Slippage').fill('11');
    await ticket().getByRole('button', { name: 'Review' }).click();
    await ticket().getByText('Needed').first().waitFor();
    await ticket().getByText('Must be at most 10 %').waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('totalUsd');
    await expectAccessible(page, 'field errors');
    await ticket().getByLabel('Notional').fill('750');
    await ticket().getByLabel('Slippage').fill('2');
    // Below a million: met already, which only the gateway knows.
    await ticket().getByLabel('Level').fill('1000000');
    const sheet = await review();
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await sheet.waitFor({ state: 'hidden' });
    const level = ticket().getByLabel('Level');
    expect(await level.inputValue()).to.equal('1000000');
    expect(await ticket().getByLabel('Notional').inputValue()).to.equal('750');
    const message = ticket()
      .getByText(/met already|already/i)
      .first();
    await message.waitFor();
    await level.fill('20');
    await tab.page.getByRole('link', { name: 'Positions' }).first().click();
    await tab.page.getByRole('link', { name: 'Trade', exact: true }).click();
    expect(await ticket().getByLabel('Level').inputValue()).to.equal('20');
  });

  it('says before the order that it adjusts a position that is held', async () => {
    await ada.open(PAIR);
    await tab.goTo(PAIR_LINK);
    await ticket().getByText('Adjusts your position').waitFor();
    await page.getByRole('img', { name: /Entry \d/ }).waitFor();
    const sheet = await review();
    await sheet.getByText('Adjusts your position').waitFor();
  });

  it('says which legs of a link the venue does not have, and asks nothing about them', async () => {
    await tab.goTo('/trade?long=BTC-PERP&short=NOPE-PERP');
    await page.getByText('This venue does not have NOPE-PERP. Remove it above.').waitFor();
    await expectAccessible(page, 'unknown instrument');
    await page.getByRole('button', { name: 'Remove NOPE-PERP' }).click();
    await chart().waitFor();
  });

  it('sets leverage and margin mode of a leg', async () => {
    await tab.goTo(PAIR_LINK);
    await page.getByRole('button', { name: /^Leverage of BTC/ }).click();
    const form = page.getByRole('dialog', { name: 'Leverage of BTC' });
    await form.getByLabel('Times').fill('3');
    await form.getByRole('radio', { name: 'Isolated' }).click();
    await expectAccessible(page, 'leverage');
    await form.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('button', { name: 'Leverage of BTC: 3 times, isolated' }).waitFor();
    const [setting] = await resting('/leverage', 'leverage');
    expect(setting).to.include({ symbol: 'BTC-PERP', leverage: 3, marginMode: 'isolated' });
  });

  it('shows z-score and spread of a pair, and why a larger basket has none', async () => {
    await tab.goTo(PAIR_LINK);
    await page.getByRole('tab', { name: 'Z-score' }).click();
    await page.getByRole('img', { name: /^Z-score of BTC \/ ETH/ }).waitFor();
    await page.getByRole('tab', { name: 'Spread' }).click();
    await page.getByRole('img', { name: /^Spread of BTC \/ ETH/ }).waitFor();
    await expectAccessible(page, 'spread');
    await page.getByLabel('Add a long leg').fill('sol');
    await page
      .getByRole('option', { name: /^SOL\b/ })
      .first()
      .click();
    await page.getByText('Only of a pair').waitFor();
  });
});
