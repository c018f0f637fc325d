/** Trade with what the reader puts on the chart. */
import type { Page } from 'playwright-core';
import { PAIR } from '../../support/trader.ts';
import { button, dialogNamed, image } from './proofs.ts';
import { after, type Shot, type Step, steps } from './shot.ts';
import { atChart, chartInView, hold, PAIR_LINK, spreadBelow } from './trade-steps.ts';

const popup = dialogNamed('Indicators');
const readout = (name: RegExp) => (page: Page) => page.locator('[data-readout]').getByText(name);
const openIndicators: Step = ({ page }) => page.getByRole('button', { name: 'Indicators' }).click();
const closeIndicators: Step = async ({ page }) => {
  await page.keyboard.press('Escape');
  await popup(page).waitFor({ state: 'detached' });
};
const openDraw: Step = ({ page }) => page.getByRole('button', { name: 'Draw', exact: true }).click();

const addIndicators: Step = async ({ page }) => {
  for (const name of ['SMA', 'EMA', 'Bollinger', 'RSI'])
    if ((await popup(page).getByRole('checkbox', { name }).count()) === 0)
      await popup(page)
        .getByRole('button', { name: new RegExp(`^Add ${name},`) })
        .click();
  await readout(/^RSI/)(page).waitFor();
};

const ratioZChart = image(/^Z-score of the price ratio .*Trigger/);
const BY_Z = { transform: 'Z_SCORE', lookback: 240 } as const;

/** Conditions on the z-score of the ratio: a position's stop-loss, an order's trigger, and an alert. */
const ratioConditions: Step = async ({ bot }) => {
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
};

const draw: Step = async (stage) => {
  const { page } = stage;
  const pressAll = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  for (const kind of ['Level', 'Trend line']) {
    await openDraw(stage);
    await page.getByRole('dialog', { name: 'Draw' }).getByRole('button', { name: kind, exact: true }).click();
    await page.getByRole('button', { name: /^Set (the|its)/ }).waitFor();
    await pressAll('Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowUp', 'Enter');
  }
  await pressAll('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await pressAll('Shift+ArrowDown', 'Shift+ArrowDown', 'Enter');
};

export const chartShots: readonly Shot[] = [
  after(
    steps(hold, ratioConditions),
    atChart('ratio-z', ratioZChart, ({ page }) => page.getByRole('tab', { name: 'Ratio z' }).click()),
  ),
  atChart('indicator-menu', popup, steps(openIndicators, addIndicators)),
  {
    ...atChart(
      'indicators',
      readout(/^RSI/),
      steps(openIndicators, addIndicators, closeIndicators, spreadBelow),
    ),
    stands: chartInView,
  },
  {
    ...atChart(
      'legs',
      readout(/^AVAX/),
      steps(
        openIndicators,
        ({ page }) => popup(page).getByRole('switch', { name: 'Legs' }).check(),
        closeIndicators,
      ),
      `${PAIR_LINK}&long=SOL-PERP&short=LINK-PERP&short=AVAX-PERP`,
    ),
    stands: chartInView,
  },
  {
    ...atChart('drawings', (page) => page.getByRole('slider', { name: 'End of the trend line' }), draw),
    stands: chartInView,
  },
  {
    ...atChart('large-chart', button('Smaller chart'), ({ page }) => page.keyboard.press('f')),
    stands: chartInView,
  },
  atChart('draw-menu', dialogNamed('Draw'), openDraw),
];
