/** Every screen with one account that has months behind it: the pictures of `docs/screens.md`. */
import type { Page } from 'playwright-core';
import { faultScript } from '../../support/fault-script.ts';
import { framesPass } from '../../support/page-time.ts';
import { makeRichAccount, type RichAccount } from '../../support/rich-account.ts';
import { usd } from '../../support/trader.ts';
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
  stands?: (page: Page) => Promise<void>,
): Shot => ({
  name,
  ...(stands === undefined ? {} : { stands: ({ page }) => stands(page) }),
  async show(stage) {
    const account = await rich(stage);
    await stage.goTo(typeof path === 'string' ? path : path(account));
    await then(stage.page);
  },
});

/** The panel under the chart, which is below the window's edge in most sizes. */
const dock = (page: Page) =>
  page.getByRole('region', { name: 'This account' }).evaluate((one) => one.scrollIntoView({ block: 'end' }));

const firstRow = (table: string) => (page: Page) => rows(page, table).first().waitFor();
const anyRow = (page: Page) => page.locator('[data-row]').first().waitFor();

async function chart(page: Page): Promise<void> {
  await page.getByRole('img', { name: /^Chart of .*Entry \d/ }).waitFor();
  await framesPass(page, 1_000);
}

async function zTrigger(page: Page): Promise<void> {
  await chart(page);
  const ticket = page.getByRole('form', { name: 'Ticket' });
  await ticket.getByRole('radio', { name: 'Trigger', exact: true }).click();
  await ticket.getByRole('radio', { name: 'Ratio z', exact: true }).click();
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

/** Orders that rest: they never arrive at the venue, which is found out after some seconds. */
async function restingOrders({ gateway, bot }: Stage): Promise<void> {
  const open = await bot.call('GET', '/orders?status=PENDING,PARTIAL');
  if (open.json.orders.length > 0) return;
  const venue = gateway.gateway.paperVenue('paper');
  const lost = faultScript().at({ times: null }, { kind: 'drop_request' }).done();
  venue.setFaults(lost);
  for (const legs of [
    [usd('BTC', 'BUY', '4000'), usd('SOL', 'SELL', '4000')],
    ['LINK', 'AVAX', 'DOGE', 'LTC'].map((name) => usd(name, 'BUY', '1250.5')),
  ])
    await bot.call('POST', '/trade/open', { type: 'MARKET', legs });
  const [held] = await bot.positions();
  await bot.call('POST', `/positions/${held?.['id']}/close`, { type: 'MARKET' });
}

async function noOrders({ gateway, bot }: Stage): Promise<void> {
  await bot.call('POST', '/orders/cancel-all');
  gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
}

export const deskShots: ScreenShots = {
  screen: 'desk',
  isRealistic: true,
  shots: [
    // First: each state is one more session.
    on('settings', '/settings', (page) => rows(page, 'Sessions').first().waitFor()),
    on(
      'settings-below',
      '/settings',
      (page) => rows(page, 'Sessions').first().waitFor(),
      // In every size: what is wide enough for one picture lies elsewhere in the next one.
      (page) =>
        page
          .getByRole('heading', { name: 'Messages to your phone or chat' })
          .evaluate((one) => one.scrollIntoView({ block: 'center' })),
    ),
    on('trade', PAIR, chart),
    on('trade-review', PAIR, zTrigger),
    on(
      'trade-triggers',
      PAIR,
      async (page) => {
        await chart(page);
        await page.getByRole('tab', { name: /^Triggers/ }).click();
        await anyRow(page);
      },
      dock,
    ),
    on(
      'trade-plans',
      PAIR,
      async (page) => {
        await chart(page);
        await page.getByRole('tab', { name: /^TWAP and ladders/ }).click();
        await anyRow(page);
      },
      dock,
    ),
    on(
      'trade-fills',
      PAIR,
      async (page) => {
        await chart(page);
        await page.getByRole('tab', { name: 'Fills' }).click();
        await anyRow(page);
      },
      dock,
    ),
    {
      name: 'trade-orders',
      async show(stage) {
        await rich(stage);
        await restingOrders(stage);
        await stage.goTo(PAIR);
        await chart(stage.page);
        await stage.page.getByRole('tab', { name: /^Open orders/ }).click();
        await anyRow(stage.page);
      },
      async stands(stage) {
        await restingOrders(stage);
        await firstRow('Open orders')(stage.page);
        await dock(stage.page);
      },
      clear: noOrders,
    },
    on('positions', '/positions', async (page) => {
      await firstRow('Open positions')(page);
      await opened(page, 'Open positions', 'ETH');
      await page.getByRole('table', { name: 'Legs' }).waitFor();
      await framesPass(page, 1_500);
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
        await framesPass(page, 1_000);
      },
    ),
    on('commands', '/positions', async (page) => {
      await firstRow('Open positions')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('eth');
      await framesPass(page, 1_000);
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
    {
      name: 'orders-open',
      async show(stage) {
        await rich(stage);
        await restingOrders(stage);
        await stage.goTo('/orders/open');
        await firstRow('Open orders')(stage.page);
      },
      async stands(stage) {
        await restingOrders(stage);
        await firstRow('Open orders')(stage.page);
      },
      clear: noOrders,
    },
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
      await framesPass(page, 1_000);
      await anyRow(page);
    }),
    on('notifications', '/notifications', anyRow),
    on('notifications-outside', '/notifications', async (page) => {
      await page.getByRole('button', { name: 'Desktop notifications' }).click();
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
