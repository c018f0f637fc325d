/** Every screen with one account that has months behind it: the pictures of `docs/screens.md`. */
import type { Page } from 'playwright-core';
import { makeRichAccount, type RichAccount } from '../../support/rich-account.ts';
import type { ScreenShots, Shot, Stage } from './shot.ts';

const PAIR = '/trade?long=BTC-PERP&short=ETH-PERP';
const made = new WeakMap<object, Promise<RichAccount>>();

/** The account, made once a gateway. */
function rich({ gateway, bot }: Stage): Promise<RichAccount> {
  const known = made.get(gateway) ?? makeRichAccount(gateway, bot);
  made.set(gateway, known);
  return known;
}

const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');

/** @param then waits until what is to be seen is there */
const on = (
  name: string,
  path: string | ((account: RichAccount) => string),
  then: (page: Page) => Promise<unknown>,
): Shot => ({
  name,
  async show(stage) {
    const account = await rich(stage);
    await stage.goTo(typeof path === 'string' ? path : path(account));
    await then(stage.page);
  },
});

const firstRow = (table: string) => (page: Page) => rows(page, table).first().waitFor();
const anyRow = (page: Page) => page.locator('[data-row]').first().waitFor();

async function chart(page: Page): Promise<void> {
  await page.getByRole('img', { name: /^Chart of .*Entry \d/ }).waitFor();
  await page.waitForTimeout(1_000);
}

async function zTrigger(page: Page): Promise<void> {
  await chart(page);
  const ticket = page.getByRole('form', { name: 'Ticket' });
  await ticket.getByRole('radio', { name: 'Trigger', exact: true }).click();
  await ticket.getByRole('radio', { name: 'Z-score', exact: true }).click();
  await ticket.getByLabel('Level').fill('-2');
  await ticket.getByLabel('Notional').fill('5000');
  await ticket.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByRole('row', { name: /BTC/ }).waitFor();
}

async function opened(page: Page, table: string, row: string): Promise<void> {
  await rows(page, table)
    .filter({ hasText: row })
    .first()
    .getByRole('button', { name: /^Details/ })
    .click();
}

export const deskShots: ScreenShots = {
  screen: 'desk',
  isRealistic: true,
  shots: [
    // First: each state is one more session.
    on('settings', '/settings', (page) => rows(page, 'Sessions').first().waitFor()),
    on('settings-below', '/settings', async (page) => {
      await rows(page, 'Sessions').first().waitFor();
      await page.getByRole('heading', { name: 'Messages to your phone or chat' }).scrollIntoViewIfNeeded();
    }),
    on('trade', PAIR, chart),
    on('trade-review', PAIR, zTrigger),
    on('trade-triggers', PAIR, async (page) => {
      await chart(page);
      await page.getByRole('tab', { name: /^Triggers/ }).click();
      await anyRow(page);
    }),
    on('trade-plans', PAIR, async (page) => {
      await chart(page);
      await page.getByRole('tab', { name: /^TWAP and ladders/ }).click();
      await anyRow(page);
    }),
    on('trade-fills', PAIR, async (page) => {
      await chart(page);
      await page.getByRole('tab', { name: 'Fills' }).click();
      await anyRow(page);
    }),
    on('positions', '/positions', async (page) => {
      await firstRow('Open positions')(page);
      await opened(page, 'Open positions', 'ETH');
      await page.getByRole('table', { name: 'Legs' }).waitFor();
      await page.waitForTimeout(1_500);
    }),
    on('positions-reverse', '/positions', async (page) => {
      await firstRow('Open positions')(page);
      await page.getByRole('button', { name: 'More for BTC / ETH' }).click();
      await page.getByRole('menuitem', { name: /Reverse/ }).click();
      await page.getByRole('dialog').getByText('What is sent').waitFor();
    }),
    on(
      'positions-drawer',
      ({ pairId }) => `/positions/${pairId}`,
      async (page) => {
        await page
          .getByRole('dialog')
          .getByRole('img', { name: /^Chart of/ })
          .waitFor();
        await page.waitForTimeout(1_000);
      },
    ),
    on('commands', '/positions', async (page) => {
      await firstRow('Open positions')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('eth');
      await page.waitForTimeout(1_000);
    }),
    on('orders', '/orders/triggers', firstRow('Triggers')),
    on('orders-executions', '/orders/executions', firstRow('Executions')),
    on('orders-twap', '/orders/twap', async (page) => {
      await firstRow('TWAP schedules')(page);
      await opened(page, 'TWAP schedules', 'ETH');
    }),
    on('orders-ladder', '/orders/ladders', async (page) => {
      await firstRow('Ladders')(page);
      await opened(page, 'Ladders', 'AVAX');
    }),
    on('history', '/history/trades', async (page) => {
      await firstRow('Closed trades')(page);
      await rows(page, 'Closed trades')
        .first()
        .getByRole('button', { name: /^Details/ })
        .click();
      await page.getByRole('list', { name: 'Steps' }).waitFor();
    }),
    on('history-fills', '/history/fills', firstRow('Fills')),
    on('portfolio', '/portfolio', (page) => page.getByRole('figure', { name: /^Equity by day/ }).waitFor()),
    on('portfolio-days', '/portfolio', async (page) => {
      await page.getByRole('figure', { name: /^Equity by day/ }).waitFor();
      await page.getByRole('table').last().scrollIntoViewIfNeeded();
    }),
    on('markets', '/markets/pairs', anyRow),
    on('markets-instruments', '/markets/instruments', anyRow),
    on('markets-saved', '/markets/saved', anyRow),
    on('screener', '/screener', anyRow),
    on('screener-filtered', '/screener', async (page) => {
      await anyRow(page);
      await page.getByRole('searchbox', { name: 'Search' }).fill('eth');
      await page.waitForTimeout(1_000);
      await anyRow(page);
    }),
    on('notifications', '/notifications', anyRow),
    on('notifications-outside', '/notifications', async (page) => {
      await page.getByRole('button', { name: 'Desktop alerts' }).click();
      await page.getByRole('dialog').getByRole('switch').first().waitFor();
    }),
    on(
      'approvals',
      ({ approvalId }) => `/approvals/${approvalId}`,
      (page) => page.getByRole('button', { name: 'Deny' }).waitFor(),
    ),
    on('approvals-list', '/approvals', anyRow),
    on('agents', '/agents', async (page) => {
      await anyRow(page);
      await page
        .getByRole('button', { name: /^Details/ })
        .first()
        .click();
      await page.getByText('Allowed by you').waitFor();
    }),
    on('agents-revoke', '/agents', async (page) => {
      await anyRow(page);
      await page.getByRole('button', { name: /^Revoke Night/ }).click();
      await page.getByRole('dialog').waitFor();
    }),
    on('developers', '/developers', anyRow),
    on('developers-requests', '/developers/requests', async (page) => {
      await anyRow(page);
      await page.getByRole('button', { name: 'Details' }).nth(1).click();
      await page.getByRole('radio', { name: 'Python' }).click();
    }),
    on('accounts', '/accounts', async (page) => {
      await anyRow(page);
      await page
        .getByRole('button', { name: /^Details/ })
        .first()
        .click();
    }),
    on('accounts-add', '/accounts?add', (page) => page.getByRole('dialog').waitFor()),
  ],
};
