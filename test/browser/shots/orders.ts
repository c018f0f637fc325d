/** Orders, in every state. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import { faultScript } from '../../support/fault-script.ts';
import { PAIR, type Trader, usd } from '../../support/trader.ts';
import type { ScreenShots, Shot, Stage } from './shot.ts';

const TABS = [
  ['executions', 'No executions yet', '/executions'],
  ['triggers', 'No triggers', '/triggers'],
  ['twap', 'No TWAP schedules', '/schedules'],
  ['ladders', 'No ladders', '/ladders'],
  ['alerts', 'No alerts', '/alerts'],
  ['open', 'No open orders', '/orders'],
] as const;

const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');

async function made(bot: Trader, path: string, body: object): Promise<string> {
  const { status, json, text } = await bot.call('POST', path, body);
  expect(status, text).to.equal(200);
  return json.id;
}

/** One of everything that waits or has ended. */
async function makeSome(bot: Trader): Promise<void> {
  if ((await bot.call('GET', '/triggers')).json.triggers.length > 0) return;
  await bot.open(PAIR);
  const [position] = await bot.positions();
  await bot.call('PUT', `/positions/${position.id}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '5' },
    stopLoss: { type: 'PERCENTAGE', value: '3', trailing: { delta: '1' } },
  });
  const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' };
  const paused = await made(bot, '/triggers/open', { legs: PAIR, condition });
  await bot.call('POST', `/triggers/${paused}/pause`);
  const cancelled = await made(bot, '/triggers/open', { legs: PAIR, condition });
  await bot.call('POST', `/triggers/${cancelled}/cancel`);
  await made(bot, '/triggers/open', {
    legs: ['BTC', 'SOL', 'LINK', 'AVAX'].map((name) => usd(name, 'BUY', '250.5')),
    condition: { type: 'CROSS_ASSET_PRICE', direction: 'MORE_THAN', value: '987654.321', symbol: 'ETH-PERP' },
    expiresAt: new Date(systemClock.now() + 90 * 3_600_000).toISOString(),
  });
  await made(bot, '/alerts', {
    legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
    condition: { ...condition, value: '3', direction: 'MORE_THAN', transform: 'Z_SCORE', lookback: 720 },
  });
  await made(bot, '/alerts', {
    condition: { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'ETH-PERP' },
    allowImmediate: true,
  });
  await made(bot, '/schedules', {
    legs: [usd('SOL', 'BUY', '2000')],
    durationSeconds: 600,
    intervalSeconds: 60,
  });
  await made(bot, '/ladders', {
    legs: [usd('SOL', 'BUY', '3000')],
    metric: 'PRICE',
    direction: 'LESS_THAN',
    start: '100',
    end: '80',
    levels: 7,
    distribution: 'GEOMETRIC',
    sizing: 'INCREASING',
  });
}

const full =
  (tab: string, table: string, then: (page: Page) => Promise<unknown> = async () => undefined) =>
  async ({ bot, page, goTo }: Stage) => {
    await makeSome(bot);
    await goTo(`/orders/${tab}`);
    await rows(page, table).first().waitFor();
    await then(page);
  };

async function details(page: Page, table: string, inner: string): Promise<void> {
  await rows(page, table).first().getByRole('button', { name: 'Details' }).click();
  await rows(page, inner).first().waitFor();
}

/** An order that never arrives at the venue. That is found out after some seconds: it is sent anew where it has ended. */
async function lostOrder({ gateway, bot }: Stage): Promise<void> {
  const { json } = await bot.call('GET', '/orders?status=PENDING,PARTIAL');
  if (json.orders.length > 0) return;
  const lost = faultScript().at({ times: null }, { kind: 'drop_request' }).done();
  gateway.gateway.paperVenue('paper').setFaults(lost);
  await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
}

export const ordersShots: ScreenShots = {
  screen: 'orders',
  shots: [
    ...TABS.map(
      ([tab, empty]): Shot => ({
        name: `${tab}-empty`,
        async show({ page, goTo }) {
          await goTo(`/orders/${tab}`);
          await page.getByText(empty).waitFor();
        },
      }),
    ),
    {
      name: 'loading',
      async show({ page, goTo }) {
        await holdAnswers(page, pathIs('/executions'));
        await goTo('/orders/executions');
        await page.locator('[role=status] [class*=bar]').first().waitFor();
      },
    },
    {
      name: 'error',
      async show({ page, goTo }) {
        await refuseAnswers(page, pathIs('/executions'));
        await goTo('/orders/executions');
        await page.getByText('The account may not be read').waitFor();
      },
    },
    {
      name: 'executions',
      show: full('executions', 'Executions', (page) =>
        details(page, 'Executions', 'Orders of the execution'),
      ),
    },
    { name: 'triggers', show: full('triggers', 'Triggers') },
    {
      name: 'change-trigger',
      show: full('triggers', 'Triggers', async (page) => {
        await page
          .getByRole('button', { name: /^Change trigger BTC \/ ETH/ })
          .first()
          .click();
        await page.getByRole('dialog').waitFor();
        await page.getByRole('switch', { name: 'Take-profit' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByText('Needed').waitFor();
      }),
    },
    {
      name: 'change-trigger-typed',
      show: full('triggers', 'Triggers', async (page) => {
        await page
          .getByRole('button', { name: /^Change trigger BTC \/ ETH/ })
          .first()
          .click();
        await page.getByRole('switch', { name: 'Take-profit' }).click();
        await page.getByRole('dialog').getByLabel('Gain').fill('4');
        await page.getByText(/^The position's own/).waitFor();
      }),
    },
    {
      name: 'cancel-all',
      show: full('triggers', 'Triggers', async (page) => {
        await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      }),
    },
    {
      name: 'twap',
      show: full('twap', 'TWAP schedules', (page) => details(page, 'TWAP schedules', 'Slices')),
    },
    { name: 'alerts', show: full('alerts', 'Alerts') },
    {
      name: 'alert-change',
      show: full('alerts', 'Alerts', async (page) => {
        await page
          .getByRole('button', { name: /^Change alert/ })
          .first()
          .click();
        await page.getByRole('dialog', { name: 'Change alert' }).waitFor();
      }),
    },
    { name: 'ladders', show: full('ladders', 'Ladders', (page) => details(page, 'Ladders', 'Rungs')) },
    {
      name: 'change-rung',
      show: full('ladders', 'Ladders', async (page) => {
        await details(page, 'Ladders', 'Rungs');
        await page.getByRole('button', { name: 'Change rung 2' }).click();
        await page.getByRole('dialog').waitFor();
      }),
    },
    {
      name: 'open',
      async show(stage) {
        await lostOrder(stage);
        await stage.goTo('/orders/open');
        await rows(stage.page, 'Open orders').first().waitFor();
      },
      stands: lostOrder,
      async clear({ gateway, bot }) {
        await bot.call('POST', '/orders/cancel-all');
        gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
      },
    },
    {
      name: 'stale',
      async show({ bot, page, goTo }) {
        await makeSome(bot);
        const stream = await switchableStream(page);
        await goTo('/orders/triggers');
        await rows(page, 'Triggers').first().waitFor();
        await stream.cut();
        await page
          .getByText(/^Stale \d+ s$/)
          .first()
          .waitFor({ timeout: 20_000 });
      },
    },
  ],
};
