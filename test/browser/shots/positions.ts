/** Positions, in every state. */

import type { Page } from 'playwright-core';
import { intervals } from '../../support/chart-interval.ts';
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import { framesPass } from '../../support/page-time.ts';
import { PAIR, type Trader, usd } from '../../support/trader.ts';
import { chooseColumns, withColumns } from './column-list.ts';
import type { ScreenShots } from './shot.ts';

const row = (page: Page, text = 'ETH') =>
  page
    .getByRole('table', { name: 'Open positions' })
    .locator('tr[data-row]')
    // Skips rows that only name this basket as the first of another basket's liquidation.
    .filter({ hasText: new RegExp(`${text}(?! first)`) })
    .first();

async function openMenu(page: Page, text?: string): Promise<void> {
  await row(page, text)
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menu').waitFor();
}

const fromMenu = (item: RegExp, text?: string) => async (page: Page) => {
  await openMenu(page, text);
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').waitFor();
};

async function closeDialog(page: Page): Promise<void> {
  await row(page).getByRole('button', { name: 'Close BTC / ETH' }).click();
  await page.getByRole('dialog').waitFor();
}

/** A pair, a single leg and a basket of six, of which one is guarded on both sides. */
async function openSome(bot: Trader): Promise<void> {
  if ((await bot.positions()).length > 0) return;
  for (const symbol of ['SOL-PERP'])
    await bot.call('PUT', '/leverage', { symbol, leverage: 5, marginMode: 'isolated' });
  await bot.open(PAIR);
  await bot.open([usd('SOL', 'BUY', '1500')]);
  await bot.open([
    usd('LINK', 'BUY', '12000'),
    usd('AVAX', 'BUY', '9000.5'),
    usd('DOGE', 'BUY', '250'),
    usd('XRP', 'SELL', '11000'),
    usd('ADA', 'SELL', '9000'),
    usd('LTC', 'SELL', '400'),
  ]);
  const pair = (await bot.positions()).find(({ legs }) => legs.length === 2);
  await bot.call('PUT', `/positions/${pair.id}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '5' },
    stopLoss: { type: 'PERCENTAGE', value: '3', trailing: { delta: '1' } },
  });
}

const onPair =
  (then: (page: Page) => Promise<unknown>) =>
  async ({ bot, page, goTo }: { bot: Trader; page: Page; goTo: (screen: string) => Promise<void> }) => {
    await openSome(bot);
    await goTo('/positions');
    await row(page).waitFor();
    await then(page);
  };

const dialog = (page: Page) => page.getByRole('dialog').last();
const idOfPair = async (bot: Trader) =>
  (await bot.positions()).find(({ legs }) => legs.length === 2)?.id ?? '';

const drawer =
  (tab: string) =>
  async ({ bot, page, goTo }: { bot: Trader; page: Page; goTo: (screen: string) => Promise<void> }) => {
    await openSome(bot);
    await goTo(`/positions/${await idOfPair(bot)}`);
    await dialog(page).getByRole('tab', { name: tab }).click();
    await dialog(page).getByRole('tabpanel').waitFor();
    if (tab === 'Chart')
      await dialog(page)
        .getByRole('img', { name: /^Chart of/ })
        .waitFor();
  };

const TABLE = 'Open positions';
const choose = (page: Page) => chooseColumns(page, TABLE, ['Funding', 'Age']);

export const positionsShots: ScreenShots = {
  screen: 'positions',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/positions');
        await page.getByText('No open positions').waitFor();
      },
    },
    {
      name: 'loading',
      async show({ page, goTo }) {
        await holdAnswers(page, pathIs('/portfolio'));
        await goTo('/positions');
        await page.locator('[role=status] [class*=bar]').first().waitFor();
      },
    },
    {
      name: 'error',
      async show({ page, goTo }) {
        await refuseAnswers(page, pathIs('/portfolio'));
        await goTo('/positions');
        await page.getByText('The account may not be read').waitFor();
      },
    },
    { name: 'live', show: onPair(async () => undefined) },
    {
      name: 'expanded',
      show: onPair(async (page) => {
        for (const text of ['ETH', 'LINK'])
          await row(page, text).getByRole('button', { name: 'Details' }).click();
        await page.getByRole('table', { name: 'Legs' }).nth(1).waitFor();
      }),
    },
    {
      name: 'stale',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        const stream = await switchableStream(page);
        await goTo('/positions');
        await row(page).waitFor();
        await stream.cut();
        await page
          .getByText(/^Stale \d+ s$/)
          .first()
          .waitFor({ timeout: 20_000 });
      },
    },
    {
      name: 'by-instrument',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        await goTo('/positions/by-instrument');
        await page.getByRole('table', { name: 'By instrument' }).locator('tr[data-row]').first().waitFor();
      },
    },
    {
      name: 'menu',
      show: onPair((page) => openMenu(page)),
      // In a smaller window the row is further down, and its menu with it: out of sight it is not shown.
      async stands({ page }) {
        if (await page.getByRole('menu').isVisible()) return;
        await page.keyboard.press('Escape');
        await openMenu(page);
      },
    },
    { name: 'close', show: onPair(closeDialog) },
    {
      name: 'close-twap',
      show: onPair(async (page) => {
        await closeDialog(page);
        await dialog(page).getByRole('radio', { name: 'TWAP' }).click();
      }),
    },
    {
      name: 'close-trigger-errors',
      show: onPair(async (page) => {
        await closeDialog(page);
        await dialog(page).getByRole('radio', { name: 'Trigger' }).click();
        await dialog(page).getByRole('textbox', { name: 'Share of the position' }).fill('120');
        await dialog(page).getByRole('button', { name: 'Set trigger' }).click();
        await dialog(page).getByText('Must be at most').waitFor();
      }),
    },
    { name: 'adjust', show: onPair(fromMenu(/Adjust/)) },
    { name: 'columns', show: onPair(choose), ...withColumns(TABLE) },
    {
      name: 'chosen',
      show: onPair(async (page) => {
        await choose(page);
        await page.keyboard.press('Escape');
      }),
    },
    {
      name: 'adjust-typed',
      show: onPair(async (page) => {
        await fromMenu(/Adjust/)(page);
        await dialog(page).getByRole('textbox', { name: 'Gross amount' }).fill('1000');
        await dialog(page).getByText('Liquidation after').waitFor();
      }),
    },
    {
      name: 'reduce-typed',
      show: onPair(async (page) => {
        await fromMenu(/Adjust/, 'SOL')(page);
        await dialog(page).getByRole('radio', { name: 'Reduce' }).click();
        await dialog(page).getByRole('textbox', { name: 'Gross amount' }).fill('500');
        await dialog(page).getByText('Liquidation after').waitFor();
      }),
    },
    {
      name: 'close-half',
      show: onPair(async (page) => {
        await closeDialog(page);
        await dialog(page).getByRole('button', { name: '50 %' }).click();
        await dialog(page).getByText('Liquidation after').waitFor();
      }),
    },
    {
      name: 'drawer-weighted',
      async show(stage) {
        await drawer('Chart')(stage);
        await dialog(stage.page).getByRole('radio', { name: 'Weighted ratio' }).click();
        await framesPass(stage.page, 1_500);
      },
    },
    {
      name: 'drawer-basket',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        const basket = (await bot.positions()).find(({ legs }) => legs.length === 6)?.id ?? '';
        await goTo(`/positions/${basket}`);
        await dialog(page)
          .getByRole('img', { name: /^Chart of/ })
          .waitFor();
        await framesPass(page, 1_000);
      },
    },
    {
      name: 'adjust-leg-by-leg',
      show: onPair(async (page) => {
        await fromMenu(/Adjust/, 'LINK')(page);
        await dialog(page).getByRole('radio', { name: 'Leg by leg' }).click();
      }),
    },
    { name: 'reverse', show: onPair(fromMenu(/Reverse/)) },
    { name: 'brackets', show: onPair(fromMenu(/Take-profit/)) },
    {
      name: 'brackets-after-a-half',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        const at = `/positions/${await idOfPair(bot)}`;
        const stopLoss = { type: 'POSITION_VALUE', value: '500' };
        await bot.call('PUT', `${at}/brackets`, { takeProfit: null, stopLoss });
        const { json } = await bot.call('POST', `${at}/close`, { type: 'MARKET', fraction: '0.5' });
        await bot.ended(json.execution.id);
        await goTo('/positions');
        await fromMenu(/Take-profit/)(page);
      },
    },
    {
      name: 'rebalance',
      show: onPair(async (page) => {
        await fromMenu(/Rebalance/, 'LINK')(page);
        await page.getByRole('table', { name: 'Rebalance plan' }).waitFor();
      }),
    },
    {
      name: 'rebalance-automatically',
      show: onPair(async (page) => {
        await fromMenu(/Rebalance/)(page);
        await dialog(page).getByRole('tab', { name: 'Automatically' }).click();
      }),
    },
    { name: 'margin', show: onPair(fromMenu(/margin/, 'SOL')) },
    { name: 'drawer-chart', show: drawer('Chart') },
    {
      name: 'drawer-indicators',
      async show(stage) {
        await drawer('Chart')(stage);
        await stage.page.getByRole('button', { name: 'Indicators' }).click();
        const popup = stage.page.getByRole('dialog', { name: 'Indicators' });
        for (const name of ['Bollinger', 'RSI'])
          if ((await popup.getByRole('checkbox', { name }).count()) === 0)
            await popup.getByRole('button', { name: new RegExp(`^Add ${name},`) }).click();
        await framesPass(stage.page, 500);
      },
      // Over a chart out of sight the popup is hidden.
      stands: ({ page }) => intervals(page).scrollIntoViewIfNeeded(),
    },
    { name: 'drawer-fills', show: drawer('Fills') },
    { name: 'drawer-timeline', show: drawer('Timeline') },
    {
      name: 'choosing',
      show: onPair(async (page) => {
        await page.getByRole('button', { name: 'Select' }).click();
        for (const text of ['ETH', 'SOL']) await row(page, text).getByRole('checkbox').check();
      }),
    },
    {
      name: 'close-several',
      show: onPair(async (page) => {
        await page.getByRole('button', { name: 'Select' }).click();
        await page.getByRole('button', { name: /^All/ }).click();
        await page.getByRole('button', { name: 'Close 3…' }).click();
        await dialog(page).waitFor();
      }),
    },
    {
      name: 'at-work',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        const path = `/positions/${await idOfPair(bot)}/close`;
        const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000' };
        await bot.call('POST', path, { type: 'TRIGGER', fraction: '0.5', condition });
        const slices = { durationSeconds: 600, intervalSeconds: 120 };
        await bot.call('POST', path, { type: 'TWAP', fraction: '0.2', ...slices });
        await goTo('/positions');
        await row(page).getByRole('link', { name: /^TWAP/ }).waitFor();
      },
    },
    {
      name: 'venue-differs',
      async show({ bot, page, goTo }) {
        await openSome(bot);
        for (const [symbol, side, quantity] of [
          ['BTC-PERP', 'SELL', '0.002'],
          ['ATOM-PERP', 'BUY', '40'],
        ])
          await bot.call('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, {
            symbol,
            side,
            quantity,
          });
        await goTo('/positions');
        await page.getByRole('region', { name: 'The venue and your baskets differ' }).waitFor();
      },
    },
    {
      name: 'past-tandem',
      async show({ page, goTo }) {
        await goTo('/positions/past-tandem');
        await page.getByRole('table', { name: 'Fills outside Tandem' }).getByText('ATOM').waitFor();
      },
    },
    {
      name: 'settle',
      async show({ page, goTo }) {
        await goTo('/positions');
        await page.getByRole('button', { name: 'Settle trades outside Tandem…' }).click();
        await dialog(page).getByRole('radio').first().waitFor();
      },
    },
    {
      name: 'drawer-missing',
      async show({ page, goTo }) {
        await goTo('/positions/00000000-0000-4000-8000-000000000000');
        await page.getByText('There is no such position').waitFor();
      },
    },
  ],
};
