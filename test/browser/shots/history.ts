/** History, in every state. */
import type { Page } from 'playwright-core';
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import { PAIR, type Trader, usd } from '../../support/trader.ts';
import type { ScreenShots, Shot, Stage } from './shot.ts';

const VIEWS = [
  ['trades', 'Closed trades', 'No closed trades yet', '/positions/closed'],
  ['fills', 'Fills', 'No fills yet', '/fills'],
] as const;

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
      name: 'no-span',
      show: full('fills', 'Fills', async (page) => {
        await page.getByLabel('To', { exact: true }).fill('2020-01-01');
        await page.getByLabel('From', { exact: true }).fill('2020-02-01');
        await page.getByText('The first day is after the last').waitFor();
      }),
    },
    {
      name: 'exported',
      show: full('trades', 'Closed trades', async (page) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Export CSV' }).click(),
        ]);
        await download.delete();
        await page.getByText('3 rows written').waitFor();
      }),
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
