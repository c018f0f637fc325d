/** The consent page of an agent, in every state. */
import { allowButton, openConsentDesk, signIn, writeBox } from '../../support/consent-desk.ts';
import { button, heading, text } from './proofs.ts';
import { press, type ScreenShots, type Step, steps } from './shot.ts';

/** The page of a request that has just come in. */
const asked: Step = async ({ gateway, page }) => {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const desk = await openConsentDesk(browser, gateway);
  await page.goto((await desk.ask()).address);
  page.once('close', () => void desk.close());
};

/** Allowing takes a moment to be possible, in which its button is dim. */
const armed: Step = ({ page }) => allowButton(page).and(page.locator(':enabled')).waitFor();
/** Longer than a window: its buttons, and below them the rest. */
const toEnd: Step = ({ page }) => page.evaluate<void>('scrollTo(0, document.documentElement.scrollHeight)');

const choosing = steps(asked, ({ page }) => signIn(page), armed);
const choosingToWrite = steps(choosing, ({ page }) => writeBox(page).check(), armed);
const ownNumbers = steps(
  choosingToWrite,
  ({ page }) => page.getByRole('radio', { name: 'My own numbers' }).check(),
  armed,
);

export const consentShots: ScreenShots = {
  screen: 'consent',
  shots: [
    { name: 'sign-in', proof: (page) => page.getByLabel('Password'), show: asked },
    {
      name: 'sign-in-refused',
      proof: text(/wrong/),
      show: steps(asked, ({ page }) => signIn(page, undefined, 'not the password')),
    },
    { name: 'choice', proof: allowButton, show: choosing },
    {
      name: 'choice-of-writing',
      proof: (page) => page.getByRole('checkbox', { checked: true }).first(),
      show: choosingToWrite,
    },
    {
      name: 'own-numbers',
      proof: (page) => page.getByRole('radio', { name: 'My own numbers', checked: true }),
      show: ownNumbers,
      stands: ({ page }) =>
        page.getByRole('radio', { name: 'My own numbers' }).evaluate((one) => one.scrollIntoView()),
    },
    { name: 'own-numbers-below', proof: button(/^Allow/), show: ownNumbers, stands: toEnd },
    {
      name: 'unknown',
      proof: heading(/./),
      show: ({ gateway, page }) => page.goto(`http://tandem.localhost:${gateway.port}/consent/nobody-asked`),
    },
    {
      name: 'denied-without-signing-in',
      proof: heading('Nothing was allowed'),
      // Whose browser is signed in denies for good.
      show: steps(({ page }) => page.context().clearCookies(), asked, press('Deny without signing in')),
    },
  ],
};
