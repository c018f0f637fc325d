/** Trade's chart over the whole work area: by key and by button, with its drawings and handles, for other baskets, and back. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { dragLine } from '../../support/chart-line.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { hasFocus } from '../../support/journey.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, the larger chart', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  const larger = () => page.getByRole('button', { name: 'Larger chart' });
  const smaller = () => page.getByRole('button', { name: 'Smaller chart' });
  const handle = () => page.getByRole('slider', { name: /^Move SL/ });
  const dialog = () => page.getByRole('dialog');
  const boxOf = async (element: Locator) =>
    (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  /** Share of the work area's width and height that the chart's panel has. */
  const share = async () => {
    const [all, chart] = [
      await boxOf(page.getByRole('main')),
      await boxOf(page.getByRole('region', { name: 'Chart', exact: true })),
    ];
    return { wide: chart.width / all.width, high: chart.height / all.height };
  };

  itInFreshTab(
    'has the work area by one key, with drawings and handles, and gives it back with the focus',
    async () => {
      await ada.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '0.3' } });
      await desk.goTo(PAIR_LINK);
      await handle().waitFor();
      // A letter that is typed is no key, nor is one that finds an option.
      await ticket().getByLabel('Notional').press('f');
      await page.getByRole('combobox', { name: 'What the chart shows' }).press('f');
      await larger().waitFor();
      const swap = page.getByRole('button', { name: 'Swap long and short' });
      await swap.focus();
      await page.keyboard.press('f');
      await hasFocus(smaller());
      await untilPage(page, 'the chart as large as there is room', async () => {
        const { wide, high } = await share();
        return wide > 0.95 && high > 0.85;
      });
      expect(await ticket().isVisible(), 'the ticket beside it').to.equal(false);
      await expectAccessible(page, 'the larger chart');

      // Escape first closes a dialog or cancels a move. The chart stays large.
      const draw = page.getByRole('button', { name: 'Draw', exact: true });
      await draw.click();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await draw.click();
      await dialog().getByRole('button', { name: 'Level', exact: true }).click();
      const placer = page.getByRole('button', { name: /^Set the level/ });
      const plot = await boxOf(placer);
      await page.mouse.click(plot.x + plot.width * 0.8, plot.y + plot.height * 0.9);
      await page.getByRole('slider', { name: 'Drawn level' }).waitFor();
      await dragLine(handle(), 24);
      await page.getByRole('dialog', { name: /Move the stop-loss/ }).waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await handle().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      await smaller().waitFor();

      await smaller().focus();
      await page.keyboard.press('Escape');
      await hasFocus(swap);
      expect(await ticket().isVisible()).to.equal(true);
      expect((await share()).wide).to.be.lessThan(0.8);
    },
  );

  itInFreshTab(
    'stays for another basket and in a narrow window, and makes room for the ticket it fills in',
    async () => {
      await desk.goToChart();
      await page.keyboard.press('?');
      await dialog().getByText('Larger chart, and back').waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await larger().click();
      await hasFocus(smaller());
      await page.keyboard.press('Control+k');
      await dialog().getByRole('combobox').fill('SOL LINK');
      await dialog()
        .getByRole('option', { name: /SOL.*LINK/ })
        .first()
        .click();
      await page.getByRole('img', { name: /^Chart of SOL/ }).waitFor();
      await smaller().waitFor();
      await page.setViewportSize({ width: 400, height: 800 });
      await untilPage(page, 'the whole width', async () => (await share()).wide > 0.9);
      expect(await ticket().isVisible()).to.equal(false);
      await page.setViewportSize({ width: 1280, height: 800 });
      await desk.pressChart();
      await dialog().getByRole('button', { name: 'Order or alert that waits for it' }).click();
      await ticket().getByRole('radio', { name: 'Trigger', checked: true }).waitFor();
      await larger().waitFor();
    },
  );
});
