/** Positions in the browser: isolated margin, menus, and a screen whose data load, fail, grow old and come back. */

import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../support/dashboard.ts';
import {
  holdAnswers,
  pathIs,
  REQUEST_ID,
  refuseAnswers,
  switchableStream,
} from '../support/dashboard-states.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { screenSuite } from '../support/screen-suite.ts';
import { PAIR, usd } from '../support/trader.ts';

describe('the positions screen, margin and states', function () {
  this.timeout(90_000);
  const suite = screenSuite(
    (status, path) => status === 403 || (status === 400 && path.startsWith('/positions/')),
  );

  const rowOf = (text: string): Locator =>
    suite.page
      .getByRole('table', { name: 'Open positions' })
      .locator('tr[data-row]')
      .filter({ hasText: text });
  const dialog = () => suite.page.getByRole('dialog').last();
  /** With the account's other figures there, nothing on the screen says that it holds nothing. */
  async function expectNothingKnown(): Promise<void> {
    const { page } = suite;
    const totals = page.getByLabel('Account totals');
    await totals
      .getByText(/^\$[\d,]+\.\d\d$/)
      .first()
      .waitFor();
    const unrealised = totals.locator('div', { has: page.getByText('Unrealised', { exact: true }) });
    expect(await unrealised.locator('dd').textContent()).to.match(/^–/);
    expect(await page.getByRole('tab', { name: /^Open/ }).textContent()).to.equal('Open');
    expect(await page.getByRole('tab', { name: /^Traded past/ }).textContent()).to.equal(
      'Traded past Tandem',
    );
  }
  const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  async function closeAll(): Promise<void> {
    for (const { id } of await suite.bot.positions()) {
      const { json } = await suite.bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' });
      await suite.bot.ended(json.execution.id);
    }
  }
  afterEach(closeAll);

  it('adds margin to an isolated leg, and takes it out again', async () => {
    const { page, bot } = suite;
    await bot.call('PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 5, marginMode: 'isolated' });
    await bot.open([usd('SOL', 'BUY', '500')]);
    const margin = async () => Number((await bot.positions())[0]?.marginUsed);
    const before = await margin();
    await suite.goTo('/positions');
    await rowOf('SOL')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page, 'menu of a position');
    await page.getByRole('menuitem', { name: /margin/ }).click();
    await dialog().getByLabel('Amount').waitFor();
    await expectAccessible(page, 'margin dialog');
    // What the leg has, what the account can give, and what the venue would give back.
    const had = await dialog()
      .locator('dl > div')
      .filter({ hasText: /^Margin/ })
      .locator('dd')
      .textContent();
    expect(Number(had?.replace(/[$,]/g, ''))).to.be.closeTo(before, 5);
    await dialog()
      .getByText(/^\$[\d,]{5,}\.\d\d of the account is free$/)
      .waitFor();
    await dialog().getByText('Take out', { exact: true }).click();
    await dialog()
      .getByText(/^About \$\d+\.\d\d at most: 5× needs the rest$/)
      .waitFor();
    await dialog().getByText('Add', { exact: true }).click();
    await button('Add margin').click();
    await dialog().getByText('Needed').waitFor();
    await dialog().getByLabel('Amount').fill('20');
    await button('Add margin').click();
    await dialog().waitFor({ state: 'detached' });
    await until(async () => (await margin()) > before + 15);

    await rowOf('SOL')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: /margin/ }).click();
    await dialog().getByRole('radio', { name: 'Take out' }).click();
    // More than there is: refused by the gateway, and still there to be corrected.
    await dialog().getByLabel('Amount').fill('90000');
    await button('Take margin out').click();
    await dialog().getByRole('alert').or(dialog().locator('[class*="error"]')).first().waitFor();
    await expectAccessible(page, 'margin dialog, refused');
    expect(await dialog().getByLabel('Amount').inputValue()).to.equal('90000');
    await dialog().getByLabel('Amount').fill('10');
    await button('Take margin out').click();
    await dialog().waitFor({ state: 'detached' });
    await until(async () => (await margin()) < before + 15);
  });

  it('shows where rows will be while they are on their way', async () => {
    const { page } = suite;
    const release = await holdAnswers(page, pathIs('/positions'));
    await suite.goTo('/positions');
    await page.locator('[role=status] [class*=bar]').first().waitFor();
    await expectNothingKnown();
    await expectAccessible(page, 'loading');
    release();
    await page.getByText('No open positions').waitFor();
    await page.getByRole('tab', { name: /^Traded past Tandem\s*0$/ }).waitFor();
    await page.getByLabel('Account totals').getByText('$0.00').first().waitFor();
  });

  it('says what went wrong with a request id to copy, and tries again when asked', async () => {
    const { page } = suite;
    await refuseAnswers(page, pathIs('/positions'));
    await suite.goTo('/positions');
    await page.getByText('The account may not be read').waitFor();
    await page.getByText(REQUEST_ID).waitFor();
    await page.getByRole('button', { name: 'Copy request id' }).waitFor();
    await expectNothingKnown();
    await expectAccessible(page, 'error');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No open positions').waitFor();
  });

  itInFreshTab('dims while the stream is lost, and then shows what happened meanwhile', async () => {
    const { page, bot } = suite;
    const stream = await switchableStream(page);
    await bot.open(PAIR);
    await suite.goTo('/positions');
    await rowOf('ETH').waitFor();
    await page.getByText('Live data').waitFor();
    await stream.cut();
    await page.locator('.stale').first().waitFor();
    await page
      .getByText(/^Stale \d+ s$/)
      .first()
      .waitFor();
    await expectAccessible(page, 'stale');
    await closeAll();
    await bot.open([usd('LINK', 'SELL', '300')]);
    let snapshots = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/portfolio') snapshots += 1;
    });
    stream.mend();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    await rowOf('LINK').waitFor();
    await rowOf('ETH').waitFor({ state: 'detached' });
    await until(async () => snapshots > 0);
  });

  it('finds its way with the keyboard: rows, legs, the drawer and back', async () => {
    const { page, bot } = suite;
    await bot.open(PAIR);
    await suite.goTo('/positions');
    await rowOf('ETH').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Legs' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('table', { name: 'Legs' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await dialog().getByRole('tab', { name: 'Chart' }).waitFor();
    await expectAccessible(page, 'drawer');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('shows sums as the gateway sends them, digit by digit', async () => {
    const { page, bot } = suite;
    await bot.open([usd('SOL', 'BUY', '500')]);
    const { json } = await bot.call('GET', '/positions?status=OPEN');
    // More digits than a float holds.
    for (const position of json.positions) position.grossNotional = '12345678901234567.89';
    await page.route(pathIs('/positions'), (route) => route.fulfill({ json }));
    await suite.goTo('/positions');
    await rowOf('SOL').getByText('$12,345,678,901,234,567.89').waitFor();
  });
});

/** Asks until it is so. */
async function until(test: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not become so');
}
