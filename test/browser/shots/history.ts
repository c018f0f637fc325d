/** History, in every state. */
import type { Page } from 'playwright-core';
import { PAID_ON } from '../../../gateway/domain/portfolio.ts';
import { systemClock } from '../../../gateway/system/clock.ts';
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';

import { PAIR, type Trader, usd } from '../../support/trader.ts';
import { chooseColumns, withColumns } from './column-list.ts';
import type { ScreenShots, Shot, Stage } from './shot.ts';

const VIEWS = [
  ['trades', 'Closed trades', 'No closed trades yet', '/positions/closed'],
  ['fills', 'Fills', 'No fills yet', '/fills'],
  ['funding', 'Funding payments', 'No funding yet', '/funding/payments'],
] as const;

const HOUR_MS = 3_600_000;

const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]');

async function tradeSome(bot: Trader): Promise<void> {
  if ((await bot.call('GET', '/positions/closed')).json.positions.length > 0) return;
  for (const legs of [
    PAIR,
    [usd('SOL', 'SELL', '300')],
    [usd('LINK', 'BUY', '25000'), usd('DOGE', 'SELL', '9000')],
  ]) {
    await bot.open(legs);
    const [position] = await bot.positions();
    const { json } = await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    await bot.ended(json.execution.id);
  }
}

const full =
  (view: string, table: string, then: (page: Page) => Promise<unknown> = async () => undefined) =>
  async ({ bot, page, goTo }: Stage) => {
    await tradeSome(bot);
    await goTo(`/history/${view}`);
    await rows(page, table).first().waitFor();
    await then(page);
  };

async function exported(page: Page): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  await download.delete();
  await page.getByText('3 rows written').last().waitFor();
}

/** Hours of funding on the last closed trade, one of them on what is in no basket. */
async function payFunding({ gateway, bot }: Stage): Promise<void> {
  const [{ id }] = (await bot.call('GET', '/positions/closed?limit=1')).json.positions;
  const hour = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  const amounts = ['-1.2508', '0.5', '-12.125', '2.75', '0.0004', '0.00001', '-118.6'];
  // Amount and rate together say the side: LINK is held long, DOGE short.
  const rateOf = (nth: number) => (nth % 2 === 1 ? '0.0000125' : nth === 4 ? '-0.0001' : '0.0001');
  await gateway.seed({
    funding: amounts.map((amount, nth) => ({
      id: `row-${nth}`,
      venueId: `paid-${nth}`,
      tradeAccountId: bot.accountId,
      positionId: nth === 3 ? PAID_ON.OUTSIDE : id,
      amount,
      symbol: nth % 2 === 0 ? 'LINK-PERP' : 'DOGE-PERP',
      rate: rateOf(nth),
      timestamp: hour - Math.floor(nth / 2) * HOUR_MS,
    })),
  });
}

export const historyShots: ScreenShots = {
  screen: 'history',
  shots: [
    ...VIEWS.flatMap(([view, , empty, path]): readonly Shot[] => [
      {
        name: `${view}-empty`,
        async show({ page, goTo }) {
          await goTo(`/history/${view}`);
          await page.getByText(empty).waitFor();
        },
      },
      {
        name: `${view}-loading`,
        async show({ page, goTo }) {
          await holdAnswers(page, pathIs(path));
          await goTo(`/history/${view}`);
          await page.locator('[role=status] [class*=bar]').first().waitFor();
        },
      },
      {
        name: `${view}-error`,
        async show({ page, goTo }) {
          await refuseAnswers(page, pathIs(path));
          await goTo(`/history/${view}`);
          await page.getByText('The account may not be read').waitFor();
        },
      },
    ]),
    {
      name: 'trades',
      show: full('trades', 'Closed trades', async (page) => {
        await rows(page, 'Closed trades').first().getByRole('button', { name: 'Details' }).click();
        await page.getByRole('list', { name: 'Steps' }).waitFor();
      }),
    },
    { name: 'fills', show: full('fills', 'Fills') },
    {
      name: 'funding',
      async show(stage) {
        await tradeSome(stage.bot);
        await payFunding(stage);
        await full('funding', 'Funding payments')(stage);
      },
    },
    {
      name: 'funding-days',
      show: full('funding', 'Funding payments', async (page) => {
        await page.getByLabel('To', { exact: true }).fill('2020-01-01');
        await page.getByText('No funding on these days').waitFor();
      }),
    },
    {
      name: 'trades-columns',
      show: full('trades', 'Closed trades', (page) => chooseColumns(page, 'Closed trades', ['Fees'])),
      ...withColumns('Closed trades'),
    },
    {
      name: 'trades-chosen',
      show: full('trades', 'Closed trades', async (page) => {
        await chooseColumns(page, 'Closed trades', ['Fees', 'Held']);
        await page.keyboard.press('Escape');
      }),
    },
    {
      name: 'fills-chosen',
      show: full('fills', 'Fills', async (page) => {
        await chooseColumns(page, 'Fills', ['Placed by']);
        await page.keyboard.press('Escape');
      }),
    },
    {
      name: 'no-span',
      show: full('fills', 'Fills', async (page) => {
        await page.getByLabel('To', { exact: true }).fill('2020-01-01');
        await page.getByLabel('From', { exact: true }).fill('2020-02-01');
        await page.getByText('The first day is after the last').waitFor();
      }),
    },
    {
      name: 'exported',
      show: full('trades', 'Closed trades', exported),
      // The word of it goes after some seconds.
      stands: async ({ page }) => {
        if (!(await page.getByText('3 rows written').isVisible())) await exported(page);
      },
    },
    {
      name: 'stale',
      async show({ bot, page, goTo }) {
        await tradeSome(bot);
        const stream = await switchableStream(page);
        await goTo('/history/trades');
        await rows(page, 'Closed trades').first().waitFor();
        await stream.cut();
        await page
          .getByText(/^Stale \d+ s$/)
          .first()
          .waitFor({ timeout: 20_000 });
      },
    },
  ],
};
