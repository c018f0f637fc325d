/**
 * Real money, an agent and its user, at the emulated Hyperliquid: the consent page and the approval name the money, the venue
 * and the caps of the account, down to 320 px; an approved order is at the venue, and disarming takes back what waits.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hyperliquid } from '../../../gateway/venues/live/hyperliquid/connector.ts';
import { addressOf, toHex } from '../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { axeFindings } from '../../support/axe.ts';
import { launchChromium } from '../../support/browser.ts';
import {
  allowButton,
  type ConsentDesk,
  EMAIL,
  openConsentDesk,
  seeAgent,
  seeHeading,
  signIn,
  writeBox,
} from '../../support/consent-desk.ts';
import { type DashboardPage, expectAccessible, openDashboard } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import type { Json } from '../../support/json.ts';
import { machineClock, untilPage } from '../../support/page-time.ts';
import { usd } from '../../support/trader.ts';
import { until } from '../../support/until.ts';
import { type Emulator, startEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../../support/venues/shared/gateway-with-venue.ts';

const ALIAS = 'Savings';
const ORDER = { type: 'MARKET', legs: [usd('BTC', 'BUY', '60'), usd('ETH', 'SELL', '60')] };
const WIDTHS = [320, 400, 1280];
/** A folder for pictures of the pages, to look at; none are made without it. */
const SHOTS = process.env['TANDEM_SHOTS'];

describe('an agent and real money', function () {
  this.timeout(120_000);
  const [main, key] = [randomBytes(32), randomBytes(32)];
  const address = addressOf(main);
  let browser: Browser;
  let emulator: Emulator;
  let gateway: TestGateway;
  let consent: ConsentDesk;
  let tab: DashboardPage;
  let headers: Record<string, string>;
  let accountId: string;
  let token: string;

  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await gateway.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    return answer.json;
  };
  const arm = (grants: boolean) =>
    ask('PUT', `/trade-accounts/${accountId}/arming`, {
      ...{ alias: ALIAS, armed: true, perOrderUsd: '150', totalUsd: '400', allow: { grants } },
    });
  const asAgent = (order: object) =>
    gateway.request('POST', '/trade/open', {
      headers: { authorization: `Bearer ${token}`, 'x-trade-account-id': accountId },
      body: order,
    });
  async function waiting(order: object = ORDER): Promise<Json> {
    const asked = await asAgent(order);
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    return ask('GET', `/approvals/${asked.json.details.approvalId}`);
  }
  const fits = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
  async function shot(page: Page, name: string): Promise<void> {
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  }

  before(async function () {
    browser = await launchChromium(this);
    emulator = await startEmulator({ pulseMs: 200 });
    emulator.script.addAccount({ address, deposit: '10000' });
    emulator.script.addAgent(address, addressOf(key));
    gateway = await startGatewayWithVenue(null, hyperliquid, { hyperliquidUrl: emulator.url });
    headers = { authorization: `Bearer ${(await gateway.register(EMAIL)).accessToken}` };
    const credentials = { accountAddress: address, agentPrivateKey: toHex(key) };
    accountId = (
      await ask('POST', '/trade-accounts', { alias: ALIAS, connector: 'hyperliquid', credentials })
    ).id;
    await until(machineClock, 'the venue is up', async () => (await ask('GET', '/ready')).ready === true);
    consent = await openConsentDesk(browser, gateway);
    tab = await openDashboard(browser, gateway, { email: EMAIL });
  });
  after(async () => {
    await consent?.close();
    await browser?.close();
    await gateway?.close();
    await emulator?.close();
  });

  async function decide(): Promise<{
    readonly page: Page;
    readonly ask: Awaited<ReturnType<ConsentDesk['ask']>>;
  }> {
    const asked = await consent.ask();
    const { page } = await consent.browse();
    await page.goto(asked.address);
    await signIn(page);
    await seeHeading(page, /Test agent/);
    await writeBox(page).check();
    return { page, ask: asked };
  }

  it('the consent page: unticked, in words, with venue and caps; ticked it says REAL MONEY', async () => {
    const { page } = await decide();
    const row = page
      .getByRole('group', { name: 'On these accounts' })
      .locator('div')
      .filter({ hasText: ALIAS });
    // Play money has no place for it.
    await page.getByRole('list', { name: 'What this allows' }).getByRole('listitem').first().waitFor();
    expect(await row.isVisible()).to.equal(false);
    await page.getByRole('radio', { name: 'Small orders, asks before larger ones' }).check();
    const box = page.getByRole('checkbox', { name: new RegExp(ALIAS) });
    await box.waitFor();
    expect(await box.isChecked()).to.equal(false);
    expect(await row.innerText())
      .to.contain('REAL MONEY')
      .and.contain('At Hyperliquid; not armed for agents: until you arm it, they open nothing there.');
    await page.close();
  });

  it('armed for agents: the caps are named, and what is allowed is what stood there', async () => {
    await arm(true);
    const { page, ask: asked } = await decide();
    await page.getByRole('radio', { name: 'Small orders, asks before larger ones' }).check();
    const box = page.getByRole('checkbox', { name: new RegExp(ALIAS) });
    await box.check();
    const row = page
      .getByRole('group', { name: 'On these accounts' })
      .locator('div')
      .filter({ hasText: ALIAS });
    expect(await row.innerText()).to.contain(
      'At Hyperliquid; you armed it for orders of up to 150 USD, 400 USD in all.',
    );
    expect(await box.getAttribute('aria-describedby')).to.equal(`caps-${accountId}`);
    await page
      .getByRole('listitem')
      .filter({ hasText: `${ALIAS} (REAL MONEY)` })
      .waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page, colorScheme === 'light' ? 'everything' : 'colours')).to.deep.equal([]);
        await shot(page, `consent-${width}-${colorScheme}`);
      }
      expect(await fits(page), `${width} px`).to.equal(true);
    }
    const paperBox = page.getByRole('checkbox', { name: /^Paper/ });
    await paperBox.uncheck();
    await page
      .getByRole('listitem')
      .filter({ hasText: `It may trade on ${ALIAS} (REAL MONEY).` })
      .waitFor();
    await untilPage(page, 'Allow is armed', () => allowButton(page).isEnabled());
    await allowButton(page).click();
    await seeAgent(page, consent);
    token = (await consent.redeem(asked)).json.access_token;
    const [{ mandate, state }] = (await ask('GET', '/agents')).agents;
    expect([mandate.terms.accounts, state]).to.deep.equal([[accountId], 'ASKS']);
  });

  it('its first order asks, and the page says whose money, where, and what the account is armed for', async () => {
    const { page } = tab;
    // Its default at the venue is more than the preset allows.
    for (const symbol of ['BTC-PERP', 'ETH-PERP']) {
      await gateway.expect('PUT', '/leverage', {
        headers: { ...headers, 'x-trade-account-id': accountId },
        body: { symbol, leverage: 3, marginMode: 'cross' },
      });
    }
    const { id, reasons, account } = await waiting();
    expect(reasons).to.include('FIRST_LIVE');
    expect(account).to.deep.include({
      venue: 'Hyperliquid',
      caps: { opens: true, perOrderUsd: '150', totalUsd: '400' },
    });
    await tab.goTo(`/approvals/${id}`);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    const text = await page.locator('main').innerText();
    for (const words of [
      'LIVE',
      ALIAS,
      'Hyperliquid',
      'Armed for',
      'This is REAL MONEY',
      'first order with real money',
    ])
      expect(text).to.contain(words);
    expect(text).to.match(/orders of up to \$?150.* \$?400.* in all/);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, `an approval of real money at ${width} px`);
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await shot(page, `approval-${width}-${theme}`);
      }
      expect(await fits(page), `${width} px`).to.equal(true);
    }
    expect(emulator.script.traffic().counts['order'] ?? 0).to.equal(0);
    await untilPage(page, 'Approve is armed', () =>
      page.getByRole('button', { name: 'Approve' }).isEnabled(),
    );
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('You approved it, and it was placed.').waitFor();
    await untilPage(page, 'the venue holds it', () => emulator.script.state(address).positions.length === 2);
  });

  it('disarmed while it waits: the page says so, nothing is ordered', async () => {
    const { page } = tab;
    const { id } = await waiting({ ...ORDER, legs: [usd('SOL', 'BUY', '40')] });
    await tab.goTo(`/approvals/${id}`);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    await arm(false);
    await page.getByText('Its trade account is not armed for it any more. Nothing was ordered.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).to.equal(0);
    await expectAccessible(page, 'an approval that was withdrawn');
    expect(emulator.script.state(address).positions).to.have.length(2);
  });
});
