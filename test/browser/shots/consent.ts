/** The consent page of an agent, in every state. */
import { allowButton, openConsentDesk, seeHeading, signIn, writeBox } from '../../support/consent-desk.ts';
import type { ScreenShots, Stage } from './shot.ts';

/** The page of a request that has just come in. */
async function asked({ gateway, page }: Stage): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const desk = await openConsentDesk(browser, gateway);
  await page.goto((await desk.ask()).address);
  await page.getByLabel('Password').waitFor();
  page.once('close', () => void desk.close());
}

/** Allowing takes a moment to be possible, in which its button is dim. */
const armed = ({ page }: Stage) => allowButton(page).and(page.locator(':enabled')).waitFor();

async function choosing(stage: Stage): Promise<void> {
  await asked(stage);
  await signIn(stage.page);
  await armed(stage);
}

async function choosingToWrite(stage: Stage): Promise<void> {
  await choosing(stage);
  await writeBox(stage.page).check();
  await armed(stage);
}

/** Longer than a window: its buttons, and below them the rest. */
const toEnd = ({ page }: Stage) => page.evaluate<void>('scrollTo(0, document.documentElement.scrollHeight)');

async function ownNumbers(stage: Stage): Promise<void> {
  await choosingToWrite(stage);
  await stage.page.getByRole('radio', { name: 'My own numbers' }).check();
  await armed(stage);
}

export const consentShots: ScreenShots = {
  screen: 'consent',
  shots: [
    { name: 'sign-in', show: asked },
    {
      name: 'sign-in-refused',
      async show(stage) {
        await asked(stage);
        await signIn(stage.page, undefined, 'not the password');
        await stage.page.getByText('wrong').waitFor();
      },
    },
    { name: 'choice', show: choosing },
    { name: 'choice-of-writing', show: choosingToWrite },
    { name: 'choice-of-writing-below', show: choosingToWrite, stands: toEnd },
    {
      name: 'own-numbers',
      show: ownNumbers,
      stands: ({ page }) =>
        page.getByRole('radio', { name: 'My own numbers' }).evaluate((one) => one.scrollIntoView()),
    },
    { name: 'own-numbers-below', show: ownNumbers, stands: toEnd },
    {
      name: 'unknown',
      async show({ gateway, page }) {
        await page.goto(`http://tandem.localhost:${gateway.port}/consent/nobody-asked`);
        await page.getByRole('heading').first().waitFor();
      },
    },
    {
      name: 'denied-without-signing-in',
      async show(stage) {
        // Whose browser is signed in denies for good.
        await stage.page.context().clearCookies();
        await asked(stage);
        await stage.page.getByRole('button', { name: 'Deny without signing in' }).click();
        await seeHeading(stage.page, 'Nothing was allowed');
      },
    },
  ],
};
