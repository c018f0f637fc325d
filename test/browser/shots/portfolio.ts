/** Portfolio, in every state. */
import { seedDays } from '../../support/portfolio-history.ts';
import { PAIR, usd } from '../../support/trader.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('figure', { name: /^Equity by day/ }).waitFor();

export const portfolioShots: ScreenShots = {
  screen: 'portfolio',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/portfolio');
        await page.getByText('Nothing was traded in this range', { exact: true }).waitFor();
      },
    },
    {
      name: 'live',
      async show(stage) {
        const { gateway, bot, goTo } = stage;
        await seedDays(gateway, bot, 200);
        await bot.open(PAIR);
        await bot.open([usd('SOL', 'BUY', '2000'), usd('DOGE', 'SELL', '2000')]);
        await goTo('/portfolio');
        await shown(stage);
      },
    },
    {
      name: 'below',
      async show(stage) {
        await stage.goTo('/portfolio');
        await shown(stage);
        await stage.page.getByRole('table').last().scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'year',
      async show(stage) {
        await stage.goTo('/portfolio');
        await shown(stage);
        await stage.page.getByRole('radio', { name: '1 year' }).click();
        await stage.page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
        await stage.page.getByRole('img', { name: /^PnL of each day/ }).scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'week',
      async show(stage) {
        await stage.goTo('/portfolio');
        await shown(stage);
        await stage.page.getByRole('radio', { name: '7 days' }).click();
        await stage.page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
      },
    },
    ...usualStates({ screen: '/portfolio', reads: '/portfolio/analytics', shown }),
  ],
};
