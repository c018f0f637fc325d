/**
 * Somebody who has never seen it, from the start of the program to a filled basket, a resting ladder, an agent that was
 * allowed and its end: by what the terminal and the screen say, and nothing else.
 */
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, openWatched } from '../../support/browser.ts';
import { type ConsentDesk, openConsentDesk } from '../../support/consent-desk.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { gatewayClient } from '../../support/gateway-client.ts';
import { type RunningTandem, startTandem } from '../../support/tandem-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EMAIL = 'new@example.test';
const PASSWORD = 'a password of mine';
const READY = /^Tandem is ready at (http:\S+)$/;

describe('a first day with the dashboard', function () {
  this.timeout(240_000);
  let browser: Browser;
  let running: RunningTandem;
  let url: string;
  let desk: ConsentDesk;

  before(async function () {
    browser = await launchChromium(this);
    // Its own build is fresh then, too; the venue's market is always the same.
    const venue = ['--paper-seed', '7', '--paper-profile', 'frictionless'];
    const folder = ['--data-dir', await temporaryFolder(), '--vault', 'file', '--log-level', 'warn'];
    running = startTandem(['start', '--port', '0', ...folder, ...venue]);
    url = READY.exec(await running.line((line) => READY.test(line)))?.[1] ?? '';
    desk = await openConsentDesk(browser, {
      ...gatewayClient(url),
      url,
      port: Number(new URL(url).port),
    });
  });
  after(async () => {
    await desk?.close();
    await running?.stop('SIGTERM');
    await browser?.close();
  });

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();
  const newestOrder = (page: Page) =>
    page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();

  it('needs nothing but the screen', async () => {
    const tab = await openWatched(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = tab;

    // The address that the terminal says.
    await page.goto(url);
    await heading(page, 'Create your user');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Create user');
    await heading(page, 'What the gateway needs');
    await press(page, 'Continue');
    await heading(page, 'Your account is funded');
    await page.getByText('$100,000.00').waitFor();
    await press(page, 'Show me the basket');

    // A basket at market.
    await page.getByRole('img', { name: /^Chart of BTC \/ ETH/ }).waitFor();
    await press(page, 'Review');
    const review = page.getByRole('dialog');
    await review.getByRole('button', { name: 'Place order' }).click();
    await newestOrder(page).getByText('Filled', { exact: true }).waitFor();

    // A ladder below where the ratio stands now.
    const ticket = page.getByRole('form', { name: 'Ticket' });
    await press(page, 'Use these values again');
    await ticket.getByRole('radio', { name: 'Ladder', exact: true }).click();
    const now = await ticket.getByText(/^Now/).first().innerText();
    const level = Number((/[\d.,]+/.exec(now.replace('Now', ''))?.[0] ?? '').replaceAll(',', ''));
    expect(level, now).to.be.greaterThan(1);
    await ticket.getByLabel('First rung').fill((level * 0.9).toFixed(2));
    await ticket.getByLabel('Last rung').fill((level * 0.8).toFixed(2));
    await press(page, 'Review');
    await review.getByRole('button', { name: 'Place ladder' }).click();
    await newestOrder(page).getByText('Resting', { exact: true }).waitFor();

    await goTo(page, 'Positions');
    await page.getByRole('table', { name: 'Open positions' }).getByText('BTC').first().waitFor();
    await goTo(page, 'Orders');
    await page.getByRole('tab', { name: /Ladders/ }).click();
    await page.getByRole('table', { name: 'Ladders' }).getByText('BTC').first().waitFor();

    // An agent is given the address that the screen says, and asks.
    await goTo(page, 'Agents');
    await page.getByText('No agent is connected').waitFor();
    const shown = await page.getByRole('main').getByText(url).first().innerText();
    expect(shown).to.equal(`${url}/mcp`);
    const ask = await desk.ask({ metadata: { client_name: 'Night watch' } });
    const consent = await page.context().newPage();
    await consent.goto(ask.address);
    await heading(consent, 'Sign in to your gateway');
    await consent.getByLabel('E-mail').fill(EMAIL);
    await consent.getByLabel('Password').fill(PASSWORD);
    await press(consent, 'Sign in');
    await heading(consent, /Night watch/);
    await consent.getByRole('checkbox', { name: 'Trade and change settings' }).check();
    await press(consent, 'Allow reading and trading');
    await consent.waitForURL((at) => at.host === desk.agent.host);
    const token: string = (await desk.redeem(ask)).json.access_token;
    await consent.close();

    // It trades; its user sees both.
    const asAgent = agentCalls(url, token);
    const account: string = (await asAgent('GET', '/trade-accounts')).json.tradeAccounts[0].id;
    const legs = [{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '500' }];
    const sent = await asAgent('POST', '/trade/open', { type: 'MARKET', legs }, account);
    expect(sent.status, sent.text).to.equal(202);
    await page.getByText('1 of 10 connected').waitFor();
    await page.getByRole('row', { name: /Night watch/ }).waitFor();
    await expectAccessible(page, 'an agent');
    await goTo(page, 'Positions');
    await page.getByRole('table', { name: 'Open positions' }).getByText('SOL').first().waitFor();

    // And ends it.
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'Revoke Night watch' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Night watch?' });
    await question.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No agent is connected').waitFor();
    expect((await asAgent('GET', '/trade-accounts')).status).to.equal(401);

    await tab.close();
    // The agent's own page has no icon.
    expect(tab.offences.filter((offence) => !offence.includes('favicon.ico'))).to.deep.equal([]);
  });
});

function agentCalls(url: string, token: string) {
  const { request } = gatewayClient(url);
  return (method: string, path: string, body?: unknown, account?: string) =>
    request(method, path, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(account === undefined ? {} : { 'x-trade-account-id': account }),
      },
      ...(body === undefined ? {} : { body }),
    });
}
