/** Signing in on the consent page with a wallet, as far as the browser has one. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AGENT_NAME, allowButton, seeAgent, seeHeading } from '../support/consent-desk.ts';
import { consentSuite } from '../support/consent-suite.ts';
import { injectWallet, newWallet } from '../support/injected-wallet.ts';

describe('the consent page with a wallet', function () {
  this.timeout(60_000);
  const suite = consentSuite({ isRegistered: false });
  const account = newWallet();

  const walletButton = (page: Page) => page.getByRole('button', { name: 'Sign in with your wallet' });

  it('offers none to a browser without one @long', async () => {
    const { page } = await suite.open();
    await seeHeading(page, 'Sign in to your gateway');
    expect(await walletButton(page).count()).to.equal(0);
  });

  it('signs in with a signature over a text for the host of the page', async () => {
    const { page } = await suite.desk.browse();
    const signed: string[] = [];
    await injectWallet(page, account, (message) => {
      signed.push(message);
      return account.signMessage({ message });
    });
    const ask = await suite.desk.ask();
    await page.goto(ask.address);
    await walletButton(page).click();
    await seeHeading(page, new RegExp(AGENT_NAME));
    expect(signed).to.have.length(1);
    expect(signed[0]).to.contain(`tandem.localhost:${suite.gateway.port} wants you to sign in`);
    expect(await page.locator('main').innerText()).to.contain(account.address);
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).status).to.equal(200);
  });

  it('says so when the wallet does not sign @long', async () => {
    const { page } = await suite.desk.browse();
    await injectWallet(page, account, () => null);
    await page.goto((await suite.desk.ask()).address);
    await walletButton(page).click();
    await page.getByText('The wallet did not sign. Nothing happened.').waitFor();
    expect(await walletButton(page).isEnabled()).to.equal(true);
  });

  it('says so when another key signed @long', async () => {
    const { page } = await suite.desk.browse({}, (status, path) => status === 401 && path.endsWith('/login'));
    const other = newWallet();
    await injectWallet(page, account, (message) => other.signMessage({ message }));
    await page.goto((await suite.desk.ask()).address);
    await walletButton(page).click();
    await page.getByText('The gateway refused this wallet: Invalid or expired wallet signature.').waitFor();
  });
});
