/** An agent from its first request to its last: it asks, is allowed, trades, is seen, is revoked, is refused. */
import { expect } from 'chai';
import {
  AGENT_NAME,
  allowButton,
  type ConsentDesk,
  openConsentDesk,
  seeAgent,
  signIn,
  writeBox,
} from '../support/consent-desk.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { holdAnswers } from '../support/dashboard-states.ts';
import { dashboardSuite, USER } from '../support/dashboard-suite.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { PAIR } from '../support/trader.ts';

describe('agents on the screen', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();
  let desk: ConsentDesk;

  before(async () => {
    desk = await openConsentDesk(suite.browser, suite.gateway);
  });
  after(() => desk?.close());

  /** Without a browser. @returns the agent's access token */
  async function connect(name: string, scopes: readonly string[]): Promise<string> {
    const client = oauthClient(suite.gateway);
    const clientId = await client.register({ client_name: name });
    const code = await client.authorize(consentVisitor(suite.gateway), scopes, { clientId });
    const token = await client.redeem(code);
    return token.json.access_token;
  }

  const asAgent = (token: string, method: string, path: string, body?: unknown) =>
    suite.gateway.request(method, path, {
      headers: { authorization: `Bearer ${token}`, 'x-trade-account-id': suite.accountId },
      ...(body === undefined ? {} : { body }),
    });

  it('can stop agents that cannot be read @long', async () => {
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 500 && (path === '/oauth2/grants' || path === '/agents'),
    });
    const broken = { message: 'Not read', errorCode: 'DATABASE_ERROR', details: {} };
    const isRead = (url: URL) => ['/oauth2/grants', '/agents'].includes(url.pathname);
    await page.route(isRead, (route) => route.fulfill({ status: 500, json: broken }));
    await page.goto(page.url().replace('/settings', '/agents'));
    await page.getByText('500 DATABASE_ERROR').first().waitFor();
    await page.getByRole('button', { name: 'Pause all agents…' }).waitFor();
    await page.getByRole('button', { name: 'Revoke all…' }).click();
    await page.getByRole('dialog', { name: 'Revoke all agents?' }).waitFor();
  });

  it('says how to connect the first one @long', async () => {
    const { page } = await suite.open('/agents');
    await page.getByText('No agent is connected').waitFor();
    await page.getByText('0 of 10 connected').waitFor();
    // The endpoint, from which alone an agent's host finds everything: at the gateway's bare address there is none.
    const address = await page.locator('main code').innerText();
    expect(address).to.equal(`http://127.0.0.1:${suite.gateway.port}/mcp`);
    expect((await fetch(address, { method: 'POST' })).headers.get('www-authenticate')).to.contain('mcp');
    expect(await page.getByRole('button', { name: 'Revoke all' }).count()).to.equal(0);
    await expectAccessibleWhenLong(page, 'no agent');
  });

  it('shows one that was allowed, what it did, and ends it, by keyboard alone', async () => {
    const { page } = await suite.open('/agents');
    await page.getByText('No agent is connected').waitFor();
    const ask = await desk.ask();
    const consent = await desk.browse();
    await consent.page.goto(ask.address);
    await signIn(consent.page, USER);
    await writeBox(consent.page).check();
    await allowButton(consent.page).click();
    await seeAgent(consent.page, desk);
    const token = (await desk.redeem(ask)).json.access_token;
    const opened = await asAgent(token, 'POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    expect(opened.status, opened.text).to.equal(202);

    // It appears by itself.
    await page.getByText('1 of 10 connected').waitFor();
    const row = page.getByRole('row', { name: new RegExp(AGENT_NAME) });
    await row.filter({ hasText: 'unverified' }).filter({ hasText: 'Reads and trades' }).waitFor();
    await row.getByRole('button', { name: 'Details' }).focus();
    await page.keyboard.press('Enter');
    const lines = page.getByRole('list', { name: `Activity of ${AGENT_NAME}` }).getByRole('listitem');
    await lines.first().waitFor();
    expect(
      (await lines.allInnerTexts()).map((line) => /Connected|Limits set|Allowed/.exec(line)?.[0]),
    ).to.deep.equal(['Connected', 'Limits set', 'Allowed']);
    await page.getByText(ask.clientId).waitFor();
    await page.getByText('mcp:read mcp:write').waitFor();
    await expectAccessible(page, 'an agent with its activity');

    const revoke = page.getByRole('button', { name: `Revoke ${AGENT_NAME}` });
    await revoke.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Revoke ${AGENT_NAME}?` });
    await dialog.waitFor();
    // Positions that the agent opened stay, and the dialog names their worth.
    await dialog.getByText(/^It leaves 1 position open\. .+ is worth [\d,.]+\u00a0USD\.$/).waitFor();
    await expectAccessibleWhenLong(page, 'revoke?');
    // The way back has the focus: Enter without reading changes nothing.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await asAgent(token, 'GET', '/trade-accounts')).status).to.equal(200);
    // Reading of the agent's pending orders is still in progress: revoking does not wait for it.
    const answer = await holdAnswers(page, /\/waiting$/);
    await revoke.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Back' }).press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('No agent is connected').waitFor();
    answer();
    const refused = await asAgent(token, 'GET', '/trade-accounts');
    expect(refused.status).to.equal(401);
    expect(refused.json.message).to.equal('Token has been revoked');
  });

  it('keeps the question open when the gateway cannot say yes @long', async () => {
    const token = await connect('Stubborn', ['mcp:read']);
    const { page } = await suite.open('/agents', {
      isExpected: (status, path) => status === 500 && path.startsWith('/oauth2/grants/'),
    });
    await page.route('**/oauth2/grants/*', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req-42' },
        json: {
          message: 'Not saved',
          errorCode: 'DATABASE_ERROR',
          details: {},
          timestamp: '2026-01-31T12:00:00.000Z',
        },
      }),
    );
    await page.getByRole('button', { name: 'Revoke Stubborn' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke Stubborn?' });
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.innerText())
      .to.contain('500 DATABASE_ERROR')
      .and.contain('req-42');
    await expectAccessible(page, 'not revoked');
    await page.unroute('**/oauth2/grants/*');
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await asAgent(token, 'GET', '/trade-accounts')).status).to.equal(401);
  });

  it('ends all of them at once @long', async () => {
    const tokens = [await connect('One', ['mcp:read']), await connect('Two', ['mcp:read', 'mcp:write'])];
    const { page } = await suite.open('/agents');
    await page.getByText('2 of 10 connected').waitFor();
    await page.getByRole('row', { name: /One.*Reads only/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke all 2 agents?' });
    await dialog.waitFor();
    await expectAccessible(page, 'revoke all?');
    await dialog.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('No agent is connected').waitFor();
    for (const token of tokens) expect((await asAgent(token, 'GET', '/trade-accounts')).status).to.equal(401);
  });
});
