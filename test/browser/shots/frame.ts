/** Frame around the screens: menus, commands, and a gateway in trouble. */
import { holdAnswers, pathIs, switchableStream } from '../../support/dashboard-states.ts';
import type { ScreenShots, Stage } from './shot.ts';

async function live({ page, goTo }: Stage, screen = '/portfolio'): Promise<void> {
  await goTo(screen);
  await page.getByText('Live data').waitFor();
}

/** Whatever is not a file of the page. */
const pathIsRead = ({ pathname }: URL) => !pathname.startsWith('/app/');

const fromStop =
  (item: RegExp) =>
  async (stage: Stage): Promise<void> => {
    await live(stage);
    await stage.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await stage.page.getByRole('menuitem', { name: item }).click();
    await stage.page.getByRole('dialog').waitFor();
  };

export const frameShots: ScreenShots = {
  screen: 'frame',
  shots: [
    {
      name: 'commands',
      async show(stage) {
        await live(stage);
        await stage.page.keyboard.press('Control+k');
        await stage.page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'commands-found',
      async show(stage) {
        await live(stage);
        await stage.page.keyboard.press('Control+k');
        await stage.page.getByRole('dialog').waitFor();
        await stage.page.keyboard.type('re');
      },
    },
    {
      name: 'keys',
      async show(stage) {
        await live(stage);
        await stage.page.keyboard.press('?');
        await stage.page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      },
    },
    {
      name: 'stop',
      async show(stage) {
        await live(stage);
        await stage.page.getByRole('button', { name: 'Stop', exact: true }).click();
        await stage.page.getByRole('menu').waitFor();
      },
    },
    { name: 'cancel-all', show: fromStop(/Cancel all/) },
    { name: 'close-all', show: fromStop(/Close everything/) },
    {
      name: 'user',
      // On phones there is no such menu.
      from: 481,
      async show(stage) {
        await live(stage);
        await stage.page.getByRole('button', { name: 'User' }).click();
        await stage.page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'paused',
      async show(stage) {
        await stage.bot.call('POST', '/safety/pause');
        await live(stage);
        await stage.page.getByText('New orders paused').waitFor();
      },
      async clear({ bot }) {
        await bot.call('POST', '/safety/resume');
      },
    },
    {
      name: 'down',
      async show(stage) {
        const stream = await switchableStream(stage.page);
        await live(stage);
        await stage.page.route(pathIsRead, (route) => route.abort());
        await stream.cut();
        await stage.page.getByText('The gateway does not answer.').waitFor();
      },
    },
    {
      name: 'interrupted',
      async show(stage) {
        const stream = await switchableStream(stage.page);
        await live(stage);
        await stream.cut();
        await stage.page.getByText('The live stream is interrupted.').waitFor();
      },
    },
    {
      name: 'slow',
      async show(stage) {
        await holdAnswers(stage.page, pathIs('/safety'));
        await live(stage);
        await stage.page.getByText('The gateway is slow.').waitFor();
      },
      // Gone while the read that was given up after 10 s is tried again.
      stands: ({ page }) => page.getByText('The gateway is slow.').waitFor(),
    },
    {
      name: 'other-version',
      async show(stage) {
        await stage.page.route('**/version', (route) =>
          route.fulfill({
            json: { name: 'tandem-gateway', version: '99.1.0', apiVersion: '3.0.3', uptimeMs: 1 },
          }),
        );
        await live(stage);
        await stage.page.getByText('The gateway is of another version:').waitFor();
      },
    },
    {
      name: 'no-such-screen',
      async show({ page, goTo }) {
        await goTo('/nowhere');
        await page.getByText('There is no such screen').waitFor();
      },
    },
  ],
};
