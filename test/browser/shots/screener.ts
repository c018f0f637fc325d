/** Screener, in every state. */
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

export const screenerShots: ScreenShots = {
  screen: 'screener',
  shots: [
    {
      name: 'pairs',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
      },
    },
    {
      name: 'nothing-fits',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        await stage.page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
        await stage.page.getByText('No pair fits').waitFor();
      },
    },
    ...usualStates({ screen: '/screener', reads: '/analytics/screener', shown }),
  ],
};
