/** Markets, in every state. */
import { PAIR } from '../../support/trader.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

const onTab =
  (name: string) =>
  async (stage: Stage): Promise<void> => {
    await stage.goTo('/markets');
    await shown(stage);
    await stage.page.getByRole('tab', { name }).click();
  };

export const marketsShots: ScreenShots = {
  screen: 'markets',
  shots: [
    {
      name: 'pairs',
      async show(stage) {
        await stage.bot.open(PAIR);
        await stage.goTo('/markets');
        await shown(stage);
      },
    },
    {
      name: 'baskets',
      async show(stage) {
        await onTab('Baskets')(stage);
        await shown(stage);
      },
    },
    { name: 'instruments', show: onTab('Instruments') },
    { name: 'saved-empty', show: onTab('Saved') },
    {
      name: 'saved',
      async show(stage) {
        const legs = [
          { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
          { symbol: 'ETH-PERP', side: 'SELL', weight: 0.3 },
          { symbol: 'SOL-PERP', side: 'SELL', weight: 0.2 },
        ];
        await stage.bot.call('POST', '/saved-baskets', { name: 'Majors', legs });
        await onTab('Saved')(stage);
        await stage.page.getByText('Majors').waitFor();
      },
    },
    {
      name: 'found',
      async show(stage) {
        await stage.goTo('/markets');
        await shown(stage);
        await stage.page.getByRole('searchbox').fill('sol');
        await stage.page.getByRole('table').getByText('SOL').first().waitFor();
      },
    },
    {
      name: 'nothing-found',
      async show(stage) {
        await stage.goTo('/markets');
        await shown(stage);
        await stage.page.getByRole('searchbox').fill('nothing like it');
        await stage.page.getByText('No pairs match').waitFor();
      },
    },
    {
      name: 'pair',
      async show(stage) {
        await stage.goTo('/markets');
        await shown(stage);
        await stage.page.locator('[data-row]').first().click();
        await stage.page.getByRole('dialog').getByText('Hedge ratio').waitFor();
      },
    },
    {
      name: 'new-basket',
      async show(stage) {
        await stage.goTo('/markets');
        await shown(stage);
        await stage.page.getByRole('button', { name: 'New basket' }).click();
        await stage.page.getByRole('button', { name: 'Save basket' }).click();
        await stage.page.getByRole('dialog').locator('[role=alert], [aria-invalid=true]').first().waitFor();
      },
    },
    ...usualStates({ screen: '/markets', reads: '/markets/baskets', shown }),
  ],
};
