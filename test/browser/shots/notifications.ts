/** Notifications, in every state. */
import { PAIR } from '../../support/trader.ts';
import { anyRow, text } from './proofs.ts';
import { after, at, type ScreenShots, type Step } from './shot.ts';
import { usualStates } from './usual-states.ts';

const fireTriggers: Step = async ({ bot }) => {
  for (const value of ['1', '2', '3'])
    await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value },
      allowImmediate: true,
    });
};

export const notificationsShots: ScreenShots = {
  screen: 'notifications',
  shots: [
    at('/notifications', 'empty', text('No notifications')),
    after(
      fireTriggers,
      at('/notifications', 'live', (page) => page.locator('[data-row]').nth(2)),
    ),
    ...usualStates({
      screen: '/notifications',
      reads: '/notifications',
      shown: ({ page }) => anyRow(page).waitFor(),
    }),
  ],
};
