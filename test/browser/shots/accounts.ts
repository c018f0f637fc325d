/** Accounts, in every state. */
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

export const accountsShots: ScreenShots = {
  screen: 'accounts',
  shots: [
    {
      name: 'checks',
      async show(stage) {
        await stage.goTo('/accounts');
        await shown(stage);
        for (const index of [0, 1])
          await stage.page.getByRole('button', { name: 'Details' }).nth(index).click();
      },
    },
    {
      name: 'menu',
      async show(stage) {
        await stage.goTo('/accounts');
        await shown(stage);
        await stage.page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click();
        await stage.page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'add',
      async show({ page, goTo }) {
        await goTo('/accounts?add');
        await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click();
        await page.getByRole('dialog').locator('[aria-invalid=true]').first().waitFor();
      },
    },
    ...usualStates({ screen: '/accounts', reads: '/trade-accounts', shown: async () => undefined }).slice(2),
  ],
};
