/** A person new to it connects an account of a test network: by keyboard alone, in a few steps, each with a name. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { hyperliquid } from '../../../gateway/venues/live/hyperliquid/connector.ts';
import { launchChromium } from '../../support/browser.ts';
import { type DashboardPage, expectAccessible, openDashboard } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { type Emulator, startEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../../support/venues/shared/gateway-with-venue.ts';

const USER = 'ada@example.test';
/** Presses that do something, besides those in the wallet. */
const MOST_PRESSES = 6;
const MOST_TABS = 60;

describe('connecting an account of a test network', function () {
  this.timeout(120_000);
  const wallet = newWallet();
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let emulator: Emulator;
  let gateway: TestGateway;
  let tab: DashboardPage;
  let page: Page;
  let accessToken = '';

  before(async function () {
    browser = await launchChromium(this);
    emulator = await startEmulator({ pulseMs: 200, network: 'testnet' });
    emulator.script.addAccount({ address: wallet.address.toLowerCase(), deposit: '10000' });
    gateway = await startGatewayWithVenue(null, hyperliquid, { hyperliquidTestnetUrl: emulator.url });
    ({ accessToken } = await gateway.register(USER));
    tab = await openDashboard(browser, gateway, { email: USER });
    page = tab.page;
    await injectWallet(
      page,
      wallet,
      () => null,
      (data) => wallet.signTypedData(data),
    );
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    await emulator?.close();
  });

  let presses = 0;
  const inFocus = (target: Locator) => target.and(page.locator(':focus')).count();

  /** Goes to what has this role and name, by Tab alone, as a screen reader finds it. */
  async function reach(target: Locator): Promise<void> {
    await target.first().waitFor();
    for (let tabs = 0; (await inFocus(target)) === 0; tabs += 1) {
      if (tabs > MOST_TABS) throw new Error(`not reached by Tab: ${target}`);
      await page.keyboard.press('Tab');
    }
  }
  async function press(target: Locator): Promise<void> {
    await reach(target);
    presses += 1;
    await page.keyboard.press('Enter');
  }

  it('takes the keyboard alone and six presses at most besides the wallet', async () => {
    await tab.goTo('/accounts');
    await press(page.getByRole('button', { name: 'Connect an exchange', exact: true }));
    const connect = page.getByRole('dialog', { name: 'Connect an exchange' });
    await press(connect.getByRole('combobox', { name: 'Exchange' }));
    const testnet = page.getByRole('option', { name: /testnet/i });
    await testnet.waitFor();
    for (let steps = 0; (await inFocus(testnet)) === 0 && steps < 10; steps += 1)
      await page.keyboard.press('ArrowDown');
    presses += 1;
    await page.keyboard.press('Enter');
    await connect.getByText('TESTNET', { exact: true }).waitFor();
    await expectAccessible(page, 'connecting a test network');
    await press(connect.getByRole('button', { name: 'Continue' }));
    const terms = page.getByRole('dialog', { name: 'What the wallet is going to sign' });
    await terms.getByText('TESTNET', { exact: true }).waitFor();
    await expectAccessible(page, 'what the wallet is going to sign');
    await press(terms.getByRole('button', { name: 'Sign in the wallet' }));
    await terms.waitFor({ state: 'hidden' });

    const headers = { authorization: `Bearer ${accessToken}` };
    const made = await untilPage(page, 'the account is connected', async () => {
      const { tradeAccounts } = (await gateway.request('GET', '/trade-accounts', { headers })).json;
      return tradeAccounts.find(({ mode }: Json) => mode === 'LIVE') ?? null;
    });
    expect(made).to.include({ connector: 'hyperliquid-testnet', network: 'testnet' });
    expect(presses).to.be.at.most(MOST_PRESSES);
    // The next step is offered at once, and is as plain about what it is.
    const arm = page.getByRole('dialog', { name: /^Arm / });
    await arm.getByText('TESTNET', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const row = page.getByRole('table', { name: 'Trade accounts' }).getByRole('row', { name: /TESTNET/ });
    await row.waitFor();
    expect(await row.innerText()).not.to.contain('LIVE');
  });

  it('does not show it before it is chosen', async () => {
    await page.getByRole('banner').getByText('PAPER', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('banner').getByText('PAPER', { exact: true }).waitFor();
  });
});
