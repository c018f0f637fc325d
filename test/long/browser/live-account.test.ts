/** A real-money account on the screens: connected by its wallet, checked, armed, its first order, closed after a kill. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../support/browser.ts';
import { type DashboardPage, expectAccessible, openDashboard } from '../../support/dashboard.ts';
import { type GatewayClient, gatewayClient } from '../../support/gateway-client.ts';
import {
  buildGateway,
  errorRecords,
  type GatewayProcess,
  launchGateway,
} from '../../support/gateway-process.ts';
import { injectWallet, newWallet } from '../../support/injected-wallet.ts';
import { untilPage } from '../../support/page-time.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Emulator, startEmulator } from '../../support/venues/hyperliquid/emulator.ts';

const USER = 'ada@example.test';

describe('a live account on the screens', function () {
  this.timeout(180_000);
  const wallet = newWallet();
  const address = wallet.address.toLowerCase();
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let emulator: Emulator;
  let gateway: GatewayProcess;
  let client: GatewayClient;
  let port: number;
  let dataDir: string;
  let tab: DashboardPage;
  let page: Page;
  let willSign = true;

  async function start(again?: number): Promise<void> {
    gateway = launchGateway({
      dataDir,
      flags: ['--allow-file-vault'],
      env: { TANDEM_HYPERLIQUID_URL: emulator.url },
      ...(again === undefined ? {} : { port: again }),
    });
    const ready = await gateway.ready;
    port = ready.port;
    client = gatewayClient(ready.url);
  }

  before(async function () {
    browser = await launchChromium(this);
    buildGateway();
    dataDir = await temporaryFolder();
    emulator = await startEmulator({ pulseMs: 200 });
    emulator.script.addAccount({ address, deposit: '10000' });
    await start();
    await client.register(USER);
    tab = await openDashboard(browser, { port }, { email: USER });
    page = tab.page;
    await injectWallet(
      page,
      wallet,
      () => null,
      (data) => (willSign ? wallet.signTypedData(data) : null),
    );
  });
  after(async () => {
    await browser?.close();
    await gateway?.stop('SIGKILL');
    await emulator?.close();
  });

  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = () => page.getByRole('table', { name: 'Trade accounts' }).getByRole('row', { name: /LIVE/ });

  it('is connected by the wallet of the browser, with the keyboard alone; a refused signature connects nothing', async () => {
    await tab.goTo('/accounts');
    await button('Connect an exchange').focus();
    await page.keyboard.press('Enter');
    const connect = dialog('Connect an exchange');
    await connect.getByText('Real money').or(connect.getByText('Nothing here is real')).waitFor();
    await expectAccessible(page, 'connect an exchange');
    await connect.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    const terms = dialog('What the wallet is going to sign');
    await terms.getByText('May withdraw or transfer').waitFor();
    expect(await terms.innerText()).to.contain(wallet.address);
    await expectAccessible(page, 'what the wallet is going to sign');
    willSign = false;
    await terms.getByRole('button', { name: 'Sign in the wallet' }).press('Enter');
    await terms.getByText('The wallet did not sign. Nothing happened.').waitFor();
    expect(await row().count()).to.equal(0);
    willSign = true;
    await terms.getByRole('button', { name: 'Sign in the wallet' }).press('Enter');
    await terms.waitFor({ state: 'hidden' });
  });

  it('is armed with its caps by typing its name', async () => {
    const arm = dialog('Arm Hyperliquid');
    await arm.waitFor();
    // Proposed by the gateway, and read when the dialog opens.
    await untilPage(page, 'the caps', async () =>
      (await arm.getByLabel('Largest order, USD').inputValue()) === '100' ? true : null,
    );
    await arm.getByLabel(/^Type the account's name/).fill('Paper');
    await arm.getByLabel(/^Type the account's name/).press('Enter');
    await arm.getByText("Must be the account's alias, as it is shown").waitFor();
    await expectAccessible(page, 'arm an account');
    await arm.getByLabel(/^Type the account's name/).fill('Hyperliquid');
    await arm.getByLabel(/^Type the account's name/).press('Enter');
    await arm.waitFor({ state: 'hidden' });
    await row().waitFor();
    expect(await row().innerText()).to.contain('Hyperliquid');
  });

  it('is checked, step by step @long', async () => {
    await page.getByRole('button', { name: 'Actions for Hyperliquid' }).click();
    await page.getByRole('menuitem', { name: 'Check…' }).click();
    const check = dialog('Check of Hyperliquid');
    await check.getByText('Everything works.').waitFor({ timeout: 60_000 });
    expect(await check.getByRole('list', { name: 'Steps' }).innerText())
      .to.contain('rights')
      .and.contain('cannot withdraw');
    await expectAccessible(page, 'check of a live account');
    await check.getByRole('button', { name: 'Close' }).first().click();
  });

  it('says LIVE wherever it is chosen, and its first order waits for a summary that is confirmed once', async () => {
    await page.getByRole('button', { name: 'Actions for Hyperliquid' }).click();
    await page.getByRole('menuitem', { name: 'Show this account' }).click();
    await page.getByRole('banner').getByText('LIVE', { exact: true }).waitFor();
    await tab.goTo('/trade?long=BTC-PERP&short=ETH-PERP');
    const size = page.getByLabel(/^Notional/);
    await size.fill('60');
    await button('Review').click();
    const review = dialog('Review the order');
    const first = review.getByRole('region', { name: 'First live order of this account' });
    await first.getByText('first order with real money').waitFor();
    expect(await first.innerText()).to.contain('Lost at once at the worst price');
    expect(await review.getByRole('button', { name: 'Place order' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'the first live order');
    expect(emulator.script.traffic().counts['order'] ?? 0).to.equal(0);
    await first.getByRole('checkbox').check();
    await review.getByRole('button', { name: 'Place order' }).click();
    await untilPage(page, 'the venue holds it', async () =>
      emulator.script.state(address).positions.length === 2 ? true : null,
    );
    await review.waitFor({ state: 'hidden' });
    await tab.goTo('/trade?long=BTC-PERP&short=ETH-PERP');
    await page.getByLabel(/^Notional/).fill('30');
    await button('Review').click();
    await review.getByRole('row', { name: /BTC/ }).waitFor();
    expect(await first.count()).to.equal(0);
    await page.keyboard.press('Escape');
  });

  it('is there after the gateway was killed, and what it holds closes @long', async () => {
    const { signal } = await gateway.stop('SIGKILL');
    expect(signal).to.equal('SIGKILL');
    expect(errorRecords(gateway.errorLines)).to.deep.equal([]);
    await start(port);
    await tab.goTo('/positions');
    await page.getByRole('banner').getByText('LIVE', { exact: true }).waitFor();
    await untilPage(page, 'the venue is up', async () => {
      const answer = await client.request('GET', '/ready');
      return answer.status === 200 ? true : null;
    });
    const held = page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]');
    await held.filter({ hasText: 'ETH' }).first().waitFor();
    await held.getByRole('button', { name: 'Close BTC / ETH' }).click();
    const close = page.getByRole('dialog').last();
    await close.waitFor();
    await expectAccessible(page, 'close a live position');
    await close.getByRole('button', { name: 'Close position' }).click();
    await untilPage(page, 'the venue holds nothing', async () =>
      emulator.script.state(address).positions.length === 0 ? true : null,
    );
  });
});
