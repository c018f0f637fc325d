/** Orders in the browser: what is changed while it waits, what is open at the venue, and screens whose data do not come. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import {
  holdAnswers,
  pathIs,
  REQUEST_ID,
  refuseAnswers,
  switchableStream,
} from '../../support/dashboard-states.ts';
import { tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { FALLING_LADDER } from '../../support/resting-calls.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { PAIR, usd } from '../../support/trader.ts';

const CONDITION = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' };

describe('the orders screen, changes and states', function () {
  this.timeout(90_000);
  const suite = screenSuite(
    (status, path) => status === 409 || (status === 400 && path.startsWith('/triggers/')),
  );
  const { bot, gateway, page } = suite;

  async function made(path: string, body: object): Promise<Json> {
    const { status, json, text } = await bot.call('POST', path, body);
    expect(status, text).to.equal(200);
    return json;
  }
  const setTrigger = () => made('/triggers/open', { legs: PAIR, condition: CONDITION });
  const read = async (path: string) => (await bot.call('GET', path)).json;
  const rowsOf = (table: string): Locator =>
    page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');
  const dialog = () => page.getByRole('dialog').last();
  /** Orders that never reach the venue stay open until they are cancelled. */
  const loseOrders = (times: number | null) =>
    gateway.gateway
      .paperVenue('paper')
      .setFaults({ rules: times === 0 ? [] : [{ match: { times }, action: { kind: 'drop_request' } }] });

  afterEach(async () => {
    await bot.call('POST', '/triggers/cancel-all');
    await bot.call('POST', '/orders/cancel-all');
    loseOrders(0);
  });

  it('changes the level, expiry and take-profit of a trigger', async () => {
    const { id } = await setTrigger();
    await suite.goTo('/orders/triggers');
    await rowsOf('Triggers').first().getByRole('button', { name: 'Change trigger BTC / ETH' }).click();
    await dialog().getByRole('textbox', { name: 'Level' }).waitFor();
    await expectAccessible(page, 'change of a trigger');
    await dialog().getByText('Opens $2,000.00. It waits for: price ratio below 5', { exact: true }).waitFor();
    // In the digits of its row.
    await dialog()
      .getByText(/Last seen \d\d\.\d{4}$/)
      .waitFor();
    expect(await dialog().getByRole('button', { name: 'Save' }).isDisabled(), 'nothing differs yet').to.equal(
      true,
    );

    // Met already: only the gateway knows, and says it beside the field.
    await dialog().getByRole('textbox', { name: 'Level' }).fill('1000000');
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog().getByLabel('Gain').fill('4');
    // 4 % of the $2,000 that it opens, from the level at which it fires.
    await dialog()
      .getByText(/^≈ \+\$80\.00 · price ratio 1,0\d{2},\d{3}$/)
      .waitFor();
    await page.keyboard.press('Enter');
    await firstSeen(dialog().getByText(/already/i));
    await expectAccessible(page, 'change of a trigger, refused');
    expect(await dialog().getByRole('textbox', { name: 'Level' }).inputValue()).to.equal('1000000');
    expect(await dialog().getByLabel('Gain').inputValue()).to.equal('4');

    await dialog().getByRole('textbox', { name: 'Level' }).fill('4.5');
    await dialog()
      .getByLabel(/^Expires/)
      .fill('2099-01-31T12:00');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await rowsOf('Triggers').first().getByText('Price ratio below 4.5').waitFor();
    const trigger = await read(`/triggers/${id}`);
    expect(trigger.condition.value).to.equal('4.5');
    expect(trigger.expiresAt).to.match(/^2099-01-31T/);
    expect(trigger.takeProfit).to.deep.equal({
      type: 'PERCENTAGE',
      value: '4',
      trailing: null,
      slippage: '0.01',
    });

    await rowsOf('Triggers')
      .first()
      .getByRole('button', { name: /^Change trigger/ })
      .click();
    await dialog()
      .getByLabel(/^Expires/)
      .fill('');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/triggers/${id}`)).expiresAt).to.equal(null);
  });

  it('says of a paused trigger that it has to be resumed, and which bracket is not set', async () => {
    const takeProfit = { type: 'PERCENTAGE', value: '40' };
    const { json: opened } = await bot.call('POST', '/trade/open', {
      type: 'MARKET',
      legs: PAIR,
      takeProfit,
    });
    await bot.ended(opened.execution.id);
    const { id } = await setTrigger();
    await bot.call('POST', `/triggers/${id}/pause`);
    await suite.goTo('/orders/triggers');
    await page.getByRole('button', { name: 'Change trigger BTC / ETH' }).click();
    await dialog()
      .getByText('Opens $2,000.00. Paused. Once resumed it waits for: price ratio below 5', { exact: true })
      .waitFor();
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog()
      .getByText(
        /^The position's own, \+40 %, stays while it is there; this one is set only where there is none$/,
      )
      .waitFor();
    await expectAccessible(page, 'change of a paused trigger');
    await page.keyboard.press('Escape');
    await suite.closePositions();
  });

  it('gives one rung of a ladder a stop-loss', async () => {
    const { rungs } = await made('/ladders', { ...FALLING_LADDER, levels: 4 });
    await suite.goTo('/orders/ladders');
    await rowsOf('Ladders').first().getByRole('button', { name: 'Details' }).click();
    // In the list as in the dialog.
    const level = '93.3333';
    await rowsOf('Rungs').nth(1).getByText(level, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change rung 2' }).click();
    await dialog()
      .getByText(
        `Opens $750.00. It waits for: SOL price below ${level}. Level and size are the ladder's and cannot be changed here`,
        { exact: true },
      )
      .waitFor();
    await dialog().getByRole('switch', { name: 'Stop-loss' }).click();
    expect(
      await dialog().getByRole('textbox', { name: 'Level' }).count(),
      'its level is its ladder’s',
    ).to.equal(0);
    await dialog().getByRole('textbox', { name: 'Loss' }).fill('2');
    await expectAccessible(page, 'change of a rung');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await read(`/triggers/${rungs[1].triggerId}`)).stopLoss.value).to.equal('2');
    expect((await read(`/triggers/${rungs[0].triggerId}`)).stopLoss).to.equal(null);
  });

  it('cancels one open order, and all of them', async () => {
    loseOrders(null);
    const statusesOf = async (executionId: string): Promise<Json> => {
      const { execution } = await read(`/executions/${executionId}`);
      return Object.fromEntries(execution.orders.map((order: Json) => [order.symbol, order.status]));
    };
    const open = async (legs: typeof PAIR | readonly [ReturnType<typeof usd>]): Promise<string> => {
      const { json } = await bot.call('POST', '/trade/open', { type: 'MARKET', legs });
      return json.execution.id;
    };
    const pair = await open(PAIR);
    await suite.goTo('/orders/open');
    for (const name of ['BTC', 'ETH'])
      await page.getByRole('button', { name: `Cancel order ${name}` }).waitFor();
    expect(await rowsOf('Open orders').count()).to.equal(2);
    await expectAccessible(page, 'open orders');
    await page.getByRole('button', { name: 'Cancel order ETH' }).click();
    await page.getByRole('button', { name: 'Cancel order ETH' }).waitFor({ state: 'detached' });
    expect(await statusesOf(pair)).to.include({ 'ETH-PERP': 'CANCELLED' });

    const single = await open([usd('SOL', 'BUY', '300')]);
    await page.getByRole('button', { name: 'Cancel order SOL' }).waitFor();
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
    await expectAccessible(page, 'the question before all orders are cancelled');
    await dialog()
      .getByRole('button', { name: /^Cancel all/ })
      .click();
    await page.getByText('No open orders').waitFor();
    expect(await statusesOf(single)).to.deep.equal({ 'SOL-PERP': 'CANCELLED' });
  });

  it('cancels a trigger with the keyboard alone', async () => {
    const { id } = await setTrigger();
    await suite.goTo('/orders/triggers');
    const row = rowsOf('Triggers').first();
    await row.focus();
    expect(await tabTo(page, row.getByRole('button', { name: /^Cancel trigger/ }))).to.be.at.most(30);
    await page.keyboard.press('Enter');
    await rowsOf('Triggers').first().getByText('Cancelled').waitFor();
    expect((await read(`/triggers/${id}`)).status).to.equal('CANCELLED');
  });

  for (const [tab, path, table] of [
    ['executions', '/executions', 'Executions'],
    ['triggers', '/triggers', 'Triggers'],
    ['twap', '/schedules', 'TWAP schedules'],
    ['ladders', '/ladders', 'Ladders'],
    ['open', '/orders', 'Open orders'],
  ] as const)
    it(`loads, fails and recovers: ${tab}`, async () => {
      const release = await holdAnswers(page, pathIs(path));
      await suite.goTo(`/orders/${tab}`);
      await page.locator('[role=status] [class*=bar]').first().waitFor();
      await expectAccessible(page, `${tab}, loading`);
      await page.unrouteAll();
      await refuseAnswers(page, pathIs(path));
      release();
      await suite.goTo(`/orders/${tab}`);
      await page.getByText('The account may not be read').first().waitFor();
      await page.getByText(REQUEST_ID).first().waitFor();
      await expectAccessible(page, `${tab}, error`);
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page
        .getByRole('table', { name: table, exact: true })
        .or(page.getByText(/^No (executions yet|triggers|TWAP schedules|ladders|open orders)$/))
        .first()
        .waitFor();
    });

  itInFreshTab('counts nothing before it was read', async () => {
    const release = await holdAnswers(page, (url) =>
      ['/triggers', '/schedules', '/alerts', '/orders'].some((path) => pathIs(path)(url)),
    );
    await suite.goTo('/orders/executions');
    const names = async () => (await page.getByRole('tab').allInnerTexts()).join(' ');
    await page.getByRole('tab', { name: 'Open orders' }).waitFor();
    expect(await names()).to.not.match(/\d/);
    release();
    await page.getByRole('tab', { name: 'Open orders 0' }).waitFor();
  });

  itInFreshTab('dims while the stream is lost, and then shows what happened meanwhile', async () => {
    const stream = await switchableStream(page);
    await suite.goTo('/orders/executions');
    await page.getByText('Live data').waitFor();
    await stream.cut();
    await page.locator('.stale').first().waitFor();
    await firstSeen(page.getByText(/^Stale \d+ s$/));
    await expectAccessible(page, 'stale');
    const before = await rowsOf('Executions').count();
    await bot.open(PAIR);
    stream.mend();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    await rowsOf('Executions').nth(before).waitFor();
    await rowsOf('Executions').first().getByText('Filled', { exact: true }).waitFor();
  });
});
