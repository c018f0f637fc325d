/** Orders in the browser: executions, triggers, TWAP and ladders, each cancelled, paused and resumed where it can be. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { systemClock } from '../../gateway/system/clock.ts';
import type { FaultRule } from '../../gateway/venues/paper/venue/faults.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { refusal } from '../support/dashboard-states.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { untilPage } from '../support/page-time.ts';
import { FALLING_LADDER } from '../support/resting-calls.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { PAIR, usd } from '../support/trader.ts';

const CONDITION = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' };

describe('the orders screen', function () {
  this.timeout(90_000);
  // "Busy" and "nothing to do" are answers that some of these tests are about.
  const suite = screenSuite((status) => status === 409);
  const { bot, gateway, page } = suite;
  afterEach(async () => {
    await bot.call('POST', '/triggers/cancel-all');
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
  /** The newest row: older ones are in the same list. */
  const first = (table: string) => rowsOf(table).first();

  for (const [address, empty] of [
    ['executions', 'No executions yet'],
    ['triggers', 'No triggers'],
    ['twap', 'No TWAP schedules'],
    ['ladders', 'No ladders'],
    ['open', 'No open orders'],
  ] as const)
    it(`says that there is nothing: ${address}${address === 'executions' ? '' : ' @long'}`, async () => {
      await suite.goTo(`/orders/${address}`);
      await page.getByText(empty).waitFor();
      await expectAccessible(page, `no ${address}`);
    });

  it('shows executions with their orders, as they come', async () => {
    await suite.goTo('/orders');
    await page.getByText('No executions yet').waitFor();
    await bot.open(PAIR);
    await first('Executions').getByText('Filled', { exact: true }).waitFor();
    await first('Executions').getByRole('button', { name: 'Details' }).click();
    expect(await rowsOf('Orders of the execution').count()).to.equal(2);
    await expectAccessible(page, 'an execution with its orders');
    await suite.closePositions();
  });

  const setFaults = (rules: readonly FaultRule[]) => gateway.gateway.paperVenue('paper').setFaults({ rules });
  /** A window in which the wide columns have no room. */
  const beNarrow = () => page.setViewportSize({ width: 900, height: 800 });

  /** px of a table that are out of view beside it. */
  const overhang = (table: Locator) =>
    table.evaluate(({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0));

  it('shows of open orders what was ordered, not what the price limit would come to @long', async () => {
    await suite.goTo('/orders/open');
    await page.getByText('No open orders').waitFor();
    setFaults([{ match: { times: null }, action: { kind: 'drop_request' } }]);
    await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    const notionals = async () =>
      (await rowsOf('Open orders').locator('[data-name="Notional"]').allTextContents()).map((text) =>
        Number(text.replace(/[^\d.]/g, '')),
      );
    const shown = await untilPage(page, 'both are sized', async () => {
      const all = await notionals();
      return all.length === 2 && all.every((usd) => usd > 0) ? all : null;
    });
    // Legs of $1,000: less than one step of the quantity is not ordered. The limit is 1 % away.
    for (const usd of shown) expect(usd).to.be.within(995, 1_000);
    await bot.call('POST', '/orders/cancel-all');
    setFaults([]);
  });

  itInFreshTab('says whole why an order was refused, in a narrow window too @long', async () => {
    const message = 'the venue says no, at some length, to see that all of it can be read';
    setFaults([{ match: { order: 1 }, action: { kind: 'reject', reason: 'other', message } }]);
    const more = ['LINK', 'AVAX', 'DOGE', 'SOL'].map((name) => usd(name, 'BUY', '250'));
    await bot.open([...PAIR, ...more]);
    setFaults([]);
    await suite.goTo('/orders');
    const note = first('Executions').locator('[data-name="Note"] > span');
    await note.getByText(message).waitFor();
    expect(await note.getAttribute('title')).to.include(message);
    expect(await overhang(page.getByRole('table', { name: 'Executions', exact: true }))).to.equal(0);
    await beNarrow();
    await first('Executions').getByRole('button', { name: 'Details' }).click();
    const details = page
      .locator('tr')
      .filter({ has: page.getByRole('table', { name: 'Orders of the execution' }) });
    const reason = details.getByText(message).last();
    const edge = async (part: Locator) => {
      const box = await part.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
    };
    expect(await edge(reason)).to.be.at.most(
      await edge(page.getByRole('table', { name: 'Executions', exact: true })),
    );
    expect(await overhang(details.getByRole('table', { name: 'Orders of the execution' }))).to.equal(0);
    await suite.closePositions();
  });

  itInFreshTab(
    'says when an alert was told and when one ends where their columns have no room @long',
    async () => {
      await made('/alerts', {
        condition: { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'ETH-PERP' },
        allowImmediate: true,
      });
      await made('/alerts', {
        legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
        condition: { ...CONDITION, direction: 'MORE_THAN', value: '987654.321' },
        expiresAt: new Date(systemClock.now() + 90 * 3_600_000).toISOString(),
      });
      await suite.goTo('/orders/alerts');
      const told = rowsOf('Alerts').filter({ hasText: 'ETH price' });
      await told.getByText('Told', { exact: true }).waitFor();
      // An alert that has ended shows no expiry.
      expect(await told.locator('[data-name="Expires in"]').textContent()).not.to.include('Never');
      await beNarrow();
      const when = (text: string) => rowsOf('Alerts').filter({ hasText: text }).locator('[data-name="When"]');
      await when('ETH price')
        .getByText(/^Told /)
        .waitFor();
      await when('987,654.321')
        .getByText(/^Expires in /)
        .waitFor();
      await expectAccessible(page, 'alerts in a narrow window');
    },
  );

  itInFreshTab('keeps a level on the line of its condition @long', async () => {
    await made('/triggers/open', {
      legs: ['BTC', 'SOL', 'LINK', 'AVAX'].map((name) => usd(name, 'BUY', '250.5')),
      condition: {
        ...{ type: 'CROSS_ASSET_PRICE', direction: 'MORE_THAN', symbol: 'ETH-PERP' },
        value: '987654.321',
      },
      expiresAt: new Date(systemClock.now() + 90 * 3_600_000).toISOString(),
    });
    await beNarrow();
    await suite.goTo('/orders/triggers');
    const when = rowsOf('Triggers').filter({ hasText: '987,654.321' }).locator('[data-name="When"]');
    await when.getByText(/^Expires in /).waitFor();
    // Alone on a line it would be read as a figure without a condition.
    const lines = await page.evaluate<number>(`(() => {
      const cells = [...document.querySelectorAll('[data-name="When"]')];
      const cell = cells.find(({ textContent }) => textContent.includes('987,654.321'));
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      range.setStart(text, text.textContent.indexOf('above'));
      range.setEnd(text, text.textContent.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    })()`);
    expect(lines).to.equal(1);
  });

  it('pauses, resumes and cancels a trigger', async () => {
    const { id } = await setTrigger();
    await suite.goTo('/orders/triggers');
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

  it('says "Settling" while something is busy, and asks again until it is done @long', async () => {
    const { id } = await setTrigger();
    await suite.goTo('/orders/triggers');
    let refusals = 3;
    await page.route(`**/triggers/${id}/cancel`, async (route) => {
      refusals -= 1;
      if (refusals < 0) return route.continue();
      return route.fulfill(refusal(409, 'RESOURCE_BUSY', 'It is firing'));
    });
    const row = first('Triggers');
    await row.getByRole('button', { name: /Cancel trigger/ }).click();
    await row.getByText('Settling').waitFor();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/triggers/${id}`)).to.equal('CANCELLED');
  });

  it('takes "nothing to do" as information @long', async () => {
    const { id } = await setTrigger();
    await suite.goTo('/orders/triggers');
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

  it('cancels all triggers, after asking @long', async () => {
    const ids = [(await setTrigger()).id, (await setTrigger()).id];
    await suite.goTo('/orders/triggers');
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

  it('says before all are cancelled which positions lose their stop-loss @long', async () => {
    const { json: opened } = await bot.call('POST', '/trade/open', {
      type: 'MARKET',
      legs: PAIR,
      stopLoss: { type: 'PERCENTAGE', value: '20' },
      takeProfit: { type: 'PERCENTAGE', value: '40' },
    });
    await bot.ended(opened.execution.id);
    const { id } = await setTrigger();
    await bot.call('POST', `/triggers/${id}/pause`);
    await suite.goTo('/orders/triggers');
    await first('Triggers').waitFor();
    await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Cancels 3 triggers. 1 of them is paused.').waitFor();
    await question.getByText('1 open position loses its stop-loss: BTC / ETH').waitFor();
    await question.getByText('1 open position loses its take-profit: BTC / ETH').waitFor();
    await expectAccessible(page, 'the question before positions lose their protection');
    await page.keyboard.press('Escape');
    await bot.call('POST', '/triggers/cancel-all');
    await suite.closePositions();
  });

  it('keeps states in view in a window of 900 pixels @long', async () => {
    await setTrigger();
    await suite.goTo('/orders/triggers');
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
    await suite.goTo('/orders/twap');
    const row = first('TWAP schedules');
    await row.getByText('1 of 10').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await rowsOf('Slices').last().getByText('Waiting').waitFor();
    await page.getByText(/^Last slice in \d/).waitFor();
    // Not "Filled", which are fills at their own prices: they differ by cents.
    const used = await row.locator('[data-name="Used"]').textContent();
    expect(used).to.match(/^\$\d/);
    expect(await rowsOf('Slices').first().locator('[data-name="Used"]').textContent()).to.equal(used);
    expect(await page.getByRole('columnheader', { name: 'Filled' }).count()).to.equal(0);
    await expectAccessible(page, 'a TWAP with its slices');
    await row.getByRole('button', { name: 'Pause TWAP SOL' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Resume TWAP SOL' }).click();
    await row.getByText('Running').waitFor();
    await row.getByRole('button', { name: 'Cancel TWAP SOL' }).click();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/schedules/${id}`)).to.equal('CANCELLED');
  });

  it('shows a ladder with its rungs; cancels one of them, then all @long', async () => {
    const { id, rungs } = await made('/ladders', FALLING_LADDER);
    await suite.goTo('/orders/ladders');
    const row = first('Ladders');
    await row.getByText('0 of 5').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    expect(await rowsOf('Rungs').count()).to.equal(5);
    await expectAccessible(page, 'a ladder with its rungs');
    const second = rowsOf('Rungs').nth(1);
    await second.getByText('95.0000', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'Cancel rung 2' }).click();
    await second.getByText('Cancelled').waitFor();
    expect(await statusOf(`/triggers/${rungs[1].triggerId}`)).to.equal('CANCELLED');
    expect(await statusOf(`/ladders/${id}`), 'the others wait').to.equal('ACTIVE');
    await row.getByRole('button', { name: 'Cancel ladder SOL' }).click();
    await row.getByText('Cancelled').waitFor();
    expect(await statusOf(`/ladders/${id}`)).to.equal('CANCELLED');
  });

  it('lists a trigger that waits, however many rungs were set since @long', async () => {
    await setTrigger();
    for (let ladders = 0; ladders < 2; ladders += 1)
      await made('/ladders', { ...FALLING_LADDER, end: '51', levels: 50 });
    await suite.goTo('/orders/triggers');
    const row = first('Triggers');
    await row.getByText('Price ratio below 5').waitFor();
    await row.getByText('Waiting').waitFor();
  });
});
