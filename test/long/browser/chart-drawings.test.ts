/** Levels and trend lines on the chart: drawn by keyboard and by pointer, kept, removed; orders are set beside them as before. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../../support/dashboard.ts';
import { hasFocus, tabTo } from '../../support/journey.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { tradeScreen } from '../../support/trade-screen.ts';

describe('trade screen, drawings on the chart', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page } = desk;

  const menu = () => page.getByRole('dialog', { name: 'Draw' });
  const level = () => page.getByRole('slider', { name: 'Drawn level' });
  const trend = () => page.getByRole('slider', { name: 'Trend line', exact: true });
  const placer = () => page.getByRole('button', { name: /^Set (the level|the start|its end)/ });
  const figureOf = async (element: Locator) => Number(await element.getAttribute('aria-valuenow'));

  async function begin(kind: string): Promise<void> {
    await page.getByRole('button', { name: 'Draw', exact: true }).click();
    await menu().getByRole('button', { name: kind, exact: true }).click();
    await placer().waitFor();
  }

  itInFreshTab('draws a level by keyboard, keeps it over a reload, and removes it by key', async () => {
    await desk.goToChart();
    await tabTo(page, page.getByRole('button', { name: 'Draw', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, menu().getByRole('button', { name: 'Level', exact: true }));
    await page.keyboard.press('Enter');
    await hasFocus(placer());
    await page.keyboard.press('ArrowUp');
    await expectAccessible(page, 'a level that is being drawn');
    const asked = Number(/ at ([\d.]+)/.exec(await placer().innerText())?.[1]);
    await page.keyboard.press('Enter');
    await hasFocus(level());
    const drawn = await figureOf(level());
    // The scale follows the market meanwhile.
    expect(drawn / asked).to.be.closeTo(1, 1e-3);
    await page.keyboard.press('ArrowUp');
    await untilPage(
      page,
      'it higher',
      async () => Math.abs((await figureOf(level())) / drawn - 1.001) < 1e-9,
    );
    await page.keyboard.press('ArrowDown');
    await expectAccessible(page, 'a level that is drawn');

    await page.reload();
    await level().waitFor();
    expect(await figureOf(level())).to.be.closeTo(drawn, drawn * 1e-5);
    // It is of this pair and figure alone.
    await page.getByRole('combobox', { name: 'What the chart shows' }).click();
    await page.getByRole('option', { name: 'BTC price' }).click();
    await level().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'What the chart shows' }).click();
    await page.getByRole('option', { name: 'Price ratio' }).click();
    await level().focus();
    await page.keyboard.press('Delete');
    await level().waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('button', { name: 'Draw', exact: true }));
    await page.reload();
    await desk.chart().waitFor();
    expect(await level().count()).to.equal(0);
  });

  itInFreshTab(
    'draws by pointer and removes by click, and orders are set on the chart as before',
    async () => {
      await desk.goToChart();
      await begin('Level');
      const { x, y, width, height } = (await placer().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.click(x + width * 0.5, y + height * 0.3);
      await level().waitFor();
      await begin('Trend line');
      await page.mouse.click(x + width * 0.3, y + height * 0.7);
      await page.mouse.move(x + width * 0.5, y + height * 0.6);
      await page.mouse.click(x + width * 0.6, y + height * 0.5);
      await hasFocus(trend());
      await expectAccessible(page, 'drawings');
      // No order, and no question about one.
      expect(await page.getByRole('dialog').count()).to.equal(0);
      expect(await page.getByRole('list', { name: 'Levels' }).count()).to.equal(0);

      // Dragged, the level is elsewhere; the trend line has stayed.
      const before = await figureOf(level());
      // Current place of the level: the scale follows the market.
      const { y: top, height: own } = (await level().boundingBox()) ?? { y: 0, height: 0 };
      const from = top + own / 2;
      await page.mouse.move(x + width * 0.2, from);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.2, from - height * 0.1, { steps: 4 });
      await page.mouse.up();
      expect(await figureOf(level())).to.be.greaterThan(before);
      const text = await trend().getAttribute('aria-valuetext');

      // A press beside the drawings still asks what to set there.
      await desk.pressChart();
      await page.getByRole('dialog', { name: /^Set a level at/ }).waitFor();
      await page.keyboard.press('Escape');

      // The line keeps its ends in candles of another length.
      await page.getByRole('radio', { name: '1m', exact: true }).click();
      await page.getByRole('radio', { name: '5m', exact: true }).click();
      await untilPage(
        page,
        'the same ends',
        async () => (await trend().getAttribute('aria-valuetext')) === text,
      );

      await level().click({ position: { x: 100, y: 5 } });
      await page.getByRole('button', { name: /^Remove drawn level/ }).click();
      await level().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Draw', exact: true }).click();
      await expectAccessible(page, 'the menu of drawings');
      await menu().getByRole('button', { name: 'Clear drawings' }).click();
      await trend().waitFor({ state: 'detached' });
    },
  );
});
