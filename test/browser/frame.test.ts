/** The dashboard around its screens: first run, sign-in, the brakes, commands, lost connections, other tabs. */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, openWatched, type WatchedPage } from '../support/browser.ts';
import { buildDashboard, expectAccessible, openDashboard } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';

const EMAIL = 'ada@example.test';
/** Of everything that was added to the window: no secret of a session may be in it. */
const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])';

describe('the dashboard', function () {
  this.timeout(90_000);
  let browser: Browser;
  let gateway: TestGateway;
  const tabs: WatchedPage[] = [];

  const origin = () => `http://tandem.localhost:${gateway.port}`;
  const kept = <Tab extends WatchedPage>(tab: Tab): Tab => {
    tabs.push(tab);
    return tab;
  };
  const seeText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const seeHeading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const fill = async (page: Page, password: string) => {
    await page.locator('input[name=email]').fill(EMAIL);
    await page.locator('input[name=password]').fill(password);
  };

  before(async function () {
    browser = await launchChromium(this);
    await buildDashboard();
  });
  beforeEach(async () => {
    gateway = await startTestGateway({ settings: { registration: 'first' } });
  });
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
    await gateway.close();
  });
  after(async () => {
    await browser?.close();
    await removeTemporaryFolders();
  });

  it('takes its first user from nothing to a prefilled basket', async () => {
    const { page, offences } = kept(await openWatched(browser, { viewport: { width: 1280, height: 800 } }));
    // Another name of this machine leads to the one whose cookies stay here.
    await page.goto(`${gateway.url}/`);
    expect(new URL(page.url()).origin).to.equal(origin());
    await seeHeading(page, 'Create your user');
    await expectAccessible(page, 'first run, user');

    await fill(page, 'short');
    await page.getByRole('button', { name: 'Create user' }).click();
    await seeText(page, />=10 characters|at least 10|Too small/);
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();

    await seeHeading(page, 'What the gateway needs');
    await seeText(page, 'Keychain for venue credentials');
    await expectAccessible(page, 'first run, checks');
    await page.getByRole('button', { name: 'Continue' }).click();

    await seeHeading(page, 'Your account is funded');
    await seeText(page, '$100,000.00');
    await expectAccessible(page, 'first run, basket');
    await page.getByRole('button', { name: 'Show me the basket' }).click();
    await page.waitForURL(/\/app\/trade\?long=BTC-PERP&short=ETH-PERP/);
    await seeText(page, 'Live data');
    expect(await page.evaluate(STORED)).not.to.match(/tandem_session|eyJ|refresh/);
    expect(offences).to.deep.equal([]);
  });

  it('can be set up later', async () => {
    const { page, offences } = kept(await openWatched(browser));
    await page.goto(origin());
    await fill(page, PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('button', { name: 'Skip' }).click();
    await seeText(page, 'Live data');
    await page.reload();
    await seeText(page, 'Live data');
    expect(offences).to.deep.equal([]);
  });

  it('signs in, says what is wrong, and forgets nothing that was typed', async () => {
    await gateway.register(EMAIL);
    const refused = (status: number, path: string) => status === 401 && path === '/auth/login';
    const { page, offences } = kept(await openWatched(browser, {}, refused));
    await page.goto(`${origin()}/app/settings`);
    await seeHeading(page, 'Sign in');
    await expectAccessible(page, 'sign-in');
    await fill(page, 'not the password');
    await page.keyboard.press('Enter');
    await seeText(page, 'E-mail or password is wrong');
    await expectAccessible(page, 'sign-in, refused');
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Settings');
    expect(page.url()).to.equal(`${origin()}/app/settings`);
    expect(offences).to.deep.equal([]);
  });

  it('opens signed in with the link of the start, which works once', async () => {
    await gateway.register(EMAIL);
    const link = gateway.gateway.signInLink();
    const { page, offences } = kept(await openWatched(browser));
    await page.goto(link);
    await seeText(page, 'Live data');
    expect(page.url()).not.to.contain('/link/');
    expect(offences).to.deep.equal([]);

    const refused = (status: number, path: string) => status === 401 && path === '/auth/link';
    const other = kept(await openWatched(browser, {}, refused));
    await other.page.goto(link);
    await seeText(other.page, 'This link is used up');
    await seeHeading(other.page, 'Sign in');
    expect(other.offences).to.deep.equal([]);
  });

  it('shows account, mode, equity, commands and brakes, by keyboard too', async () => {
    await gateway.register(EMAIL);
    const { page, offences, goTo } = kept(await openDashboard(browser, gateway, { email: EMAIL }));
    await goTo('/settings');
    await seeText(page, 'PAPER');
    await seeText(page, '$100,000.00');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'commands');
    await page.keyboard.type('portf');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/portfolio$/);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/app\/settings$/);

    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await expectAccessible(page, 'stop menu');
    await page.getByRole('menuitem', { name: 'Pause new orders' }).click();
    await page.getByText('New orders paused').waitFor();
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Accept new orders again' }).click();
    await page.getByText('New orders paused').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Close everything' }).click();
    const hold = page.getByRole('button', { name: 'Hold to close all' });
    await expectAccessible(page, 'close everything');
    await hold.press('Enter');
    // A short press is none.
    const question = page.getByRole('dialog', { name: 'Close everything?' });
    expect(await question.count()).to.equal(1);
    await hold.focus();
    await page.keyboard.down('Enter');
    await page.getByText('New orders paused').waitFor();
    await page.keyboard.up('Enter');
    await question.waitFor({ state: 'detached' });
    expect(offences).to.deep.equal([]);
  });

  it('shows every part of its design in both themes without a fault', async () => {
    await gateway.register(EMAIL);
    const { page, offences, goTo } = kept(await openDashboard(browser, gateway, { email: EMAIL }));
    await goTo('/showcase');
    await seeHeading(page, 'Showcase');
    await seeText(page, 'No positions');
    await expectAccessible(page, 'showcase');
    for (const name of ['Dialog', 'Drawer', 'Confirm', 'Hold']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page, name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: '10,000 rows' }).click();
    const table = page.getByRole('table', { name: 'Sample positions' });
    await table.locator('[data-row="M00000"]').focus();
    await page.keyboard.press('End');
    await table.locator('[data-row="M09999"]').waitFor();
    expect(await table.locator('[data-row]').count()).to.be.lessThan(60);
    expect(offences).to.deep.equal([]);
  });

  it('says that the gateway is gone, and goes on by itself when it is back', async () => {
    const folder = await temporaryFolder();
    const first = await startTestGateway({ dataDir: folder });
    const { port } = first;
    await first.register(EMAIL);
    const gone = (status: number) => status === 0;
    const { page, offences, goTo } = kept(
      await openDashboard(browser, first, { email: EMAIL, isExpected: gone }),
    );
    await goTo('/settings');
    await seeText(page, 'Live data');
    await first.close();
    await seeText(page, 'Reconnecting');
    await seeText(page, /^Stale \d+ s$/);
    await expectAccessible(page, 'reconnecting');
    const second = await startTestGateway({ dataDir: folder, settings: { port } });
    try {
      await seeText(page, 'Live data');
      await page
        .getByText(/^Stale \d+ s$/)
        .first()
        .waitFor({ state: 'detached' });
      expect(offences.filter((offence) => !/WebSocket/.test(offence))).to.deep.equal([]);
    } finally {
      await tabs.pop()?.close();
      await second.close();
    }
  });

  it('asks to sign in again over the screen when the session is ended elsewhere', async () => {
    const { accessToken } = await gateway.register(EMAIL);
    const ended = (status: number) => status === 401;
    const { page, offences, goTo } = kept(
      await openDashboard(browser, gateway, { email: EMAIL, isExpected: ended }),
    );
    await goTo('/settings');
    await seeText(page, 'Live data');
    const authorization = `Bearer ${accessToken}`;
    const listed = await gateway.request('GET', '/auth/sessions', { headers: { authorization } });
    for (const { id, current } of listed.json.sessions)
      if (!current) await gateway.request('DELETE', `/auth/sessions/${id}`, { headers: { authorization } });
    const question = page.getByRole('dialog', { name: 'Your session has ended' });
    await question.waitFor();
    await expectAccessible(page, 'session ended');
    await fill(page, PASSWORD);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await seeText(page, 'Live data');
    expect(offences.filter((offence) => !/WebSocket/.test(offence))).to.deep.equal([]);
  });

  it('signs out in every tab at once', async () => {
    await gateway.register(EMAIL);
    const { page, offences, goTo } = kept(await openDashboard(browser, gateway, { email: EMAIL }));
    await goTo('/settings');
    await seeText(page, 'Live data');
    const other = await page.context().newPage();
    await other.goto(`${origin()}/app/settings`);
    await seeText(other, 'Live data');
    await page.getByRole('button', { name: 'User' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await seeHeading(page, 'Sign in');
    await seeHeading(other, 'Sign in');
    expect(offences).to.deep.equal([]);
  });
});
