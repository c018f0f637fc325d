/** Settings and the page of the design. */
import type { ScreenShots, Stage } from './shot.ts';

const shown = ({ page }: Stage) =>
  page.getByRole('table', { name: 'Sessions' }).locator('[data-row]').first().waitFor();

export const settingsShots: ScreenShots = {
  screen: 'settings',
  shots: [
    {
      name: 'top',
      async show(stage) {
        await stage.goTo('/settings');
        await shown(stage);
      },
    },
    {
      name: 'below',
      async show(stage) {
        await stage.goTo('/settings');
        await shown(stage);
        await stage.page.getByRole('heading', { name: 'About' }).scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'wrong-limits',
      async show(stage) {
        await stage.goTo('/settings');
        await shown(stage);
        await stage.page.getByLabel('Largest order').fill('much');
        await stage.page.getByLabel('Highest leverage').fill('0');
      },
    },
    {
      name: 'showcase',
      async show({ page, goTo }) {
        await goTo('/showcase');
        await page.getByText('No positions').first().waitFor();
      },
    },
  ],
};
