/** Ways into the dashboard and out of it: e-mail, wallet, a session that ends, signing out in every tab. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { systemClock } from '../../gateway/system/clock.ts';
import { openWatched, type WatchedPage } from '../support/browser.ts';
import { type DashboardPage, expectAccessible } from '../support/dashboard.ts';
import { dashboardSuite, USER } from '../support/dashboard-suite.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { injectWallet, newWallet } from '../support/injected-wallet.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { removeTemporaryFolders } from '../support/temporary-folder.ts';

type Headers = Readonly<Record<string, string>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ended = (status: number) => status === 401;

/** The machine's clock, which a test can set forward. Timers keep their remaining time. */
function leapingClock() {
  let leaptMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + leaptMs,
    uptime: () => systemClock.uptime() + leaptMs,
    leap(ms: number) {
      leaptMs += ms;
    },
  };
}

describe('sign-in to the dashboard', function () {
  this.timeout(120_000);
  // Before a page is open, whose files a build would take away.
  before(buildGateway);
  const clock = leapingClock();
  const suite = dashboardSuite({ overrides: { clock } });
  const tabs: WatchedPage[] = [];

  const address = (path: string) => `http://tandem.localhost:${suite.gateway.port}${path}`;
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const isIn = (page: Page) => page.getByText('Live data').waitFor();
  const fill = async (page: Page, password = PASSWORD) => {
    await page.getByLabel('E-mail').fill(USER);
    await page.getByLabel('Password', { exact: true }).fill(password);
  };

  /** Signs in over the screen that is there, whose session has ended. @param look before anything is typed */
  async function signInOver(page: Page, look: () => Promise<void> = async () => undefined): Promise<void> {
    const question = page.getByRole('dialog', { name: 'Your session has ended' });
    await question.waitFor();
    await look();
    await fill(page);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await isIn(page);
  }

  /** Somebody who is not signed in. */
  async function visit(isExpected: (status: number, path: string) => boolean = () => false): Promise<Page> {
    const tab = await openWatched(suite.browser, { viewport: { width: 1280, height: 800 } }, isExpected);
    tabs.push(tab);
    return tab.page;
  }
  async function closeTabs(): Promise<void> {
    const closing = tabs.splice(0);
    await Promise.all(closing.map((tab) => tab.close()));
    expect(closing.flatMap(({ offences }) => offences)).to.deep.equal([]);
  }
  afterEach(closeTabs);
  after(removeTemporaryFolders);

  it('says what is wrong, forgets nothing that was typed, and goes where it was asked to', async () => {
    const page = await visit((status, path) => status === 401 && path === '/auth/login');
    await page.goto(address('/app/settings'));
    await heading(page, 'Sign in');
    await expectAccessible(page, 'sign-in');
    expect(await page.getByLabel('E-mail').evaluate((field) => field.matches(':focus'))).to.equal(true);
    await fill(page, 'not the password');
    await page.keyboard.press('Enter');
    await page.getByText('E-mail or password is wrong').waitFor();
    await expectAccessible(page, 'sign-in, refused');
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(USER);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Settings');
    expect(page.url()).to.equal(address('/app/settings'));
  });

  it('lets a wallet in that signs, as the user that it is', async () => {
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

  itInFreshTab('asks as well when the session was ended elsewhere', async () => {
    const tab = await suite.open('/settings', { isExpected: ended });
    const { page } = tab;
    await isIn(page);
    await endEverySession();
    await signInOver(page, async () => {
      await page
        .getByText(/^Stale ([89]|\d\d+) s$/)
        .first()
        .waitFor();
      // The stream ended with the session; the gateway is there, and nothing else is to be done than to sign in.
      for (const notice of ['The gateway does not answer.', 'The live stream is interrupted.'])
        expect(await page.getByText(notice).count(), notice).to.equal(0);
    });
    forgetSockets(tab);
  });

  itInFreshTab('signs out in every tab at once, and in again', async () => {
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

  /** The user's sessions but the one that asks, which has ended afterwards. */
  async function otherSessions(
    use: (ids: readonly string[], headers: Headers) => Promise<void>,
  ): Promise<void> {
    const own = await suite.gateway.request('POST', '/auth/login', {
      body: { method: 'email', email: USER, password: PASSWORD },
    });
    const headers = { authorization: `Bearer ${own.json.accessToken}` };
    const listed: readonly Json[] = (await suite.gateway.request('GET', '/auth/sessions', { headers })).json
      .sessions;
    await use(
      listed.filter(({ current }) => !current).map(({ id }) => id),
      headers,
    );
    await suite.gateway.request('POST', '/auth/logout', { headers });
  }

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
