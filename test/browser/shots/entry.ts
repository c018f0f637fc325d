/** Ways in: sign-in, the first run, a session that has ended. */
import { pathIs } from '../../support/dashboard-states.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import { dialogNamed, heading, text } from './proofs.ts';
import { after, at, type ScreenShots, type Step } from './shot.ts';

const withRegistration =
  (registration: 'first' | 'closed'): Step =>
  ({ page }) =>
    page.route(pathIs('/app/start'), (route) => route.fulfill({ json: { signedIn: false, registration } }));

const atStep = (step: string, title: string) =>
  after(
    ({ page }) => page.evaluate<void>(`sessionStorage.setItem('tandem.first-run', '${step}')`),
    at('', step, heading(title)),
  );

export const entryShots: ScreenShots = {
  screen: 'entry',
  shots: [
    after(withRegistration('closed'), at('', 'sign-in', heading('Sign in'))),
    {
      name: 'sign-in-refused',
      proof: text('The wallet did not sign.'),
      async show(stage) {
        const { page, goTo } = stage;
        await injectWallet(page, newWallet(), () => null);
        await withRegistration('closed')(stage);
        await goTo('');
        await page.getByLabel('E-mail').fill('ada@example.test');
        await page.getByLabel('Password').fill('not the password');
        await page.keyboard.press('Enter');
        await page.getByText('E-mail or password is wrong').waitFor();
        await page.getByRole('button', { name: 'Sign in with your wallet' }).click();
      },
    },
    after(withRegistration('first'), at('', 'user', heading('Create your user'))),
    atStep('checks', 'What the gateway needs'),
    atStep('basket', 'Your account is funded'),
    after(
      ({ page }) => page.route(pathIs('/app/start'), (route) => route.abort()),
      at('', 'down', text('The gateway does not answer')),
    ),
    at('/settings', 'session-ended', dialogNamed('Your session has ended'), async ({ page }) => {
      await page.getByText('Live data').waitFor();
      const ended = { message: 'Unauthorized', error: 'Unauthorized', statusCode: 401 };
      await page.route(/\/(auth\/session\/refresh|portfolio\/.*)$/, (route) =>
        route.fulfill({ status: 401, json: ended }),
      );
      await page.getByRole('link', { name: 'Portfolio' }).click();
    }),
  ],
};
