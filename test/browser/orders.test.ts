/** Orders in the browser: executions, triggers, TWAP and ladders, each cancelled, paused and resumed where it can be. */

import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/browser.ts';
import { buildDashboard, type DashboardPage, expectAccessible } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { tabKeeper } from '../support/kept-tab.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';

const EMAIL = 'ada@example.test';
const CONDITION = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' };

describe('the orders screen', function () {
  this.timeout(90_000);
  const tabs = tabKeeper();
  let browser: Browser;
  let gateway: TestGateway;
  let bot: Trader;
  let tab: DashboardPage;
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    await buildDashboard();
    gateway = await startTestGateway();
    bot = await trader(gateway, { email: EMAIL });
  });
  beforeEach(async () => {
    // "Busy" and "nothing to do" are answers that some of these tests are about.
    tab = await tabs.open(browser, gateway, { email: EMAIL, isExpected: (status) => status === 409 });
    page = tab.page;
  });
  afterEach(async () => {
    await bot.call('POST', '/triggers/cancel-all');
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });

  async function made(path: string, body: object): Promise<Json> {
    const { status, json, text } = await bot.call('POST', path, body);
    expect(status, text).to.equal(200);
    return json;
  }
  const setTrigger = () => made('/triggers/open', { legs: PAIR, condition: CONDITION });
  const statusOf = async (path: string) => (await bot.call('GET', path)).json.status;
  const rowsOf = (table: string): Locator =>
    page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');
  /** What it is opened, for there are older ones in the same list. */
  const first = (table: string) => rowsOf(table).first();

  for (const [address, empty] of [
    ['executions', 'No executions yet'],
    ['triggers', 'No triggers'],
    ['twap', 'No TWAP schedules'],
    ['ladders', 'No ladders'],
    ['open', 'No open orders'],
  ] as const)
    it(`says that there is nothing: ${address}`, async () => {
      await tab.goTo(`/orders/${address}`);
      await page.getByText(empty).waitFor();
      await expectAccessible(page, `no ${address}`);
    });

  it('shows executions with their orders, as they come', async () => {
    await tab.goTo('/orders');
    await page.getByText('No executions yet').waitFor();
    await bot.open(PAIR);
    await first('Executions').getByText('Filled', { exact: true }).waitFor();
    await first('Executions').getByRole('button', { name: 'Details' }).click();
    expect(await rowsOf('Orders of the execution').count()).to.equal(2);
    await expectAccessible(page, 'an execution with its orders');
    const [position] = await bot.positions();
    const { json } = await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    await bot.ended(json.execution.id);
  });

  it('pauses, resumes and cancels a trigger', async () => {
    const { id } = await setTrigger();
    await tab.goTo('/orders/triggers');
    const row = first('Triggers');
    await row.getByText('Price ratio below 5').waitFor();
    await row.getByRole('button', { name: 'Pause trigger BTC / ETH' }).click();
    await row.getByText('Paused').waitFor();
    expect(await statusOf(`/triggers/${id}`)).to.equal('PAUSED');
    await expectAccessible(page, 'a paused trigger');
    await row.getByRole('button', { name: 'Resume trigger BTC / ETH' }).click();
    await row.getByText('Waiting').waitFor();
    await row.getByRole('button', { name: 'Cancel trigger BTC / ETH' }).click();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/triggers/${id}`)).to.equal('CANCELLED');
    expect(await row.getByRole('button', { name: /Cancel/ }).count(), 'nothing is left to do').to.equal(0);
  });

  it('says "Settling" while something is busy, and asks again until it is done', async () => {
    const { id } = await setTrigger();
    await tab.goTo('/orders/triggers');
    let refusals = 3;
    await page.route(`**/triggers/${id}/cancel`, async (route) => {
      refusals -= 1;
      if (refusals < 0) return route.continue();
      const body = {
        message: 'It is firing',
        errorCode: 'RESOURCE_BUSY',
        details: {},
        timestamp: new Date().toISOString(),
      };
      return route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(body) });
    });
    const row = first('Triggers');
    await row.getByRole('button', { name: /Cancel trigger/ }).click();
    await row.getByText('Settling').waitFor();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/triggers/${id}`)).to.equal('CANCELLED');
  });

  it('takes "nothing to do" as information', async () => {
    const { id } = await setTrigger();
    await tab.goTo('/orders/triggers');
    await page.route(`**/triggers/${id}/cancel`, async (route) => {
      await bot.call('POST', `/triggers/${id}/cancel`);
      return route.continue();
    });
    await first('Triggers')
      .getByRole('button', { name: /Cancel trigger/ })
      .click();
    await page.getByText('Nothing to do').waitFor();
    await first('Triggers').getByText('Cancelled').waitFor();
  });

  it('cancels all triggers, after asking', async () => {
    const ids = [(await setTrigger()).id, (await setTrigger()).id];
    await tab.goTo('/orders/triggers');
    await first('Triggers').getByText('Waiting').waitFor();
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByText('Cancels 2 triggers.').waitFor();
    await expectAccessible(page, 'the question before all are cancelled');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await statusOf(`/triggers/${ids[0]}`), 'Escape does nothing').to.equal('ACTIVE');
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel all triggers' }).click();
    await first('Triggers').getByText('Cancelled').waitFor();
    for (const id of ids) expect(await statusOf(`/triggers/${id}`)).to.equal('CANCELLED');
  });

  it('says before all are cancelled which positions lose their stop-loss', async () => {
    const { json: opened } = await bot.call('POST', '/trade/open', {
      type: 'MARKET',
      legs: PAIR,
      stopLoss: { type: 'PERCENTAGE', value: '20' },
      takeProfit: { type: 'PERCENTAGE', value: '40' },
    });
    await bot.ended(opened.execution.id);
    const { id } = await setTrigger();
    await bot.call('POST', `/triggers/${id}/pause`);
    await tab.goTo('/orders/triggers');
    await first('Triggers').waitFor();
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Cancels 3 triggers. 1 of them is paused.').waitFor();
    await question.getByText('1 open position loses its stop-loss: BTC / ETH').waitFor();
    await question.getByText('1 open position loses its take-profit: BTC / ETH').waitFor();
    await expectAccessible(page, 'the question before positions lose their protection');
    await page.keyboard.press('Escape');
    await bot.call('POST', '/triggers/cancel-all');
    for (const position of await bot.positions())
      await bot.ended(
        (await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' })).json.execution.id,
      );
  });

  it('keeps states in view in a window of 900 pixels', async () => {
    await setTrigger();
    await tab.goTo('/orders/triggers');
    await page.setViewportSize({ width: 900, height: 700 });
    try {
      const row = first('Triggers');
      const state = await row.getByText('Waiting').boundingBox();
      const buttons = await row.locator('td').last().boundingBox();
      if (state === null || buttons === null) throw new Error('They are not there');
      expect(state.x + state.width).to.be.at.most(buttons.x);
      expect(await page.getByRole('columnheader', { name: 'Placed by' }).count()).to.equal(0);
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.getByRole('columnheader', { name: 'Placed by' }).waitFor();
  });

  it('shows a TWAP with its slices; pauses, resumes and cancels it', async () => {
    const { id } = await made('/schedules', {
      legs: [usd('SOL', 'BUY', '2000')],
      durationSeconds: 600,
      intervalSeconds: 60,
    });
    await tab.goTo('/orders/twap');
    const row = first('TWAP schedules');
    await row.getByText('1 of 10').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await rowsOf('Slices').first().waitFor();
    await page.getByText(/^Last slice in \d/).waitFor();
    await expectAccessible(page, 'a TWAP with its slices');
    await row.getByRole('button', { name: 'Pause TWAP SOL' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Resume TWAP SOL' }).click();
    await row.getByText('Running').waitFor();
    await row.getByRole('button', { name: 'Cancel TWAP SOL' }).click();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/schedules/${id}`)).to.equal('CANCELLED');
  });

  it('shows a ladder with its rungs; cancels one of them, then all', async () => {
    const { id, rungs } = await made('/ladders', {
      legs: [usd('SOL', 'BUY', '3000')],
      metric: 'PRICE',
      direction: 'LESS_THAN',
      start: '100',
      end: '80',
      levels: 5,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
    });
    await tab.goTo('/orders/ladders');
    const row = first('Ladders');
    await row.getByText('0 of 5').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    expect(await rowsOf('Rungs').count()).to.equal(5);
    await expectAccessible(page, 'a ladder with its rungs');
    const second = rowsOf('Rungs').nth(1);
    await second.getByText('95', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'Cancel rung 2' }).click();
    await second.getByText('Cancelled').waitFor();
    expect(await statusOf(`/triggers/${rungs[1].triggerId}`)).to.equal('CANCELLED');
    expect(await statusOf(`/ladders/${id}`), 'the others wait').to.equal('ACTIVE');
    await row.getByRole('button', { name: 'Cancel ladder SOL' }).click();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/ladders/${id}`)).to.equal('CANCELLED');
  });
});
