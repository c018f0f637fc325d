/** The Notifications screen on a real gateway: what has happened, read and unread, and what leaves the page. */

import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser.ts';
import { buildDashboard, type DashboardPage, expectAccessible } from '../support/dashboard.ts';
import { itInFreshTab, tabKeeper } from '../support/kept-tab.ts';
import { type SeededGateway, startSeededGateway } from '../support/seeded-gateway.ts';
import { nextId } from '../support/store-records.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';

const EMAIL = 'ada@example.test';
const OLD = 230;

describe('notifications on the screen', function () {
  this.timeout(180_000);
  const tabs = tabKeeper();
  let browser: Browser;
  let gateway: SeededGateway;
  let bot: Trader;
  let tab: DashboardPage;
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    await buildDashboard();
    gateway = await startSeededGateway();
    bot = await trader(gateway, { email: EMAIL });
  });
  beforeEach(async () => {
    tab = await tabs.open(browser, gateway, { email: EMAIL });
    page = tab.page;
  });
  after(async () => {
    await gateway?.close();
    await browser?.close();
  });

  const list = () => page.getByRole('table', { name: 'Notifications' });
  const row = (text: string) => list().getByRole('row').filter({ hasText: text }).first();

  it('of an account to which nothing has happened say what would stand there', async () => {
    await tab.goTo('/notifications');
    await page.getByText('Nothing has happened yet').waitFor();
    expect(await page.getByRole('button', { name: 'Mark all read' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'no notifications');
    await page.getByRole('radio', { name: 'Unread' }).click();
    await page.getByText('All read', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('Nothing has happened yet').waitFor();
  });

  itInFreshTab('leave the page by category: as a toast where the browser does not let them', async () => {
    await tab.goTo('/notifications');
    await page.getByRole('button', { name: 'Desktop alerts' }).click();
    const panel = page.getByRole('dialog', { name: 'Desktop alerts' });
    await panel.getByRole('switch').click();
    await panel.getByText(/appear inside (it|this page)/).waitFor();
    expect(await panel.getByRole('checkbox', { name: 'Trigger executed' }).isChecked()).to.equal(true);
    await panel.getByRole('checkbox', { name: 'TWAP completed' }).click();
    await expectAccessible(page, 'what leaves the page');
    await panel.getByRole('button', { name: 'Close' }).click();

    await fireTrigger();
    // The toast, and the row that came by itself.
    await page.getByRole('status').getByText('Trigger executed').waitFor();
    await row('Trigger executed').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Desktop alerts' }).click();
    expect(await panel.getByRole('checkbox', { name: 'TWAP completed' }).isChecked()).to.equal(true);
    expect(await panel.getByRole('switch').isChecked()).to.equal(true);
  });

  it('are listed to the last page, marked read and unread, filtered, and lead to what they are about', async () => {
    await fireTrigger();
    const me = await gateway.request('GET', '/auth/me', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
    });
    const userId = me.json.id;
    const base = Date.now() - 86_400_000;
    await gateway.seed({
      notifications: Array.from({ length: OLD }, (_, number) => ({
        id: nextId(base + number),
        userId,
        category: number === 0 ? ('LADDER_COMPLETED' as const) : ('REBALANCE_DRIFT' as const),
        parameters: {
          type: 'rebalance',
          reason: `drift ${number}`,
          legs: [
            { id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' as const },
            { id: 'ETH-PERP', symbol: 'ETH', side: 'SELL' as const },
          ],
        },
        isRead: false,
        createdAt: base + number,
        updatedAt: base + number,
      })),
    });
    await tab.goTo('/notifications');
    await row('Trigger executed').getByText('BTC').waitFor();
    await expectAccessible(page, 'a long list');

    // The oldest is on the third page: the filter reads on until it is found.
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Ladder completed' }).click();
    await row('Ladder completed').waitFor();
    expect(await list().locator('[data-row]').count()).to.equal(1);
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'All categories' }).click();
    await row('Trigger executed').waitFor();
    expect(Number(await list().getAttribute('aria-rowcount'))).to.be.greaterThan(OLD);

    const before = await unread();
    expect(before).to.be.at.least(OLD);
    await row('drift 229').getByRole('button', { name: 'Mark read' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).waitFor();
    expect(await unread()).to.equal(before - 1);
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark read' }).waitFor();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await row('drift 229').getByRole('button', { name: 'Mark unread' }).waitFor();
    expect(await unread()).to.equal(0);

    await row('Trigger executed').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/positions\//);
  });

  async function unread(): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { json } = await bot.call('GET', `/notifications?scope=unread&limit=100${more}`);
      count += json.notifications.length;
      cursor = json.nextCursor;
    } while (cursor !== undefined);
    return count;
  }

  /** A trigger that is true already. */
  async function fireTrigger(): Promise<void> {
    const answer = await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1' },
      allowImmediate: true,
    });
    expect(answer.status, answer.text).to.equal(200);
  }
});
