/** The Stop menu: pausing, cancelling what waits, closing everything, ending every agent; and what it says that came of it. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consentVisitor } from '../support/consent-visitor.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { PAIR, type Trader, traderOn, usd } from '../support/trader.ts';

describe('the Stop menu', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();
  let bot: Trader;

  before(async () => {
    const { gateway, accountId, accessToken } = suite;
    const made = await gateway.request('POST', '/api-keys', {
      headers: { authorization: `Bearer ${accessToken}` },
      body: { label: 'test', scope: 'read_write' },
    });
    bot = traderOn(gateway, { key: made.json.key, accountId, accessToken });
  });

  /** Opens the menu and takes the item, by keyboard. */
  async function stop(page: Page, item: RegExp): Promise<void> {
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  }
  const paused = (page: Page) => page.getByRole('banner').getByText('New orders paused');

  async function placeResting(): Promise<void> {
    const placed = await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' },
    });
    expect(placed.status, placed.text).to.be.lessThan(300);
  }
  const waiting = async (): Promise<number> =>
    (await bot.call('GET', '/triggers?status=ACTIVE')).json.triggers.length;

  it('pauses new orders and accepts them again, in every tab', async () => {
    const { page } = await suite.open('/settings');
    await page.getByText('Live data').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Pause new orders' }).waitFor();
    // Each item names its accounts beside it.
    for (const name of [
      /^Pause new orders\s*all accounts$/,
      /^Cancel all resting orders…\s*this account$/,
      /^Close everything…\s*all accounts$/,
    ])
      await page.getByRole('menuitem', { name }).waitFor();
    await expectAccessible(page, 'the menu');
    await page.getByRole('menuitem', { name: 'Pause new orders' }).press('Enter');
    await paused(page).waitFor();
    const refused = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    expect(refused.status).to.be.greaterThan(399);
    await stop(page, /Accept new orders again/);
    await paused(page).waitFor({ state: 'detached' });
    expect((await bot.open(PAIR))['status']).to.equal('COMPLETED');
  });

  it('cancels everything that waits, and leaves positions alone @long', async () => {
    // Nothing to cancel is a 409 of the gateway, and no failure.
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 409 && path.endsWith('/cancel-all'),
    });
    await page.getByText('Live data').waitFor();
    await stop(page, /Cancel all resting/);
    const question = page.getByRole('dialog', { name: 'Cancel all resting orders?' });
    await question.getByRole('button', { name: 'Cancel all resting orders' }).click();
    await page.getByText('Nothing was waiting').waitFor();
    await placeResting();
    await placeResting();
    await stop(page, /Cancel all resting/);
    await question.getByText('Cancels 2 triggers.').waitFor();
    await expectAccessible(page, 'cancel?');
    await question.getByRole('button', { name: 'Cancel all resting orders' }).click();
    await page.getByText('2 resting orders cancelled').waitFor();
    expect(await waiting()).to.equal(0);
    expect(await bot.positions()).to.have.length(1);
  });

  it('ends every agent @long', async () => {
    const client = oauthClient(suite.gateway);
    const { access_token: token } = await client.connect(consentVisitor(suite.gateway));
    const ask = () =>
      suite.gateway.request('GET', '/trade-accounts', { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).to.equal(200);
    const { page } = await suite.open('/settings');
    await page.getByText('Live data').waitFor();
    await stop(page, /Revoke all agents/);
    const question = page.getByRole('dialog', { name: 'Revoke all agents?' });
    await question.waitFor();
    await expectAccessible(page, 'revoke?');
    await question.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('1 agent revoked').waitFor();
    expect((await ask()).status).to.equal(401);
  });

  it('closes everything when it is held, not when it is pressed', async () => {
    await bot.open([usd('SOL', 'BUY', '500')]);
    await placeResting();
    const { page } = await suite.open('/positions');
    await page.getByText('Live data').waitFor();
    await stop(page, /Close everything/);
    const question = page.getByRole('dialog', { name: 'Close everything?' });
    const hold = question.getByRole('button', { name: 'Hold to close all' });
    await hold.waitFor();
    await expectAccessible(page, 'close everything?');
    await hold.press('Enter');
    await hold.click();
    expect(await question.isVisible()).to.equal(true);
    expect(await bot.positions()).to.have.length(2);

    await hold.focus();
    await page.keyboard.down('Enter');
    await paused(page).waitFor();
    await page.keyboard.up('Enter');
    await question.waitFor({ state: 'detached' });
    await page.getByText(/2 positions closing/).waitFor();
    await page.getByText('No open positions').waitFor();
    expect(await bot.positions()).to.have.length(0);
    expect(await waiting()).to.equal(0);
    const flat = page.getByRole('status').filter({ hasText: 'Everything is closed.' });
    await flat.waitFor();
    await expectAccessibleWhenLong(page, 'everything is closed');
    await flat.getByRole('button', { name: 'Accept new orders again' }).click();
    await flat.waitFor({ state: 'detached' });
    await paused(page).waitFor({ state: 'detached' });
  });

  it('says what is left while everything is being closed, and that accepting orders ends it @long', async () => {
    const { page } = await suite.open('/settings');
    await page.getByText('Live data').waitFor();
    const { json } = await bot.call('GET', '/safety');
    const left = {
      tradeAccountId: suite.accountId,
      connector: 'paper',
      source: 'BASKET',
      positionId: suite.accountId,
      symbol: 'BTC-PERP',
      quantity: '-0.0125',
      reason: 'the venue does not answer',
    };
    await page.route('**/safety', (route) =>
      route.fulfill({
        json: {
          ...json,
          paused: true,
          reason: 'PANIC',
          pausedAt: json.panic.startedAt,
          panic: { ...json.panic, status: 'CLOSING', finishedAt: null, left: [left] },
        },
      }),
    );
    await page.reload();
    await page.getByText('BTC-PERP short 0.0125 (the venue does not answer)').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page, 'closing everything');
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Stop closing, accept new orders again' }).waitFor();
  });

  it('says what could not be done, and can be asked again @long', async () => {
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 500 && path === '/safety/panic',
    });
    await page.getByText('Live data').waitFor();
    let isBroken = true;
    await page.route('**/safety/panic', (route) =>
      isBroken
        ? route.fulfill({
            status: 500,
            headers: { 'x-request-id': 'req-9' },
            json: { message: 'Not written', errorCode: 'DATABASE_ERROR', details: {} },
          })
        : route.continue(),
    );
    await stop(page, /Close everything/);
    const question = page.getByRole('dialog', { name: 'Close everything?' });
    await question.getByRole('button', { name: 'Hold to close all' }).focus();
    await page.keyboard.down('Enter');
    await question.getByText('500 DATABASE_ERROR').waitFor();
    await page.keyboard.up('Enter');
    await question.getByText('req-9').waitFor();
    await expectAccessible(page, 'not closed');
    isBroken = false;
    await question.getByRole('button', { name: 'Hold to close all' }).focus();
    await page.keyboard.down('Enter');
    await question.waitFor({ state: 'detached' });
    await page.keyboard.up('Enter');
  });
});
