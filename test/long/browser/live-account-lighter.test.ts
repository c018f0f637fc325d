/** An account at Lighter on the screens: connected by the wallet of the browser, which signs the venue's text. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { lighter } from '../../../gateway/venues/live/lighter/connector.ts';
import { launchChromium } from '../../support/browser.ts';
import { type DashboardPage, expectAccessible, openDashboard } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import { untilPage } from '../../support/page-time.ts';
import { type Emulator, startEmulator } from '../../support/venues/lighter/emulator.ts';
import { startGatewayWithVenue } from '../../support/venues/shared/gateway-with-venue.ts';

const USER = 'ada@example.test';
const ACCOUNT = 21;

describe('an account at Lighter on the screens', function () {
  this.timeout(180_000);
  const wallet = newWallet();
  const signed: string[] = [];
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let emulator: Emulator;
  let gateway: TestGateway;
  let tab: DashboardPage;
  let page: Page;
  let willSign = true;

  before(async function () {
    browser = await launchChromium(this);
    emulator = await startEmulator({ pulseMs: 200 });
    emulator.script.addAccount({ index: ACCOUNT, l1Address: wallet.address, collateral: '10000' });
    gateway = await startGatewayWithVenue(null, lighter, { lighterUrl: emulator.url });
    await gateway.register(USER);
    tab = await openDashboard(browser, gateway, { email: USER });
    page = tab.page;
    await injectWallet(page, wallet, (text) => {
      if (!willSign) return null;
      signed.push(text);
      return wallet.signMessage({ message: text });
    });
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    await emulator?.close();
  });

  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const row = () => page.getByRole('table', { name: 'Trade accounts' }).getByRole('row', { name: /LIVE/ });
  const keys = () => emulator.script.state(ACCOUNT).keys;

  it('shows what the wallet is going to sign, with the keyboard alone, and registers nothing without a signature', async () => {
    await tab.goTo('/accounts');
    await page.getByRole('button', { name: 'Connect an exchange', exact: true }).press('Enter');
    const connect = dialog('Connect an exchange');
    await connect.getByText('Nothing here is real').waitFor();
    await connect.getByLabel('Name').press('Enter');
    const terms = dialog('What the wallet is going to sign');
    await terms.getByText('Public key').waitFor();
    expect(await terms.innerText())
      .to.contain(wallet.address.toLowerCase())
      .and.contain("only to the owner's own address");
    await expectAccessible(page, 'what the wallet is going to sign for Lighter');
    willSign = false;
    await terms.getByRole('button', { name: 'Sign in the wallet' }).press('Enter');
    await terms.getByText('The wallet did not sign. Nothing happened.').waitFor();
    expect(keys()).to.deep.equal([]);
    expect(await row().count()).to.equal(0);
  });

  it('is connected when the wallet has signed the text that was shown in words', async () => {
    const terms = dialog('What the wallet is going to sign');
    const shown = await terms.innerText();
    willSign = true;
    await terms.getByRole('button', { name: 'Sign in the wallet' }).press('Enter');
    await terms.waitFor({ state: 'hidden' });
    expect(signed).to.have.length(1);
    const [, publicKey = ''] = /^pubkey: 0x([0-9a-f]{80})$/m.exec(signed[0] ?? '') ?? [];
    expect(shown).to.contain(publicKey);
    expect(keys()).to.deep.equal([{ index: 4, publicKey, nextNonce: 1 }]);
    const arm = dialog('Arm Lighter');
    await arm.waitFor();
    await page.keyboard.press('Escape');
    await arm.waitFor({ state: 'hidden' });
    await row().waitFor();
    expect(await row().innerText()).to.contain('Lighter');
    await untilPage(
      page,
      'the account is ready',
      async () => (await row().innerText()).includes('Ready') || null,
    );
  });
});
