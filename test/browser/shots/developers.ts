/** Developers, in every state. */
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

export const developersShots: ScreenShots = {
  screen: 'developers',
  shots: [
    {
      name: 'gateway',
      async show(stage) {
        await stage.goTo('/developers');
        await shown(stage);
      },
    },
    {
      name: 'keys',
      async show(stage) {
        await stage.goTo('/developers/keys');
        await shown(stage);
      },
    },
    {
      name: 'new-key',
      async show({ page, goTo }) {
        await goTo('/developers/keys?create');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('radio', { name: 'Only these' }).click();
        await dialog.getByRole('button', { name: 'Create key' }).click();
        await dialog.getByRole('alert').first().waitFor();
      },
    },
    {
      name: 'key-shown-once',
      async show({ page, goTo }) {
        await goTo('/developers/keys?create');
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Label').fill('Night shift');
        await dialog.getByRole('button', { name: 'Create key' }).click();
        await dialog.getByText('I have stored it').waitFor();
      },
    },
    {
      name: 'request',
      async show(stage) {
        await stage.goTo('/developers/requests');
        await shown(stage);
        await stage.page.getByRole('button', { name: 'Details' }).nth(1).click();
        await stage.page.getByRole('radio', { name: 'Python' }).click();
      },
    },
    {
      name: 'stream',
      async show({ page, goTo }) {
        await goTo('/developers/stream');
        await page.getByRole('checkbox', { name: /prices:paper$/ }).click();
        await page.getByRole('button', { name: 'Connect', exact: true }).click();
        await page.getByText('snapshot').first().waitFor();
      },
    },
    ...usualStates({ screen: '/developers', reads: '/ready', shown }),
  ],
};
