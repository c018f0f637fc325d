/** Signing in on the consent page with a wallet, as far as the browser has one. */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser.ts';
import {
  AGENT_NAME,
  allowButton,
  type ConsentDesk,
  openConsentDesk,
  seeAgent,
  seeHeading,
} from '../support/consent-desk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { injectWallet, newWallet } from '../support/injected-wallet.ts';

describe('the consent page with a wallet', function () {
  this.timeout(60_000);
  let browser: Browser;
  let gateway: TestGateway;
  let desk: ConsentDesk;
  const account = newWallet();

  before(async function () {
    browser = await launchChromium(this);
    gateway = await startTestGateway({ clock: null });
    desk = await openConsentDesk(browser, gateway);
  });
  afterEach(() => desk?.closePages());
  after(async () => {
    await desk?.close();
    await gateway?.close();
    await browser?.close();
  });

  const walletButton = (page: Page) => page.getByRole('button', { name: 'Sign in with your wallet' });

  it('offers none to a browser without one @long', async () => {
    const { page } = await desk.browse();
    await page.goto((await desk.ask()).address);
    await seeHeading(page, 'Sign in to your gateway');
    expect(await walletButton(page).count()).to.equal(0);
  });

  it('signs in with a signature over a text for the host of the page', async () => {
    const { page } = await desk.browse();
    const signed: string[] = [];
    await injectWallet(page, account, (message) => {
      signed.push(message);
      return account.signMessage({ message });
    });
    const ask = await desk.ask();
    await page.goto(ask.address);
    await walletButton(page).click();
    await seeHeading(page, new RegExp(AGENT_NAME));
    expect(signed).to.have.length(1);
    expect(signed[0]).to.contain(`tandem.localhost:${gateway.port} wants you to sign in`);
    expect(await page.locator('main').innerText()).to.contain(account.address);
    await allowButton(page).click();
    await seeAgent(page, desk);
    expect((await desk.redeem(ask)).status).to.equal(200);
  });

  it('says so when the wallet does not sign @long', async () => {
    const { page } = await desk.browse();
    await injectWallet(page, account, () => null);
    await page.goto((await desk.ask()).address);
    await walletButton(page).click();
    await page.getByText('The wallet did not sign. Nothing happened.').waitFor();
    expect(await walletButton(page).isEnabled()).to.equal(true);
  });

  it('says so when another key signed @long', async () => {
    const { page } = await desk.browse({}, (status, path) => status === 401 && path.endsWith('/login'));
    const other = newWallet();
    await injectWallet(page, account, (message) => other.signMessage({ message }));
    await page.goto((await desk.ask()).address);
    await walletButton(page).click();
    await page.getByText('The gateway refused this wallet: Invalid or expired wallet signature.').waitFor();
  });
});
