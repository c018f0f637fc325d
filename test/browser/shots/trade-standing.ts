/** Trade with something that stands: brackets that trail, orders that wait, a basket against the one that is held. */

import type { Page } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { chooseInterval } from '../../support/chart-interval.ts';
import { framesPass } from '../../support/page-time.ts';
import { PAIR, type Trader } from '../../support/trader.ts';
import type { Shot, Stage } from './shot.ts';

const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';
const HOUR_MS = 3_600_000;

const ticket = (page: Page) => page.getByRole('form', { name: 'Ticket' });
const chart = (page: Page) => page.getByRole('img', { name: /^Chart of/ });
const dock = (page: Page) => page.getByRole('region', { name: 'This account' });

async function held(bot: Trader): Promise<string> {
  const [position] = await bot.positions();
  return position?.id ?? (await bot.open(PAIR)).positionId;
}

/** Near enough that both are on the scale. */
async function trailing(bot: Trader): Promise<void> {
  await bot.call('PUT', `/positions/${await held(bot)}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '0.6' },
    stopLoss: { type: 'PERCENTAGE', value: '0.6', trailing: { delta: '0.4' } },
  });
}

async function waiting(bot: Trader): Promise<void> {
  if ((await bot.call('GET', '/schedules?status=ACTIVE')).json.schedules?.length > 0) return;
  const ratio = Number((await bot.positions())[0]?.entryPrice ?? 29);
  await bot.call('POST', '/triggers/open', {
    legs: PAIR,
    condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: (ratio * 0.995).toFixed(4) },
  });
  await bot.call('POST', '/alerts', {
    legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
    condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: (ratio * 1.008).toFixed(4) },
  });
  await bot.call('POST', '/alerts', {
    condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'ETH-PERP' },
    expiresAt: new Date(systemClock.now() + 90 * 3_600_000).toISOString(),
  });
  await bot.call('POST', '/schedules', { legs: PAIR, durationSeconds: 1_800, intervalSeconds: 60 });
  await bot.call('POST', '/ladders', {
    legs: PAIR,
    metric: 'PRICE_RATIO',
    direction: 'LESS_THAN',
    start: (ratio * 0.99).toFixed(4),
    end: (ratio * 0.97).toFixed(4),
    levels: 4,
    distribution: 'LINEAR',
    sizing: 'INCREASING',
  });
}

/** In a narrow window the chart is below its basket: a picture of it has all of it. */
export const chartInView = ({ page }: Stage) => chart(page).scrollIntoViewIfNeeded();

const onHeld = (name: string, then: (page: Page) => Promise<unknown>): Shot => ({
  name,
  async show({ bot, page, goTo }: Stage) {
    await trailing(bot);
    await goTo(PAIR_LINK);
    await page.getByRole('img', { name: /Entry \d/ }).waitFor();
    await then(page);
  },
});

const onDock = (name: string, tab: RegExp): Shot => ({
  name,
  async show({ bot, page, goTo }: Stage) {
    await trailing(bot);
    await waiting(bot);
    await goTo(PAIR_LINK);
    await chart(page).waitFor();
    await dock(page).getByRole('tab', { name: tab }).click();
    await framesPass(page, 1_500);
    await dock(page).scrollIntoViewIfNeeded();
  },
});

/** Thirty days of rates, as a gateway that runs all the time has recorded them. */
async function funded({ gateway }: Stage): Promise<void> {
  const hour = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  await gateway.seed({
    fundingRates: Array.from({ length: 720 }, (_, ago) => ({
      connector: 'paper',
      hour: hour - ago * HOUR_MS,
      rates: {
        'BTC-PERP': [(0.000015 + 0.00002 * Math.sin(ago / 50)).toFixed(10), 1],
        'ETH-PERP': [(0.0000125 + 0.000015 * Math.sin(ago / 23)).toFixed(10), 1],
      },
    })),
  });
}

export const standingShots: readonly Shot[] = [
  {
    name: 'funding-history',
    async show(stage) {
      await funded(stage);
      await stage.goTo(PAIR_LINK);
      await chart(stage.page).waitFor();
      await stage.page.getByRole('button', { name: 'Funding APR, its history' }).click();
      await stage.page.getByRole('dialog', { name: 'Funding APR, its history' }).waitFor();
    },
  },
  { ...onHeld('trailing', async () => undefined), stands: chartInView },
  onHeld('cancel-on-line', async (page) => {
    await chart(page)
      .locator('..')
      .getByRole('button', { name: /^Cancel SL/ })
      .click();
    await page.getByRole('dialog').waitFor();
  }),
  {
    ...onHeld('other-interval', async (page) => {
      await chooseInterval(page, '1h');
      await framesPass(page, 2_000);
      await chooseInterval(page, '1m');
      await framesPass(page, 2_000);
    }),
    stands: chartInView,
  },
  {
    ...onHeld('adds', async (page) => {
      await ticket(page).getByLabel('Notional').fill('2500');
      await page.getByRole('switch', { name: 'Stop-loss' }).click();
      await ticket(page).getByRole('textbox', { name: 'Loss', exact: true }).fill('0.5');
      await framesPass(page, 2_000);
    }),
    stands: ({ page }) => ticket(page).getByText('Liquidation after').scrollIntoViewIfNeeded(),
  },
  onHeld('review-of-an-add', async (page) => {
    await ticket(page).getByLabel('Notional').fill('2500');
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    await ticket(page).getByRole('textbox', { name: 'Loss', exact: true }).fill('0.5');
    await ticket(page).getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByRole('row', { name: /BTC/ }).waitFor();
    await framesPass(page, 1_000);
  }),
  onHeld('short-of-margin', async (page) => {
    await ticket(page).getByLabel('Notional').fill('9000000');
    await ticket(page).getByRole('list', { name: 'Problems' }).waitFor();
    await ticket(page).getByRole('list', { name: 'Problems' }).scrollIntoViewIfNeeded();
  }),
  {
    name: 'opposite',
    async show({ bot, page, goTo }) {
      await trailing(bot);
      await goTo('/trade?long=ETH-PERP&short=BTC-PERP');
      await page
        .getByText(/You hold/)
        .first()
        .waitFor();
    },
    stands: ({ page }) =>
      page
        .getByText(/You hold/)
        .first()
        .scrollIntoViewIfNeeded(),
  },
  onHeld('review-of-a-twap', async (page) => {
    await ticket(page).getByRole('radio', { name: 'TWAP', exact: true }).click();
    await ticket(page).getByLabel('Notional').fill('2500');
    await ticket(page).getByLabel('Duration').fill('10');
    await ticket(page).getByText('10 slices').waitFor();
    await ticket(page).getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').waitFor();
    await framesPass(page, 1_000);
  }),
  onDock('dock-alerts', /^Alerts/),
  onDock('dock-positions', /^Positions/),
  onDock('dock-orders', /^Open orders/),
  onDock('dock-triggers', /^Triggers/),
  onDock('dock-plans', /^TWAP and ladders/),
  onDock('dock-fills', /^Fills/),
  onDock('dock-book', /^Book/),
  {
    name: 'past-tandem',
    async show({ bot, page, goTo }) {
      const order = { symbol: 'ETH-PERP', side: 'BUY', quantity: '0.1' };
      await bot.call('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
      await goTo(PAIR_LINK);
      await chart(page).waitFor();
      await framesPass(page, 3_000);
    },
  },
  {
    name: 'paused',
    async show({ bot, page, goTo }) {
      await bot.call('POST', '/safety/pause');
      await goTo(PAIR_LINK);
      await chart(page).waitFor();
      await framesPass(page, 1_500);
    },
    async clear({ bot }) {
      await bot.call('POST', '/safety/resume');
    },
  },
];
