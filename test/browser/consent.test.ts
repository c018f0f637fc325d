/** The consent page in a real browser, from the agent's link to the agent's callback. */
import { expect } from 'chai';
import { systemClock } from '../../gateway/system/clock.ts';
import {
  AGENT_NAME,
  allowButton,
  denyButton,
  EMAIL,
  seeAgent,
  seeHeading,
  signIn,
  writeBox,
} from '../support/consent-desk.ts';
import { consentSuite } from '../support/consent-suite.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { PAIR } from '../support/trader.ts';

describe('the consent page', function () {
  this.timeout(60_000);
  const suite = consentSuite();

  it('leads from the link of an agent to a token that reads and writes', async () => {
    const { page } = await suite.desk.browse();
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    const ask = await suite.desk.ask();
    await page.goto(ask.address);
    expect(new URL(page.url()).origin).to.equal(suite.desk.origin);
    await page.locator('main').filter({ hasText: AGENT_NAME }).waitFor();
    expect(await page.locator('main').innerText())
      .to.contain(AGENT_NAME)
      .and.contain('unverified');
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
    const said = await page.locator('main').innerText();
    for (const part of [
      'unverified',
      EMAIL,
      suite.desk.agent.host,
      'a program on this computer',
      ask.clientId,
      'decrypted',
    ])
      expect(said).to.contain(part);
    await writeBox(page).check();
    await page.getByRole('button', { name: 'Allow reading and trading' }).click();
    await seeAgent(page, suite.desk);

    const callback = suite.desk.agent.visits.at(-1);
    expect([...(callback?.keys() ?? [])].sort()).to.deep.equal(['code', 'state']);
    expect(callback?.get('state')).to.equal('a state');
    const token = await suite.desk.redeem(ask);
    expect(token.status, token.text).to.equal(200);
    expect(token.json.scope).to.equal('mcp:read mcp:write');
    const headers = { authorization: `Bearer ${token.json.access_token}` };
    const accounts = await suite.gateway.request('GET', '/trade-accounts', { headers });
    expect(accounts.status).to.equal(200);
    const [{ id }] = accounts.json.tradeAccounts;
    const opened = await suite.gateway.request('POST', '/trade/open', {
      headers: { ...headers, 'x-trade-account-id': id },
      body: { type: 'MARKET', legs: PAIR },
    });
    expect(opened.status, opened.text).to.equal(202);
    // Accounts are a right of their own, which nobody ticked.
    const body = { alias: 'By the agent', connector: 'paper' };
    expect((await suite.gateway.request('POST', '/trade-accounts', { headers, body })).status).to.equal(403);
    // The page's address is the uid and nothing else, at every step.
    for (const address of visited.filter((url) => url.startsWith(suite.desk.origin)))
      expect(address).to.match(/\/consent\/[^/?#]+$/);
    // Going back does not lead to a request that is over.
    await page.goBack();
    expect(page.url()).to.equal('about:blank');
  });

  it('asks for writing with an unticked box; left so, the grant only reads @long', async () => {
    const { page, ask } = await suite.openSignedIn();
    expect(await writeBox(page).isChecked()).to.equal(false);
    await page.getByRole('button', { name: 'Allow reading', exact: true }).click();
    await seeAgent(page, suite.desk);
    const token = await suite.desk.redeem(ask);
    expect(token.json.scope).to.equal('mcp:read');
    const refused = await suite.gateway.request('POST', '/trade-accounts', {
      headers: { authorization: `Bearer ${token.json.access_token}` },
      body: { alias: 'No', connector: 'paper' },
    });
    expect(refused.status).to.equal(403);
  });

  it('offers no box for writing to an agent that did not ask, and says what every agent can do @long', async () => {
    const { page, ask } = await suite.openSignedIn({ scopes: [] });
    expect(await writeBox(page).count()).to.equal(0);
    expect(await page.locator('main').innerText()).to.contain('every connected agent can do it');
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).json.scope).to.equal('');
  });

  it('tells the agent that the user denied', async () => {
    const { page } = await suite.openSignedIn();
    await denyButton(page).click();
    await seeAgent(page, suite.desk);
    const callback = suite.desk.agent.visits.at(-1);
    expect(callback?.get('error')).to.equal('access_denied');
    expect(callback?.get('state')).to.equal('a state');
    expect(callback?.has('code')).to.equal(false);
  });

  it('says that nothing was allowed to somebody who denies without signing in @long', async () => {
    const { page } = await suite.desk.browse({}, (status, path) => status === 401 && path.endsWith('/abort'));
    const visitsBefore = suite.desk.agent.visits.length;
    await page.goto((await suite.desk.ask()).address);
    await page.getByRole('button', { name: 'Deny without signing in' }).click();
    await seeHeading(page, 'Nothing was allowed');
    expect(suite.desk.agent.visits).to.have.length(visitsBefore);
    await page.getByRole('button', { name: 'Back to signing in' }).click();
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
  });

  it('says that a password is wrong, forgets it, and takes the right one @long', async () => {
    const { page } = await suite.open({}, (status, path) => status === 401 && path.endsWith('/login'));
    await signIn(page, EMAIL, 'not the password');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).to.equal('E-mail or password is wrong.');
    expect(await page.getByLabel('Password').inputValue()).to.equal('');
    expect(await page.evaluate('document.activeElement.id')).to.equal('password');
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
  });

  it('asks for both fields before it asks the gateway @long', async () => {
    const { page } = await suite.open();
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).to.equal('Enter your e-mail and your password.');
  });

  it('can be used with the keyboard alone @long', async () => {
    const { page } = await suite.desk.browse();
    // A name of its own: there is no earlier budget to ask about.
    const ask = await suite.desk.ask({ metadata: { client_name: `${AGENT_NAME} by keyboard` } });
    await page.goto(ask.address);
    await seeHeading(page, 'Sign in to your gateway');
    // The field for the email has the focus.
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    await seeHeading(page, new RegExp(AGENT_NAME));
    expect(await page.evaluate('document.activeElement.id')).to.equal('deny');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    expect(await writeBox(page).isChecked()).to.equal(true);
    // Its limits come between: which they are, and the account that it may trade.
    await allowButton(page).and(page.locator(':enabled')).waitFor();
    for (const id of ['preset-play_money', /^account-/, 'deny', 'allow']) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).to.match(new RegExp(id));
    }
    await page.keyboard.press('Enter');
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).json.scope).to.equal('mcp:read mcp:write');
  });

  it('lets nothing be allowed in its first 700 ms, nor in those after it comes back to the front', async () => {
    const { page } = await suite.desk.browse();
    await page.clock.install();
    await page.goto((await suite.desk.ask()).address);
    // Not in the past by the time it is told, however slow the machine is.
    await page.clock.pauseAt(systemClock.now() + 5_000);
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
    const allow = allowButton(page);
    const look = async (elapsedMs: number) => {
      await page.clock.runFor(elapsedMs);
      return allow.isEnabled();
    };
    expect([await look(0), await look(699), await look(1)]).to.deep.equal([false, false, true]);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    expect([await look(0), await look(699), await look(1)]).to.deep.equal([false, false, true]);
    expect(await denyButton(page).isEnabled()).to.equal(true);
  });

  it('shows names of strangers as text without tricks', async () => {
    const { page } = await suite.desk.browse();
    const client_name = '\u202eknab\u2066 <img src=x onerror=alert(1)>\n\u200bTandem';
    await page.goto((await suite.desk.ask({ metadata: { client_name } })).address);
    await signIn(page);
    await denyButton(page).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).locator('bdi').textContent()).to.equal(
      'knab <img src=x onerror=alert(1)> Tandem',
    );
  });

  it('says that a request which is over, or never was, needs no decision @long', async () => {
    const { page } = await suite.open(
      {},
      (status, path) => status === 404 && path.startsWith('/interaction/'),
    );
    const address = page.url();
    await signIn(page);
    await denyButton(page).click();
    await seeAgent(page, suite.desk);
    for (const over of [
      address,
      `${suite.desk.origin}/consent/unknown`,
      `${suite.desk.origin}/consent/%2e%2e%2fx`,
    ]) {
      await page.goto(over);
      await seeHeading(page, 'There is nothing to decide here');
    }
  });

  it('is decided by the account that signed in on it, whoever signs in beside it', async () => {
    await suite.gateway.register('bob@example.test');
    const { page, ask } = await suite.openSignedIn({}, (status) => status === 401 || status === 403);
    const others = await page.context().newPage();
    await others.goto((await suite.desk.ask()).address);
    await signIn(others, 'bob@example.test');
    await seeHeading(others, new RegExp(AGENT_NAME));

    // A page that is loaded anew has another key: it asks again, and for the same account.
    await page.reload();
    await seeHeading(page, 'Sign in to your gateway');
    await signIn(page, 'bob@example.test');
    await page.getByText('This request belongs to another account.', { exact: true }).waitFor();
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).status).to.equal(200);
  });

  it('asks again who somebody is whose session ended meanwhile @long', async () => {
    const { page, ask } = await suite.openSignedIn({}, (status) => status === 401);
    const own = await suite.gateway.request('POST', '/auth/login', {
      body: { method: 'email', email: EMAIL, password: PASSWORD },
    });
    const headers = { authorization: `Bearer ${own.json.accessToken}` };
    for (const { id, current } of (await suite.gateway.request('GET', '/auth/sessions', { headers })).json
      .sessions)
      if (!current) await suite.gateway.request('DELETE', `/auth/sessions/${id}`, { headers });
    await allowButton(page).click();
    await seeHeading(page, 'Sign in to your gateway');
    await signIn(page);
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).status).to.equal(200);
  });

  it('leaves a request open that came on top of ten connected agents @long', async () => {
    const email = 'many@example.test';
    const user = await suite.gateway.register(email);
    const { page } = await suite.desk.browse(
      {},
      (status, path) => status === 403 && path.endsWith('/confirm'),
    );
    const others = oauthClient(suite.gateway);
    for (let connected = 0; connected < 10; connected += 1)
      await others.connect(consentVisitor(suite.gateway, { email }), ['mcp:read']);
    const ask = await suite.desk.ask();
    await page.goto(ask.address);
    await signIn(page, email);
    await allowButton(page).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).to.match(/maximum of 10 connected agents/);
    const headers = { authorization: `Bearer ${user.accessToken}` };
    const { grants } = (await suite.gateway.request('GET', '/oauth2/grants', { headers })).json;
    await suite.gateway.request('DELETE', `/oauth2/grants/${grants[0].id}`, { headers });
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await suite.desk.redeem(ask)).status).to.equal(200);
  });

  it('is served under its one name, whichever name a browser opens @long', async () => {
    const { page } = await suite.open();
    const { pathname } = new URL(page.url());
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${suite.gateway.port}${pathname}`);
      expect(page.url()).to.equal(`${suite.desk.origin}${pathname}`);
      await seeHeading(page, 'Sign in to your gateway');
    }
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
    const cookies = await page.context().cookies();
    const shown = cookies.map(({ name, path, httpOnly, sameSite }) => [name, path, httpOnly, sameSite]);
    const path = pathname.replace('/consent/', '/interaction/');
    expect(shown).to.deep.equal([['tandem_interaction', path, true, 'Strict']]);
  });
});
