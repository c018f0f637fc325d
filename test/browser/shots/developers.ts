/** Developers, in every state; a request as a program: `desk`. */
import { anyRow, dialog, inDialog, text } from './proofs.ts';
import { at, type ScreenShots } from './shot.ts';
import { usualStates } from './usual-states.ts';

export const developersShots: ScreenShots = {
  screen: 'developers',
  shots: [
    at('/developers/keys', 'keys', anyRow),
    at(
      '/developers/keys?create',
      'new-key',
      (page) => dialog(page).getByRole('alert').first(),
      async ({ page }) => {
        await dialog(page).getByRole('radio', { name: 'Only these' }).click();
        await dialog(page).getByRole('button', { name: 'Create key' }).click();
      },
    ),
    at('/developers/keys?create', 'key-shown-once', inDialog('I have stored it'), async ({ page }) => {
      await dialog(page).getByLabel('Label').fill('Night shift');
      await dialog(page).getByRole('button', { name: 'Create key' }).click();
    }),
    at('/developers/stream', 'stream', text('snapshot'), async ({ page }) => {
      await page.getByRole('checkbox', { name: /prices:paper$/ }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
    }),
    ...usualStates({
      screen: '/developers',
      reads: '/ready',
      shown: ({ page }) => anyRow(page).waitFor(),
    }),
  ],
};
