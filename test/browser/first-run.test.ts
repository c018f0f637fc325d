/** The first minute at a new gateway: a user, the checks, a funded account, a basket that is filled in. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumForSuite, openWatched, type WatchedPage } from '../support/browser.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { injectWallet, newWallet } from '../support/injected-wallet.ts';

const EMAIL = 'ada@example.test';
/** Whatever a script of the page could read: nothing of a session may be in it. */
const READABLE =
  'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])';

describe('the first run', function () {
  this.timeout(90_000);
  const browser = chromiumForSuite();
  let gateway: TestGateway;
  let tab: WatchedPage;

  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const fill = async (page: Page, password: string) => {
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(password);
  };

  beforeEach(async () => {
    gateway = await startTestGateway({ clock: null, settings: { registration: 'first' } });
    tab = await openWatched(browser, { viewport: { width: 1280, height: 800 } });
  });
  afterEach(async () => {
    await tab.close();
    await gateway.close();
    expect(tab.offences).to.deep.equal([]);
  });

  it('leads from nothing to a basket that is filled in', async () => {
    const { page } = tab;
    // Another name of this machine leads to the one whose cookies stay here.
    await page.goto(`${gateway.url}/`);
    expect(new URL(page.url()).origin).to.equal(`http://tandem.localhost:${gateway.port}`);
    await heading(page, 'Create your user');
    await expectAccessible(page, 'user');

    await fill(page, 'short');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('At least 10 characters', { exact: true }).nth(1).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).to.equal(EMAIL);
    await expectAccessibleWhenLong(page, 'user, refused');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();

    await heading(page, 'What the gateway needs');
    await page.getByText('Store of venue credentials').waitFor();
    await expectAccessibleWhenLong(page, 'checks');
    // A reload goes on where it was.
    await page.reload();
    await heading(page, 'What the gateway needs');
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading(page, 'Your account is funded');
    await page.getByText('$100,000.00').waitFor();
    await expectAccessible(page, 'basket');
    await page.getByRole('button', { name: 'Show me the basket' }).click();
    await page.getByRole('list', { name: 'Long legs' }).getByText('BTC', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Short legs' }).getByText('ETH', { exact: true }).waitFor();
    await page.getByText('Live data').waitFor();
    expect(await page.evaluate(READABLE)).not.to.match(/tandem_session|eyJ|refresh/);
  });

  it('can be skipped, and does not come back @long', async () => {
    const { page } = tab;
    await page.goto(`${gateway.url}/`);
    await fill(page, PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByText('Live data').waitFor();
    await page.reload();
    await page.getByText('Live data').waitFor();
  });

  it('takes a wallet for a user, and goes on with the checks @long', async () => {
    const { page } = tab;
    const wallet = newWallet();
    await injectWallet(page, wallet, (message) => wallet.signMessage({ message }));
    await page.goto(`${gateway.url}/`);
    await page.getByRole('button', { name: 'Sign in with your wallet' }).click();
    await heading(page, 'What the gateway needs');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('$100,000.00').waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'User' }).click();
    await page.getByText(wallet.address).waitFor();
  });
});
