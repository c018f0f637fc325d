/** Sign-in: the link of the start, long sessions, several tabs, and a browser that lost its key. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { USER } from '../../support/dashboard-suite.ts';
import { PASSWORD } from '../../support/gateway-client.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { machineClock, untilPage } from '../../support/page-time.ts';
import {
  DAY_MS,
  ended,
  fill,
  HOUR_MS,
  heading,
  isIn,
  signInOver,
  signInSuite,
} from '../../support/sign-in-suite.ts';
import { startTandem } from '../../support/tandem-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

describe('sessions of the dashboard', function () {
  this.timeout(120_000);
  const { suite, clock, address, visit, closeTabs, otherSessions } = signInSuite();

  it('says so when a wallet does not sign, or another one did', async () => {
    const wallet = newWallet();
    const other = newWallet();
    let willSign = false;
    const page = await visit((status, path) => status === 401 && path === '/auth/login');
    await injectWallet(page, wallet, (message) => (willSign ? other.signMessage({ message }) : null));
    await page.goto(address('/app'));
    const button = page.getByRole('button', { name: 'Sign in with your wallet' });
    await page.getByLabel('E-mail').fill(USER);
    await button.click();
    await page.getByText('The wallet did not sign. Nothing happened.').waitFor();
    willSign = true;
    await button.click();
    await page.getByText('The gateway refused this wallet: Invalid or expired wallet signature.').waitFor();
    await expectAccessible(page, 'a wallet, refused');
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(USER);
  });

  it('opens signed in with the link that the start printed, which works once', async () => {
    const dataDir = await temporaryFolder();
    const flags = ['--port', '0', '--data-dir', dataDir, '--vault', 'file', '--log-level', 'warn'];
    const start = (...more: readonly string[]) =>
      // Nothing of this machine is opened: no program for it is in the path.
      startTandem(['start', ...flags, ...more], { env: { PATH: '' } });
    const first = start();
    const url = (await first.line((line) => line.includes('ready at'))).split(' ').at(-1) ?? '';
    await fetch(`${url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: USER, password: PASSWORD }),
    });
    await first.stop('SIGTERM');

    const running = start('--open');
    try {
      await running.line((line) => line.includes('ready at'));
      // The browser of the start is given a file that sends it on.
      const file = await written(join(dataDir, 'open-dashboard.html'));
      const link = /url=([^"]+)"/.exec(file)?.[1] ?? '';
      const page = await visit();
      await page.goto(link);
      await isIn(page);
      expect(page.url()).not.to.match(/link|#/);

      const late = await visit((status, path) => status === 401 && path === '/auth/link');
      await late.goto(link);
      await late.getByText('This link is used up').waitFor();
      await heading(late, 'Sign in');
      await closeTabs();
    } finally {
      await running.stop('SIGTERM');
    }
  });

  itInFreshTab('goes on for as long as a page is open: the session is prolonged in silence', async () => {
    // Both clocks move, one after the other: a request in between has a token that is over.
    const { page } = await suite.open('/docs', { isExpected: ended });
    await page.clock.install();
    await page.goto(address('/app/settings'));
    await isIn(page);
    for (const _ of [1, 2]) {
      clock.leap(10 * HOUR_MS);
      const prolonged = page.waitForResponse(
        (response) => response.url().endsWith('/auth/session/refresh') && response.ok(),
      );
      await page.clock.fastForward(6 * 3_600_000);
      await prolonged;
    }
    // Twenty hours after the sign-in, where twelve without a use end it.
    await page.reload();
    await heading(page, 'Settings');
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  itInFreshTab('keeps the page where the sign-in over it cannot be fetched, until it can', async () => {
    const tab = await suite.open('/settings', { isExpected: (status) => status === 401 || status === 0 });
    const { page } = tab;
    const file = /\/sign-in-[^/]*\.js$/;
    await page.route(file, (route) => route.abort());
    await page.reload();
    await isIn(page);
    await page.getByLabel('Largest order').fill('not a num');
    clock.leap(31 * DAY_MS);
    // Parts of the page that are read again meanwhile fail and have such a button too.
    const again = page.locator('button:not(main *)', { hasText: 'Try again' });
    await again.waitFor();
    expect(await page.getByLabel('Largest order').inputValue()).to.equal('not a num');
    await expectAccessible(page, 'session over, without a sign-in');
    await page.unroute(file);
    await again.click();
    await signInOver(page);
    expect(await page.getByLabel('Largest order').inputValue()).to.equal('not a num');
    // React writes down what a boundary has caught.
    tab.offences.splice(
      0,
      tab.offences.length,
      ...tab.offences.filter((one) => !/dynamically imported/.test(one)),
    );
  });

  itInFreshTab('stays signed out when an answer about the session comes late', async () => {
    const { page } = await suite.open('/settings');
    await isIn(page);
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    let asked = 0;
    await page.route('**/trade-accounts', async (route) => {
      asked += 1;
      await late;
      await route.continue();
    });
    const told = (word: string) =>
      page.evaluate(`new BroadcastChannel('tandem.session').postMessage('${word}')`);
    await told('signed-in');
    await untilPage(page, 'the page asks for its accounts', () => (asked > 0 ? true : null));
    await told('signed-out');
    await heading(page, 'Sign in');
    const answered = page.waitForResponse('**/trade-accounts');
    answerLate();
    await (await answered).finished();
    // Two frames: whatever the answer would have changed is on the screen.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.getByRole('heading', { name: 'Settings' }).count()).to.equal(0);
    await heading(page, 'Sign in');
  });

  it('two tabs that come first at the same moment share one key, and the sign-in of one is that of both', async () => {
    const before = await sessionCount();
    const page = await visit();
    const other = await page.context().newPage();
    await Promise.all([page.goto(address('/app/settings')), other.goto(address('/app/portfolio'))]);
    await Promise.all([heading(page, 'Sign in'), heading(other, 'Sign in')]);
    await fill(page);
    await page.keyboard.press('Enter');
    await isIn(page);
    await other.reload();
    await isIn(other);
    await Promise.all([page.reload(), other.reload()]);
    await Promise.all([isIn(page), isIn(other)]);
    expect(await sessionCount()).to.equal(before + 1);
  });

  it('is signed out by a browser that has cleared its storage, and says how to come back', async () => {
    const page = await visit();
    await page.goto(address('/app/settings'));
    await fill(page);
    await page.keyboard.press('Enter');
    await isIn(page);
    const developer = await page.context().newCDPSession(page);
    await developer.send('Storage.clearDataForOrigin', {
      origin: address('').replace(/\/$/, ''),
      storageTypes: 'indexeddb',
    });
    await page.reload();
    await heading(page, 'Sign in');
    await page.getByText('tandem start --open').waitFor();
    await fill(page);
    await page.keyboard.press('Enter');
    await isIn(page);
  });

  /** The terminal says that the gateway is ready a moment before the file for the browser is there. */
  async function written(path: string): Promise<string> {
    return until(machineClock, 'the file for the browser', async () => {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text.includes('</html>') ? text : null;
    });
  }

  async function sessionCount(): Promise<number> {
    let count = 0;
    await otherSessions(async (ids) => {
      count = ids.length;
    });
    return count;
  }
});
