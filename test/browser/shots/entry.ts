/** Ways in: sign-in, the first run, a session that has ended. */
import { pathIs } from '../../support/dashboard-states.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import type { ScreenShots, Stage } from './shot.ts';

const heading = ({ page }: Stage, name: string) => page.getByRole('heading', { name }).waitFor();

async function withRegistration({ page }: Stage, registration: 'first' | 'open' | 'closed'): Promise<void> {
  await page.route(pathIs('/app/start'), (route) =>
    route.fulfill({ json: { signedIn: false, registration } }),
  );
}

const atStep =
  (step: string, title: string) =>
  async (stage: Stage): Promise<void> => {
    await stage.page.evaluate(`sessionStorage.setItem('tandem.first-run', '${step}')`);
    await stage.goTo('');
    await heading(stage, title);
  };

export const entryShots: ScreenShots = {
  screen: 'entry',
  shots: [
    {
      name: 'sign-in',
      async show(stage) {
        await withRegistration(stage, 'closed');
        await stage.goTo('');
        await heading(stage, 'Sign in');
      },
    },
    {
      name: 'sign-in-refused',
      async show(stage) {
        const wallet = newWallet();
        await injectWallet(stage.page, wallet, () => null);
        await withRegistration(stage, 'closed');
        await stage.goTo('');
        await stage.page.getByLabel('E-mail').fill('ada@example.test');
        await stage.page.getByLabel('Password').fill('not the password');
        await stage.page.keyboard.press('Enter');
        await stage.page.getByText('E-mail or password is wrong').waitFor();
        await stage.page.getByRole('button', { name: 'Sign in with your wallet' }).click();
        await stage.page.getByText('The wallet did not sign.').waitFor();
      },
    },
    {
      name: 'user',
      async show(stage) {
        await withRegistration(stage, 'first');
        await stage.goTo('');
        await heading(stage, 'Create your user');
      },
    },
    { name: 'checks', show: atStep('checks', 'What the gateway needs') },
    { name: 'basket', show: atStep('basket', 'Your account is funded') },
    {
      name: 'down',
      async show({ page, goTo }) {
        await page.route(pathIs('/app/start'), (route) => route.abort());
        await goTo('');
        await page.getByText('The gateway does not answer', { exact: true }).waitFor();
      },
    },
    {
      name: 'session-ended',
      async show(stage) {
        await stage.goTo('/settings');
        await stage.page.getByText('Live data').waitFor();
        const ended = { message: 'Unauthorized', error: 'Unauthorized', statusCode: 401 };
        await stage.page.route(/\/(auth\/session\/refresh|portfolio\/.*)$/, (route) =>
          route.fulfill({ status: 401, json: ended }),
        );
        await stage.page.getByRole('link', { name: 'Portfolio' }).click();
        await stage.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      },
    },
  ],
};
