/** Portfolio in a narrow window, while its curves load. */
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../../support/dashboard.ts';
import { holdAnswers, pathIs } from '../../support/dashboard-states.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { seedDays } from '../../support/portfolio-history.ts';
import { screenSuite } from '../../support/screen-suite.ts';

const DAYS = 70;

describe('portfolio in a narrow window', function () {
  this.timeout(180_000);
  const suite = screenSuite();

  before(() => seedDays(suite.gateway, suite.bot, DAYS));

  const figureOf = (name: string) =>
    suite.page.locator('main dl > div', { has: suite.page.getByText(name, { exact: true }) }).locator('dd');

  itInFreshTab(
    'can be scrolled by the keyboard in a narrow window while its curves are on their way',
    async () => {
      const { page } = suite;
      await page.setViewportSize({ width: 400, height: 600 });
      const release = await holdAnswers(page, pathIs('/portfolio/analytics'));
      await suite.goTo('/portfolio');
      await figureOf('Hit rate').waitFor();
      await expectAccessible(page, 'what loads at 400 px');
      const content = page.getByRole('region', { name: 'Portfolio', exact: true });
      await content.focus();
      await page.keyboard.press('End');
      await untilPage(page, 'the end is seen', () => content.evaluate(({ scrollTop }) => scrollTop > 0));
      release();

      // Wider than the window: the latest day, whose figure is below it, is in view, and so is each that is chosen.
      await page.setViewportSize({ width: 320, height: 600 });
      const heat = page.getByRole('img', { name: /^PnL of each day from/ });
      const inView = async (day: Locator) => {
        const [frame, box] = [await heat.boundingBox(), await day.boundingBox()];
        if (frame === null || box === null) return null;
        return box.x >= frame.x && box.x + box.width <= frame.x + frame.width ? true : null;
      };
      await untilPage(page, 'the latest day is in view', () => inView(heat.locator('[data-day]').last()));
      await heat.focus();
      for (let week = 0; week < DAYS / 7 - 1; week += 1) await page.keyboard.press('ArrowLeft');
      await untilPage(page, 'the chosen day is in view', () => inView(heat.locator('[data-chosen]')));
    },
  );
});
