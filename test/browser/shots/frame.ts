/** Frame around the screens: menus, commands, and a gateway in trouble. */
import { holdAnswers, pathIs, switchableStream } from '../../support/dashboard-states.ts';
import { dialogNamed, menu, option, text } from './proofs.ts';
import { after, at, press, type ScreenShots, type Shot, type Step, steps } from './shot.ts';

/** On a screen whose data are live. */
const live = (name: string, proof: Shot['proof'], then: Step = async () => undefined): Shot =>
  at('/portfolio', name, proof, async (stage) => {
    await stage.page.getByText('Live data').waitFor();
    await then(stage);
  });

const key =
  (name: string): Step =>
  ({ page }) =>
    page.keyboard.press(name);
const openStop: Step = ({ page }) => page.getByRole('button', { name: 'Stop', exact: true }).click();
const item =
  (name: RegExp): Step =>
  ({ page }) =>
    page.getByRole('menuitem', { name }).click();

const slow = text('The gateway is slow.');

/** A live stream that breaks, after something else. */
const cut = (name: string, words: string, then: Step = async () => undefined): Shot => ({
  name,
  proof: text(words),
  async show(stage) {
    const stream = await switchableStream(stage.page);
    await stage.goTo('/portfolio');
    await stage.page.getByText('Live data').waitFor();
    await then(stage);
    await stream.cut();
  },
});

export const frameShots: ScreenShots = {
  screen: 'frame',
  shots: [
    live('commands', option, key('Control+k')),
    live('keys', dialogNamed('Keyboard'), key('?')),
    live('stop', menu, openStop),
    live('cancel-all', dialogNamed(/Cancel/), steps(openStop, item(/Cancel all/))),
    live('close-all', dialogNamed(/Close everything/), steps(openStop, item(/Close everything/))),
    // On phones there is no such menu.
    { ...live('user', menu, press('User')), from: 481 },
    {
      ...after(
        ({ bot }) => bot.call('POST', '/safety/pause'),
        live('paused', (page) =>
          page
            // In a narrow bar it is one word.
            .getByText(/^(New orders paused|Paused)$/)
            .filter({ visible: true })
            .first(),
        ),
      ),
      clear: ({ bot }) => bot.call('POST', '/safety/resume'),
    },
    cut('down', 'The gateway does not answer.', ({ page }) =>
      // Whatever is not a file of the page.
      page.route(
        ({ pathname }) => !pathname.startsWith('/app/'),
        (route) => route.abort(),
      ),
    ),
    cut('interrupted', 'The live stream is interrupted.'),
    after(({ page }) => holdAnswers(page, pathIs('/safety')), {
      ...live('slow', slow),
      // Gone while the read that was given up after 10 s is tried again.
      stands: ({ page }) => slow(page).waitFor(),
    }),
    after(
      ({ page }) =>
        page.route('**/version', (route) =>
          route.fulfill({
            json: { name: 'tandem-gateway', version: '99.1.0', apiVersion: '3.0.3', uptimeMs: 1 },
          }),
        ),
      live('other-version', text('The gateway is of another version:')),
    ),
    at('/nowhere', 'no-such-screen', text('There is no such screen')),
  ],
};
