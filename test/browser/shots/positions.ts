/** Positions, in every state; the usual row, its drawer and a reversal: `desk`. */
import type { Page } from 'playwright-core';
import { chooseColumns, withColumns } from './column-list.ts';
import {
  button,
  chartInDialog,
  column,
  columns,
  dialog,
  dialogNamed,
  inDialog,
  menu,
  radioInDialog,
  row,
  text,
} from './proofs.ts';
import { on, rich } from './rich.ts';
import { after, at, press, type ScreenShots, type Shot, type Step, steps } from './shot.ts';
import { usualStates } from './usual-states.ts';

const TABLE = 'Open positions';
const HELD = '/positions';

const rowOf = (page: Page, name = 'BTC') =>
  // Skips rows that only name this basket as the first of another basket's liquidation.
  row(TABLE, new RegExp(`${name}(?! first)`))(page);

async function openMenu(page: Page, name?: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: /^More for/ })
    .click();
  await menu(page).waitFor();
}

const fromMenu =
  (item: RegExp, name?: string): Step =>
  async ({ page }) => {
    await openMenu(page, name);
    await page.getByRole('menuitem', { name: item }).click();
  };

const closeDialog: Step = ({ page }) => rowOf(page).getByRole('button', { name: 'Close BTC / ETH' }).click();
const inForm =
  (role: 'radio' | 'tab' | 'button', name: string): Step =>
  ({ page }) =>
    dialog(page).getByRole(role, { name }).click();
const amount =
  (value: string): Step =>
  ({ page }) =>
    dialog(page).getByRole('textbox', { name: 'Gross amount' }).fill(value);

const drawer = (name: string, proof: Shot['proof'], then: Step, stands?: Step): Shot =>
  on(({ pairId }) => `/positions/${pairId}`, name, proof, then, stands === undefined ? {} : { stands });

const choose: Step = ({ page }) => chooseColumns(page, TABLE, ['Funding', 'Age']);

const addIndicators: Step = async ({ page }) => {
  await page.getByRole('button', { name: 'Indicators' }).click();
  const popup = page.getByRole('dialog', { name: 'Indicators' });
  for (const name of ['Bollinger', 'RSI'])
    if ((await popup.getByRole('checkbox', { name }).count()) === 0)
      await popup.getByRole('button', { name: new RegExp(`^Add ${name},`) }).click();
};

const closeHalf: Step = async (stage) => {
  const { bot } = stage;
  const path = `/positions/${(await rich(stage)).pairId}`;
  const stopLoss = { type: 'POSITION_VALUE', value: '500' };
  await bot.call('PUT', `${path}/brackets`, { takeProfit: null, stopLoss });
  const { json } = await bot.call('POST', `${path}/close`, { type: 'MARKET', fraction: '0.5' });
  await bot.ended(json.execution.id);
};

const leaveClosing: Step = async (stage) => {
  const path = `/positions/${(await rich(stage)).pairId}/close`;
  const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000' };
  await stage.bot.call('POST', path, { type: 'TRIGGER', fraction: '0.5', condition });
  const slices = { durationSeconds: 600, intervalSeconds: 120 };
  await stage.bot.call('POST', path, { type: 'TWAP', fraction: '0.2', ...slices });
};

const tradeOutside: Step = async (stage) => {
  await rich(stage);
  for (const [symbol, side, quantity] of [
    ['BTC-PERP', 'SELL', '0.002'],
    ['ATOM-PERP', 'BUY', '40'],
  ])
    await stage.bot.call('POST', `/trade-accounts/${stage.bot.accountId}/paper/outside-order`, {
      symbol,
      side,
      quantity,
    });
};

export const positionsShots: ScreenShots = {
  screen: 'positions',
  shots: [
    at(HELD, 'empty', text('No open positions')),
    on('/positions/by-instrument', 'by-instrument', row('By instrument', /BTC/)),
    on(HELD, 'menu', menu, ({ page }) => openMenu(page), {
      // In a smaller window the row is further down, and its menu with it: out of sight it is not shown.
      async stands({ page }) {
        if (await menu(page).isVisible()) return;
        await page.keyboard.press('Escape');
        await openMenu(page);
      },
    }),
    on(HELD, 'close-twap', radioInDialog('TWAP'), steps(closeDialog, inForm('radio', 'TWAP'))),
    on(
      HELD,
      'close-trigger-errors',
      inDialog('Must be at most'),
      steps(
        closeDialog,
        inForm('radio', 'Trigger'),
        ({ page }) => dialog(page).getByRole('textbox', { name: 'Share of the position' }).fill('120'),
        inForm('button', 'Set trigger'),
      ),
    ),
    on(HELD, 'close-half', inDialog('Liquidation after'), steps(closeDialog, inForm('button', '50 %'))),
    on(HELD, 'columns', columns(TABLE), choose, withColumns(TABLE)),
    on(
      HELD,
      'chosen',
      column('Funding'),
      steps(choose, ({ page }) => page.keyboard.press('Escape')),
    ),
    on(HELD, 'adjust-typed', inDialog('Liquidation after'), steps(fromMenu(/Adjust/), amount('1000'))),
    on(
      HELD,
      'reduce-typed',
      inDialog('Liquidation after'),
      steps(fromMenu(/Adjust/, 'SOL'), inForm('radio', 'Reduce'), amount('500')),
    ),
    on(
      HELD,
      'adjust-leg-by-leg',
      radioInDialog('Leg by leg'),
      steps(fromMenu(/Adjust/, 'LINK'), inForm('radio', 'Leg by leg')),
    ),
    on(HELD, 'brackets', dialogNamed(/Take-profit|Brackets/), fromMenu(/Take-profit/)),
    after(
      closeHalf,
      on(HELD, 'brackets-after-a-half', text('for the present size'), fromMenu(/Take-profit/)),
    ),
    on(
      HELD,
      'rebalance',
      (page) => page.getByRole('table', { name: 'Rebalance plan' }),
      fromMenu(/Rebalance/, 'LINK'),
    ),
    on(
      HELD,
      'rebalance-automatically',
      (page) => dialog(page).getByRole('tab', { name: 'Automatically', selected: true }),
      steps(fromMenu(/Rebalance/), inForm('tab', 'Automatically')),
    ),
    on(HELD, 'margin', dialogNamed(/margin/i), fromMenu(/margin/, 'SOL')),
    drawer('drawer-weighted', radioInDialog('Weighted ratio'), inForm('radio', 'Weighted ratio')),
    {
      name: 'drawer-basket',
      proof: chartInDialog,
      async show(stage) {
        await rich(stage);
        const basket = (await stage.bot.positions()).find(({ legs }) => legs.length === 6);
        await stage.goTo(`/positions/${basket?.id}`);
      },
    },
    // Over a chart out of sight the popup is hidden.
    drawer('drawer-indicators', dialogNamed('Indicators'), addIndicators, ({ page }) =>
      page.getByLabel('Candles of').locator('visible=true').first().scrollIntoViewIfNeeded(),
    ),
    drawer(
      'drawer-fills',
      (page) => dialog(page).getByRole('tabpanel').locator('[data-row]').first(),
      inForm('tab', 'Fills'),
    ),
    drawer(
      'drawer-timeline',
      (page) => dialog(page).getByRole('tabpanel').getByText(/Open/).first(),
      inForm('tab', 'Timeline'),
    ),
    on(HELD, 'choosing', button('Close 2…'), async ({ page }) => {
      await page.getByRole('button', { name: 'Select' }).click();
      for (const name of ['BTC', 'SOL']) await rowOf(page, name).getByRole('checkbox').check();
    }),
    on(
      HELD,
      'close-several',
      dialogNamed(/^Close \d positions/),
      steps(press('Select'), press(/^All/), press(/^Close \d…/)),
    ),
    after(
      leaveClosing,
      at(HELD, 'at-work', (page) =>
        page.getByRole('table', { name: TABLE }).getByRole('link', { name: /^TWAP/ }).first(),
      ),
    ),
    after(
      tradeOutside,
      at(HELD, 'venue-differs', (page) =>
        page.getByRole('region', { name: 'The venue and your baskets differ' }),
      ),
    ),
    at('/positions/past-tandem', 'past-tandem', row('Fills outside Tandem', /ATOM/)),
    at(
      HELD,
      'settle',
      (page) => dialog(page).getByRole('radio').first(),
      press('Settle trades outside Tandem…'),
    ),
    at(
      '/positions/00000000-0000-4000-8000-000000000000',
      'drawer-missing',
      text('There is no such position'),
    ),
    ...usualStates({ screen: HELD, reads: '/portfolio', shown: ({ page }) => rowOf(page).waitFor() }),
  ],
};
