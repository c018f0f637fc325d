/** Notifications, in every state. */
import { PAIR } from '../../support/trader.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

export const notificationsShots: ScreenShots = {
  screen: 'notifications',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/notifications');
        await page.getByText('No notifications').waitFor();
      },
    },
    {
      name: 'live',
      async show(stage) {
        for (const value of ['1', '2', '3'])
          await stage.bot.call('POST', '/triggers/open', {
            legs: PAIR,
            condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value },
            allowImmediate: true,
          });
        await stage.goTo('/notifications');
        await stage.page.locator('[data-row]').nth(2).waitFor();
      },
    },
    {
      name: 'outside',
      async show({ page, goTo }) {
        await goTo('/notifications');
        await page.getByRole('button', { name: 'Desktop notifications' }).click();
        await page.getByRole('dialog').getByRole('switch').first().click();
      },
    },
    ...usualStates({ screen: '/notifications', reads: '/notifications', shown }),
  ],
};
