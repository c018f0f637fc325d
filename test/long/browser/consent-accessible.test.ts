/** Every screen of the consent page, in both colour schemes and two widths: no violation, nothing cut off, one heading. */
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { axeFindings } from '../../support/axe.ts';
import { allowButton, denyButton, EMAIL, seeHeading, signIn, writeBox } from '../../support/consent-desk.ts';
import { consentSuite } from '../../support/consent-suite.ts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];

describe('every screen of the consent page', function () {
  this.timeout(60_000);
  const suite = consentSuite();
  before(() => suite.gateway.register('bob@example.test'));

  async function expectAccessible(page: Page): Promise<void> {
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const where = `${colorScheme}, ${viewport.width} px`;
        // Findings that do not depend on colours are the same in both schemes.
        const found = await axeFindings(page, colorScheme === 'light' ? 'everything' : 'colours');
        expect(found, where).to.deep.equal([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), where).to.equal(
          true,
        );
      }
    }
    expect(await page.getByRole('heading', { level: 1 }).count()).to.equal(1);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    expect((await page.title()).replace(/\s+/g, ' ')).to.equal(`${heading.replace(/\s+/g, ' ')} – Tandem`);
  }

  const anyFailure = () => true;
  const failing = (status: number, message: string) => (route: Route) =>
    route.fulfill({ status, json: { message, error: 'Error', statusCode: status } });
  const refuse = (route: Route) => route.abort('connectionrefused');

  const SCREENS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    'signing in': async (page) => {
      await page.addInitScript('window.ethereum = { request() {} }');
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'Sign in to your gateway');
    },
    'a wrong password': async (page) => {
      await page.goto((await suite.desk.ask()).address);
      await signIn(page, EMAIL, 'wrong');
      await page.getByRole('alert').waitFor();
    },
    'the decision, out of sight and so never armed': async (page) => {
      await page.addInitScript("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })");
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await denyButton(page).waitFor();
      expect(await allowButton(page).isEnabled()).to.equal(false);
    },
    'the decision, with writing': async (page) => {
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await writeBox(page).check();
      await allowButton(page).and(page.locator(':enabled')).waitFor();
    },
    'the decision about a name that is too long': async (page) => {
      const client_name = 'NameWithoutAnySpaces'.repeat(12);
      await page.goto((await suite.desk.ask({ scopes: [], metadata: { client_name } })).address);
      await signIn(page);
      await denyButton(page).waitFor();
    },
    'a decision that was refused': async (page) => {
      await page.route(
        '**/interaction/*/confirm',
        failing(403, 'The maximum of 10 connected agents is reached'),
      );
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await allowButton(page).click();
      await page.getByRole('alert').waitFor();
    },
    'nothing allowed': async (page) => {
      await page.goto((await suite.desk.ask()).address);
      await page.getByRole('button', { name: 'Deny without signing in' }).click();
      await seeHeading(page, 'Nothing was allowed');
    },
    "another account's request": async (page) => {
      // In the desktop app, whose session is there before the page.
      await page.route('**/interaction/*', failing(403, 'Session does not match this interaction'));
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'This request belongs to another account');
    },
    'signing in again': async (page) => {
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await denyButton(page).waitFor();
      await page.context().clearCookies();
      await page.reload();
      await seeHeading(page, 'Sign in to your gateway');
    },
    'nothing to decide': async (page) => {
      await page.goto(`${suite.desk.origin}/consent/unknown`);
      await seeHeading(page, 'There is nothing to decide here');
    },
    expired: async (page) => {
      await page.clock.install();
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'Sign in to your gateway');
      await page.clock.fastForward(11 * 60_000);
      await seeHeading(page, 'This request has expired');
    },
    'no gateway': async (page) => {
      await page.route('**/interaction/**', refuse);
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'The gateway does not answer');
    },
    'a failure': async (page) => {
      await page.route('**/interaction/*', failing(500, 'Internal error'));
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'The gateway could not do this');
    },
    'an unexpected address': async (page) => {
      await page.route('**/interaction/*/login', (route) => route.fulfill({ json: { returnTo: '/docs' } }));
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await seeHeading(page, 'Stopped: unexpected address');
    },
    'going back': async (page) => {
      // An answer without content leaves the page where it is.
      await page.route('**/callback?**', (route) => route.fulfill({ status: 204 }));
      await page.goto((await suite.desk.ask()).address);
      await signIn(page);
      await denyButton(page).click();
      await seeHeading(page, 'Denied');
    },
  };
  for (const [name, reach] of Object.entries(SCREENS)) {
    it(name, async () => {
      const { page } = await suite.desk.browse({}, anyFailure);
      await reach(page);
      await expectAccessible(page);
    });
  }
});
