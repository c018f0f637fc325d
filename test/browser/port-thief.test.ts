/**
 * Browsers send cookies of a name to all of its ports. A thief, another user of this machine, listens on another port of
 * the pages' name, lets the browser of a signed-in trader come by, and tries everything that it got, and the key.
 */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumForSuite, openWatched, type WatchedPage } from '../support/browser.ts';
import { type ConsentDesk, openConsentDesk, seeHeading, signIn } from '../support/consent-desk.ts';

import { gatewayForSuite } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { LOOK_AT_OWN_KEY, type PortThief, startPortThief } from '../support/port-thief.ts';

const USER = 'ada@example.test';

describe('a thief on another port of the pages’ name', function () {
  this.timeout(120_000);
  const browser = chromiumForSuite();
  const gateway = gatewayForSuite({ clock: null });
  let thief: PortThief;
  let desk: ConsentDesk;
  let tab: WatchedPage;
  let page: Page;
  let origin: string;

  before(async () => {
    await gateway.register(USER);
    desk = await openConsentDesk(browser, gateway);
    thief = await startPortThief();
    origin = `http://tandem.localhost:${gateway.port}`;
    tab = await openWatched(browser, { viewport: { width: 1280, height: 800 } });
    page = tab.page;
    await page.goto(`${origin}/app/settings`);
    await page.getByLabel('E-mail').fill(USER);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Live data').waitFor();
  });
  after(async () => {
    const offences = tab?.offences ?? [];
    await tab?.close();
    await desk?.close();
    thief?.close();
    expect(offences).to.deep.equal([]);
  });

  /** The trader's browser shows a page of the thief, at each path where a cookie could have been set for. */
  async function lure(paths: readonly string[]): Promise<Page> {
    const lured = await page.context().newPage();
    for (const path of paths) await lured.goto(`http://tandem.localhost:${thief.port}${path}`);
    return lured;
  }

  /** Everything that a cookie of the gateway opens, asked as a program asks that holds what the thief has. */
  async function tryEverything(cookie: string): Promise<readonly number[]> {
    const own = { origin, 'sec-fetch-site': 'same-origin' };
    const body = { label: 'stolen', scope: 'read_write' };
    const answers = await Promise.all([
      gateway.request('GET', '/auth/me', { headers: { cookie } }),
      gateway.request('POST', '/auth/session/refresh', { headers: { cookie, ...own }, body: {} }),
      gateway.request('POST', '/auth/ws-ticket', { headers: { cookie, ...own } }),
      gateway.request('POST', '/api-keys', { headers: { cookie, ...own }, body }),
      gateway.request('GET', '/auth/sessions', { headers: { cookie } }),
    ]);
    return answers.map(({ status }) => status);
  }

  const stolenCookies = () =>
    [...new Set(thief.received.map(({ headers }) => String(headers.cookie ?? '')))].filter(
      (cookie) => cookie !== '',
    );

  it('finds no cookie that opens anything after a sign-in on the dashboard', async () => {
    if (process.getuid?.() === 0) expect(thief.uid).not.to.equal(0);
    const lured = await lure(['/', '/auth/session/refresh', '/app/start']);
    await lured.evaluate(`fetch('/auth/me', { credentials: 'include' })`);
    expect(thief.received.length).to.be.greaterThan(3);
    for (const cookie of stolenCookies()) {
      const statuses = await tryEverything(cookie);
      expect(statuses, cookie).to.deep.equal([401, 401, 401, 401, 401]);
    }
    // No header of the browser bears a credential either.
    for (const { headers } of thief.received)
      expect(Object.keys(headers)).not.to.include.oneOf(['authorization', 'dpop', 'x-api-key']);
    expect(await page.context().cookies()).to.deep.equal([]);
    await lured.close();
  });

  it('finds nothing either after a sign-in on the consent page, whose cookie alone is useless @long', async () => {
    const { page: asked } = await desk.browse();
    await asked.goto((await desk.ask()).address);
    const uid = new URL(asked.url()).pathname.split('/')[2] ?? '';
    await signIn(asked);
    await seeHeading(asked, /Test agent/);
    const lured = await asked.context().newPage();
    await lured.goto(`http://tandem.localhost:${thief.port}/interaction/${uid}/confirm`);
    await lured.close();
    const [cookie = ''] = stolenCookies();
    expect(cookie).to.match(/^tandem_interaction=[^;]+$/);
    expect(await tryEverything(cookie)).to.deep.equal([401, 401, 401, 401, 401]);
    const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' };
    const read = await gateway.request('GET', `/interaction/${uid}`, { headers });
    const body = { scopes: ['mcp:read', 'mcp:write'] };
    const confirmed = await gateway.request('POST', `/interaction/${uid}/confirm`, { headers, body });
    const aborted = await gateway.request('POST', `/interaction/${uid}/abort`, { headers });
    expect([read.status, confirmed.status, aborted.status]).to.deep.equal([401, 401, 401]);
  });

  it('cannot use the key from its own page: storage belongs to the port as well', async () => {
    const lured = await lure(['/']);
    const found = await lured.evaluate(`(async () => {
      const names = (await indexedDB.databases()).map(({ name }) => name);
      const key = await new Promise((resolve) => {
        const request = indexedDB.open('tandem');
        request.onsuccess = () => resolve([...request.result.objectStoreNames]);
        request.onerror = () => resolve('refused');
      });
      return { names, key };
    })()`);
    expect(found).to.deep.equal({ names: [], key: [] });
    await lured.close();
    // On its own origin it is there, and not even there can it be read.
    const own = await page.evaluate(LOOK_AT_OWN_KEY);
    expect(own).to.deep.equal({ extractable: false, read: 'InvalidAccessError' });
  });

  it('cannot keep the trader out, nor in its own account, with cookies that it sets @long', async () => {
    const mallory = await gateway.register('mallory@example.test');
    const login = await gateway.request('POST', '/auth/login', {
      body: { method: 'email', email: mallory.user.email, password: PASSWORD },
    });
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    const tosser = await startPortThief(`${cookie}; Path=/auth`);
    try {
      const lured = await page.context().newPage();
      await lured.goto(`http://tandem.localhost:${tosser.port}/toss`);
      await lured.close();
      expect(await page.context().cookies(`${origin}/auth/me`)).to.have.length(1);
      await page.reload();
      await page.getByText(`Signed in as ${USER}`).waitFor();
      await page.getByText('Live data').waitFor();
    } finally {
      tosser.close();
      await page.context().clearCookies();
    }
  });

  it('keeps no browser away by cookies that make its requests too large: the next try goes through @long', async () => {
    const flood = Array.from({ length: 20 }, (_, n) => `flood${n}=${'x'.repeat(3_000)}; Path=/`);
    const flooder = await startPortThief(...flood);
    const victim = await openWatched(
      browser,
      { viewport: { width: 1280, height: 800 } },
      (status) => status === 431,
    );
    try {
      await victim.page.goto(`http://tandem.localhost:${flooder.port}/toss`);
      expect((await victim.page.goto(`${origin}/app`))?.status()).to.equal(431);
      expect((await victim.page.goto(`${origin}/app`))?.status()).to.equal(200);
      await victim.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    } finally {
      flooder.close();
      await victim.close();
    }
  });
});
