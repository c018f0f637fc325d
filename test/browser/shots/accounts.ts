/** Accounts, in every state; with its checks: `desk`. */
import { dialog, menu } from './proofs.ts';
import { at, press, type ScreenShots } from './shot.ts';
import { staleState } from './usual-states.ts';

export const accountsShots: ScreenShots = {
  screen: 'accounts',
  shots: [
    at('/accounts', 'menu', menu, press(/^Actions for/)),
    at(
      '/accounts?add',
      'add',
      (page) => dialog(page).locator('[aria-invalid=true]').first(),
      ({ page }) => dialog(page).getByRole('button', { name: 'Add account' }).click(),
    ),
    staleState('/accounts', async () => undefined),
  ],
};
