/** Portfolio, in every state; its top and its days: `desk`. */
import { seedDays } from '../../support/portfolio-history.ts';
import { image, text } from './proofs.ts';
import { after, at, type ScreenShots, type Step } from './shot.ts';
import { usualStates } from './usual-states.ts';

const range =
  (name: string): Step =>
  async ({ page }) => {
    await page.getByRole('radio', { name }).click();
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
  };

export const portfolioShots: ScreenShots = {
  screen: 'portfolio',
  shots: [
    at('/portfolio', 'empty', text('Nothing was traded in this range')),
    after(
      ({ gateway, bot }) => seedDays(gateway, bot, 200),
      at('/portfolio', 'year', image(/^PnL of each day/), range('1 year')),
    ),
    at(
      '/portfolio',
      'week',
      (page) => page.getByRole('radio', { name: '7 days', checked: true }),
      range('7 days'),
    ),
    ...usualStates({
      screen: '/portfolio',
      reads: '/portfolio/analytics',
      shown: ({ page }) => page.getByRole('figure', { name: /^Equity by day/ }).waitFor(),
    }),
  ],
};
