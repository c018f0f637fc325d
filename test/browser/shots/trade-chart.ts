/** Trade with what the reader puts on the chart. */
import type { Page } from 'playwright-core';
import { framesPass } from '../../support/page-time.ts';
import { PAIR } from '../../support/trader.ts';
import type { Shot, Stage } from './shot.ts';
import { chartInView } from './trade-standing.ts';

const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';

const chart = (page: Page) => page.getByRole('img', { name: /^Chart of/ });
const popup = (page: Page) => page.getByRole('dialog', { name: 'Indicators' });

async function chosen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Indicators' }).click();
  for (const name of ['SMA', 'EMA', 'Bollinger', 'RSI'])
    if ((await popup(page).getByRole('checkbox', { name }).count()) === 0)
      await popup(page)
        .getByRole('button', { name: new RegExp(`^Add ${name},`) })
        .click();
}

const withAll = (name: string, then: (page: Page) => Promise<unknown>): Shot => ({
  name,
  async show({ page, goTo }: Stage) {
    await goTo(PAIR_LINK);
    await page.getByRole('img', { name: /^Chart of/ }).waitFor();
    await chosen(page);
    await page.locator('[data-readout]').getByText(/^RSI/).waitFor();
    await then(page);
  },
});

const ratioZChart = (page: Page) => page.getByRole('img', { name: /^Z-score of the price ratio .*Trigger/ });

const BY_Z = { transform: 'Z_SCORE', lookback: 240 } as const;

/** Conditions on the z-score of the ratio: a position's stop-loss, an order's trigger, and an alert. */
const ratioZ: Shot = {
  name: 'ratio-z',
  async show({ bot, page, goTo }) {
    if ((await bot.positions()).length === 0) await bot.open(PAIR);
    const pair = (await bot.positions()).find(({ legs }) => legs.length === 2 && legs[1].ticker === 'ETH');
    const condition = { type: 'PRICE_RATIO', ...BY_Z } as const;
    await bot.call('PUT', `/positions/${pair?.id}/brackets`, {
      stopLoss: { type: 'PRICE_RATIO', value: '-4', ...BY_Z },
    });
    await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { ...condition, direction: 'LESS_THAN', value: '-3' },
    });
    await bot.call('POST', '/alerts', {
      legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
      condition: { ...condition, direction: 'MORE_THAN', value: '3' },
    });
    await goTo(PAIR_LINK);
    await chart(page).waitFor();
    await page.getByRole('tab', { name: 'Ratio z' }).click();
    await ratioZChart(page).waitFor();
    await framesPass(page, 1_000);
  },
  stands: ({ page }) => ratioZChart(page).scrollIntoViewIfNeeded(),
};

export const chartShots: readonly Shot[] = [
  ratioZ,
  withAll('indicator-menu', async () => undefined),
  {
    ...withAll('indicators', async (page) => {
      await page.keyboard.press('Escape');
      await popup(page).waitFor({ state: 'detached' });
      await page.getByRole('combobox', { name: 'Below the candles' }).click();
      await page.getByRole('option', { name: 'With spread z' }).click();
      await framesPass(page, 1_000);
    }),
    stands: chartInView,
  },
  {
    name: 'legs',
    async show({ page, goTo }) {
      await goTo(`${PAIR_LINK}&long=SOL-PERP&short=LINK-PERP&short=AVAX-PERP`);
      await chart(page).waitFor();
      await page.getByRole('button', { name: 'Indicators' }).click();
      await popup(page).getByRole('switch', { name: 'Legs' }).check();
      await page.keyboard.press('Escape');
      await popup(page).waitFor({ state: 'detached' });
      await page.locator('[data-readout]').getByText(/^AVAX/).waitFor();
      await framesPass(page, 1_000);
    },
    stands: chartInView,
  },
  {
    name: 'drawings',
    async show({ bot, page, goTo }) {
      if ((await bot.positions()).length === 0) await bot.open(PAIR);
      await goTo(PAIR_LINK);
      await chart(page).waitFor();
      for (const kind of ['Level', 'Trend line']) {
        await page.getByRole('button', { name: 'Draw', exact: true }).click();
        await page
          .getByRole('dialog', { name: 'Draw' })
          .getByRole('button', { name: kind, exact: true })
          .click();
        const placer = page.getByRole('button', { name: /^Set (the|its)/ });
        await placer.waitFor();
        for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowUp'])
          await page.keyboard.press(key);
        await page.keyboard.press('Enter');
        if (kind === 'Level') continue;
        for (const key of [
          'Shift+ArrowRight',
          'Shift+ArrowRight',
          'Shift+ArrowRight',
          'Shift+ArrowDown',
          'Shift+ArrowDown',
        ])
          await page.keyboard.press(key);
        await page.keyboard.press('Enter');
      }
      await framesPass(page, 1_000);
    },
    stands: chartInView,
  },
  {
    name: 'large-chart',
    async show({ bot, page, goTo }) {
      if ((await bot.positions()).length === 0) await bot.open(PAIR);
      await goTo(PAIR_LINK);
      await chart(page).waitFor();
      await page.keyboard.press('f');
      await page.getByRole('button', { name: 'Smaller chart' }).waitFor();
      await framesPass(page, 1_000);
    },
    stands: chartInView,
  },
  {
    name: 'draw-menu',
    async show({ page, goTo }) {
      await goTo(PAIR_LINK);
      await chart(page).waitFor();
      await page.getByRole('button', { name: 'Draw', exact: true }).click();
      await page.getByRole('dialog', { name: 'Draw' }).waitFor();
    },
  },
];
