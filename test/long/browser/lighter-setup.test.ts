/** Withdrawing, the tier and tokens of an account at Lighter on the screens: what is said before, and who is asked. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { lighter } from '../../../gateway/venues/live/lighter/connector.ts';
import { paper } from '../../../gateway/venues/paper/connector.ts';
import { launchChromium } from '../../support/browser.ts';
import { type DashboardPage, expectAccessible, openDashboard } from '../../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { PASSWORD } from '../../support/gateway-client.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import { untilPage } from '../../support/page-time.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Emulator, startEmulator } from '../../support/venues/lighter/emulator.ts';
import { makeKey } from '../../support/venues/lighter/trader.ts';

const USER = 'ada@example.test';
const ACCOUNT = 21;
const KEY_INDEX = 7;
const PHONE = { width: 400, height: 800 };
const DESK = { width: 1280, height: 800 };

describe('setting up an account at Lighter on the screens', function () {
  this.timeout(180_000);
  const wallet = newWallet();
  const key = makeKey('screens');
  const signed: string[] = [];
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let emulator: Emulator;
  let gateway: TestGateway;
  let tab: DashboardPage;
  let page: Page;
  let willSign = true;
  /** Account that signs in the wallet. */
  let signer = wallet;

  before(async function () {
    browser = await launchChromium(this);
    emulator = await startEmulator({ pulseMs: 200 });
    emulator.script.addAccount({
      ...{ index: ACCOUNT, l1Address: wallet.address, collateral: '10000' },
      keys: { [KEY_INDEX]: key.publicKey },
    });
    gateway = await startTestGateway({
      clock: null,
      dataDir: await temporaryFolder(),
      settings: { allowFileVault: true, live: true, lighterUrl: emulator.url, lighterPerMinute: 100_000 },
      overrides: { venues: [paper, lighter] as never },
    });
    const { accessToken } = await gateway.register(USER);
    const credentials = { accountIndex: ACCOUNT, apiKeyIndex: KEY_INDEX, apiPrivateKey: key.privateKey };
    const made = await gateway.request('POST', '/trade-accounts', {
      headers: { authorization: `Bearer ${accessToken}` },
      body: { alias: 'Main', connector: 'lighter', credentials },
    });
    expect(made.status, made.text).to.equal(201);
    const isExpected = (status: number, path: string) =>
      (path.startsWith('/misc/exchange/') && (status === 400 || status === 409)) ||
      (path === '/auth/login' && status === 401);
    tab = await openDashboard(browser, gateway, { email: USER, isExpected });
    page = tab.page;
    await injectWallet(page, wallet, (text) => {
      if (!willSign) return null;
      signed.push(text);
      return signer.signMessage({ message: text });
    });
    await tab.goTo('/accounts');
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    await emulator?.close();
  });

  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const state = () => emulator.script.state(ACCOUNT);
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Main' }).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  const fitsPhone = async (what: string) => {
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what).to.equal(true);
    const box = await page.getByRole('dialog').boundingBox();
    expect(Math.round(box?.width ?? 0), what).to.be.at.most(PHONE.width);
    await page.setViewportSize(DESK);
  };

  it('offers it for accounts of venues that do it, and not for paper accounts', async () => {
    await page.getByRole('button', { name: 'Actions for Paper' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    for (const item of ['Withdraw…', 'Account tier…', 'Token for the venue…'])
      expect(await page.getByRole('menuitem', { name: item }).count()).to.equal(0);
    await page.keyboard.press('Escape');
  });

  it('withdraws by the keyboard what the wallet has signed, to the address that was shown', async () => {
    await open('Withdraw…');
    const form = dialog('Withdraw from Main');
    await form.getByText("Nothing moves before the owner's wallet has signed").waitFor();
    await expectAccessible(page, 'withdrawing from Lighter');
    await fitsPhone('withdrawing from Lighter');
    await form.getByLabel('Amount, USDC').fill('20000');
    await form.getByLabel('Amount, USDC').press('Enter');
    await form.getByText('at most at the moment').waitFor();
    await form.getByLabel('Amount, USDC').fill('250');
    await form.getByLabel('Amount, USDC').press('Enter');
    const terms = dialog('What the wallet is going to sign');
    await terms.getByText('250 USDC', { exact: true }).waitFor();
    expect((await terms.innerText()).toLowerCase())
      .to.contain(wallet.address.toLowerCase())
      .and.contain('3 usdc');
    await expectAccessible(page, 'what the wallet signs for a withdrawal');
    await fitsPhone('what the wallet signs for a withdrawal');
    willSign = false;
    await terms.getByRole('button', { name: 'Sign and withdraw' }).press('Enter');
    await terms.getByText('The wallet did not sign. Nothing happened.').waitFor();
    expect(state()).to.include({ collateral: '10000', withdrawals: '0' });
    willSign = true;
    signer = newWallet();
    await terms.getByRole('button', { name: 'Sign and withdraw' }).press('Enter');
    await terms.getByText("not the signature of the account's owner").waitFor();
    expect(state()).to.include({ collateral: '10000', withdrawals: '0' });
    signer = wallet;
    await terms.getByRole('button', { name: 'Sign and withdraw' }).press('Enter');
    await terms.waitFor({ state: 'hidden' });
    expect(state()).to.include({ collateral: '9747', withdrawals: '250' });
    expect(signed.at(-1)).to.match(/^Transfer\n/);
  });

  it('asks for the password again once signing in is long ago, and asks the venue nothing without it', async () => {
    await page.clock.install();
    await tab.goTo('/accounts');
    await page.clock.fastForward(6 * 60_000);
    await open('Withdraw…');
    const form = dialog('Withdraw from Main');
    await form.getByLabel('Amount, USDC').fill('10');
    emulator.script.clearTraffic();
    await form.getByRole('button', { name: 'Continue' }).press('Enter');
    await form.getByText('Type your password').waitFor();
    await form.getByLabel('Your password again').fill('not the password');
    await form.getByLabel('Your password again').press('Enter');
    await form.getByText('This is not the password of the signed-in user').waitFor();
    await expectAccessible(page, 'the password again');
    expect(emulator.script.traffic().counts['fastwithdraw/info'] ?? 0).to.equal(0);
    await form.getByLabel('Your password again').fill(PASSWORD);
    await form.getByLabel('Your password again').press('Enter');
    const terms = dialog('What the wallet is going to sign');
    await terms.getByText('10 USDC', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await terms.waitFor({ state: 'hidden' });
    expect(state()).to.include({ withdrawals: '250' });
  });

  it('says the rule of the tiers before it asks, and the venue’s reason where it cannot be changed @long', async () => {
    emulator.script.tradeElsewhere(ACCOUNT, 'SOL', 'buy', '1', '200');
    await tab.goTo('/accounts');
    await open('Account tier…');
    const form = dialog('Tier of Main');
    await form
      .getByText('once in 24 hours, and only while it holds no positions and no open orders')
      .waitFor();
    await expectAccessible(page, 'the tier of an account at Lighter');
    await fitsPhone('the tier of an account at Lighter');
    await form.getByLabel(/^Plus/).press('Space');
    const password = form.getByLabel('Your password again');
    if ((await password.count()) > 0) await password.fill(PASSWORD);
    await form.getByRole('button', { name: 'Change the tier' }).press('Enter');
    await form.getByText('without positions only').waitFor();
    expect(state().tier).to.equal('standard');
    emulator.script.tradeElsewhere(ACCOUNT, 'SOL', 'sell', '1', '200');
    if ((await password.count()) > 0) await password.fill(PASSWORD);
    await form.getByRole('button', { name: 'Change the tier' }).press('Enter');
    await form.waitFor({ state: 'hidden' });
    expect(state().tier).to.equal('plus');
  });

  it('makes a token that reads the account at the venue, and shows it once @long', async () => {
    await open('Token for the venue…');
    const form = dialog('Token for Main at the venue');
    await form.getByText('Anybody with the token can read this account').waitFor();
    await expectAccessible(page, 'a token for Lighter');
    await fitsPhone('a token for Lighter');
    const password = form.getByLabel('Your password again');
    if ((await password.count()) > 0) await password.fill(PASSWORD);
    await form.getByRole('button', { name: 'Make a token' }).press('Enter');
    const token = await untilPage(page, 'the token is shown', async () => {
      const box = page.getByRole('textbox', { name: 'Token' });
      return (await box.count()) > 0 ? box.inputValue() : null;
    });
    await expectAccessible(page, 'a token for Lighter that was made');
    const query = new URLSearchParams({ account_index: String(ACCOUNT), auth: token });
    const told = await fetch(`${emulator.url}/api/v1/accountLimits?${query}`);
    expect(told.status, await told.text()).to.equal(200);
    await page.getByRole('button', { name: 'Close' }).last().press('Enter');
    await page.getByRole('textbox', { name: 'Token' }).waitFor({ state: 'detached' });
  });

  it('does nothing on the way that a browser complains of', () => {
    expect(tab.offences).to.deep.equal([]);
  });
});
