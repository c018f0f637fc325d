/** Ways into the dashboard and out of it: e-mail, wallet, a session that ends, signing out in every tab. */
import { expect } from 'chai';
import { firstSeen } from '../support/browser.ts';
import { type DashboardPage, expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { USER } from '../support/dashboard-suite.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { injectWallet, newWallet } from '../support/injected-wallet.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { DAY_MS, ended, fill, heading, isIn, signInOver, signInSuite } from '../support/sign-in-suite.ts';

describe('sign-in to the dashboard', function () {
  this.timeout(120_000);
  const { suite, clock, address, visit, otherSessions } = signInSuite();

  it('says what is wrong, forgets nothing that was typed, and goes where it was asked to', async () => {
    const page = await visit((status, path) => status === 401 && path === '/auth/login');
    await page.goto(address('/app/settings'));
    await heading(page, 'Sign in');
    await expectAccessible(page, 'sign-in');
    expect(await page.getByLabel('E-mail').evaluate((field) => field.matches(':focus'))).to.equal(true);
    await fill(page, 'not the password');
    await page.keyboard.press('Enter');
    await page.getByText('E-mail or password is wrong').waitFor();
    await expectAccessibleWhenLong(page, 'sign-in, refused');
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(USER);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Settings');
    expect(page.url()).to.equal(address('/app/settings'));
  });

  it('lets a wallet in that signs, as the user that it is @long', async () => {
    const wallet = newWallet();
    const signed: string[] = [];
    const page = await visit();
    await injectWallet(page, wallet, (message) => {
      signed.push(message);
      return wallet.signMessage({ message });
    });
    await page.goto(address('/app/settings'));
    await heading(page, 'Sign in');
    await expectAccessible(page, 'sign-in with a wallet');
    await page.getByRole('button', { name: 'Sign in with your wallet' }).click();
    await heading(page, `Signed in as ${wallet.address}`);
    expect(signed).to.have.length(1);
    expect(signed[0]).to.contain(`tandem.localhost:${suite.gateway.port} wants you to sign in`);
    await page.getByText('You sign in with a wallet: there is no password to change.').waitFor();
  });

  itInFreshTab(
    'asks to sign in again over the screen when the session has run out, and keeps what was typed',
    async () => {
      const { page } = await suite.open('/settings', { isExpected: ended });
      await isIn(page);
      await page.getByLabel('Largest order').fill('not a num');
      clock.leap(31 * DAY_MS);
      await signInOver(page, () => expectAccessible(page, 'session over'));
      expect(await page.getByLabel('Largest order').inputValue()).to.equal('not a num');
    },
  );

  itInFreshTab('asks as well when the session was ended elsewhere @long', async () => {
    const tab = await suite.open('/settings', { isExpected: ended });
    const { page } = tab;
    await isIn(page);
    await endEverySession();
    await signInOver(page, async () => {
      await firstSeen(page.getByText(/^Stale ([89]|\d\d+) s$/));
      // The stream ended with the session; the gateway is there, and nothing else is to be done than to sign in.
      for (const notice of ['The gateway does not answer.', 'The live stream is interrupted.'])
        expect(await page.getByText(notice).count(), notice).to.equal(0);
    });
    forgetSockets(tab);
  });

  itInFreshTab('signs out in every tab at once, and in again @long', async () => {
    const { page } = await suite.open('/settings');
    await isIn(page);
    const other = await page.context().newPage();
    await other.goto(address('/app/portfolio'));
    await isIn(other);
    await page.getByRole('button', { name: 'User' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await heading(other, 'Sign in');
    await fill(other);
    await other.keyboard.press('Enter');
    await isIn(other);
    await isIn(page);
  });

  async function endEverySession(): Promise<void> {
    await otherSessions(async (ids, headers) => {
      for (const id of ids) await suite.gateway.request('DELETE', `/auth/sessions/${id}`, { headers });
    });
  }

  /** The browser itself writes down that a WebSocket was refused. */
  function forgetSockets({ offences }: DashboardPage): void {
    offences.splice(0, offences.length, ...offences.filter((offence) => !/WebSocket/.test(offence)));
  }
});
