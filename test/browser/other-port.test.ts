/**
 * A page that another local port serves, in a browser that is signed in to the gateway, and that even has the cookie of a
 * program's session. It tries what a page can try; the last of its names shares the host with the gateway's pages, so that
 * the browser sends the cookie along.
 */
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumForSuite, openWatched, type WatchedPage } from '../support/browser.ts';
import {
  AGENT_NAME,
  type ConsentDesk,
  EMAIL,
  openConsentDesk,
  seeHeading,
  signIn,
} from '../support/consent-desk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { listenLocally } from '../support/local-port.ts';
import { untilPage } from '../support/page-time.ts';

/** The outcome of a request as its page sees it: its status, else `blocked`. */
const seen = (request: string) =>
  `${request}.then((response) => response.type === 'opaque' ? 'opaque' : String(response.status), () => 'blocked')`;

/** Waits for one of two events of an element or socket. */
const first = (make: string, good: string, bad: string) =>
  `new Promise((resolve) => { const it = ${make}; it.on${good} = () => resolve('${good}'); it.on${bad} = () => resolve('${bad}'); if (it.nodeType) document.body.append(it); })`;

const json = `headers: { 'content-type': 'application/json' }`;

describe('a page of another port', function () {
  this.timeout(60_000);
  const browser = chromiumForSuite();
  let gateway: TestGateway;
  let desk: ConsentDesk;
  let victim: WatchedPage;
  let attacker: Server;
  let attackerPort: number;
  let uid: string;

  before(async () => {
    gateway = await startTestGateway({ clock: null });
    await gateway.register(EMAIL);
    desk = await openConsentDesk(browser, gateway);
    attacker = createServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/html', connection: 'close' });
      res.end('<!doctype html><title>attack</title><link rel="icon" href="data:,"><body></body>');
    });
    attackerPort = await listenLocally(attacker);

    victim = await openWatched(browser);
    await victim.page.goto((await desk.ask()).address);
    uid = new URL(victim.page.url()).pathname.split('/')[2] ?? '';
    await signIn(victim.page);
    await seeHeading(victim.page, new RegExp(AGENT_NAME));
    // Our pages have no such cookie; a page that signs in without a key has.
    await victim.page.evaluate(
      `fetch('/auth/login', { method: 'POST', ${json}, body: ${JSON.stringify(JSON.stringify({ method: 'email', email: EMAIL, password: PASSWORD }))} })`,
    );
  });
  after(async () => {
    await victim?.close();
    await new Promise<void>((resolve) => {
      if (attacker === undefined) return resolve();
      attacker.close(() => resolve());
      attacker.closeAllConnections();
    });
    await desk?.close();
    await gateway?.close();
  });

  /** Answers that only the signed-in user gets, read from the gateway's own page, to show that nothing has changed. */
  async function standing(): Promise<unknown> {
    return victim.page.evaluate(
      `Promise.all(['/auth/me', '/api-keys', '/auth/sessions', '/oauth2/grants', '/interaction/${uid}'].map((path) =>
        fetch(path).then(async (response) => {
          const body = await response.json();
          for (const session of body.sessions ?? []) delete session.lastUsedAt;
          return { status: response.status, body };
        })))`,
    );
  }

  const KEY = JSON.stringify(JSON.stringify({ label: 'stolen', scope: 'read_write' }));
  const CONFIRM = JSON.stringify(JSON.stringify({ scopes: ['mcp:read', 'mcp:write'] }));
  const withCookie = `credentials: 'include'`;

  /** Attempt → script, given the gateway's origin, and the outcome that says that it came to nothing. */
  const ATTEMPTS: Readonly<Record<string, readonly [(origin: string) => string, string]>> = {
    'reads the user': [(origin) => seen(`fetch('${origin}/auth/me', { ${withCookie} })`), 'blocked'],
    'reads the user without asking for permission': [
      (origin) => seen(`fetch('${origin}/auth/me', { ${withCookie}, mode: 'no-cors' })`),
      'blocked',
    ],
    'makes a key with JSON': [
      (origin) =>
        seen(`fetch('${origin}/api-keys', { method: 'POST', ${withCookie}, ${json}, body: ${KEY} })`),
      'blocked',
    ],
    'makes a key with a simple request': [
      (origin) =>
        seen(`fetch('${origin}/api-keys', { method: 'POST', ${withCookie}, mode: 'no-cors', body: ${KEY} })`),
      'blocked',
    ],
    'allows the agent with JSON': [
      (origin) =>
        seen(
          `fetch('${origin}/interaction/UID/confirm', { method: 'POST', ${withCookie}, ${json}, body: ${CONFIRM} })`,
        ),
      'blocked',
    ],
    'allows the agent with a simple request': [
      (origin) =>
        seen(
          `fetch('${origin}/interaction/UID/confirm', { method: 'POST', ${withCookie}, mode: 'no-cors', body: ${CONFIRM} })`,
        ),
      'blocked',
    ],
    'runs a script of the gateway': [
      (origin) =>
        first(
          `Object.assign(document.createElement('script'), { src: '${origin}/consent/assets/consent.js' })`,
          'load',
          'error',
        ),
      'error',
    ],
    'shows a picture of the gateway': [
      (origin) =>
        first(
          `Object.assign(document.createElement('img'), { src: '${origin}/consent/assets/icon.svg' })`,
          'load',
          'error',
        ),
      'error',
    ],
    'opens the WebSocket': [
      (origin) => first(`new WebSocket('${origin.replace('http', 'ws')}/ws')`, 'open', 'error'),
      'error',
    ],
  };

  /** The same attempts from the page of the gateway work, so that a failure of them elsewhere means something. */
  it('is not the page of the gateway itself, which can do it', async () => {
    const outcomes = [];
    const page = await openOwn();
    for (const name of [
      'reads the user',
      'runs a script of the gateway',
      'shows a picture of the gateway',
      'opens the WebSocket',
    ]) {
      const [script] = ATTEMPTS[name] ?? [() => ''];
      outcomes.push(await page.evaluate(script(desk.origin)));
    }
    await page.context().close();
    expect(outcomes).to.deep.equal(['200', 'load', 'load', 'open']);
  });

  /** Its answers forbid pages made of them to load anything: that alone is switched off here. */
  async function openOwn(): Promise<Page> {
    const storageState = await victim.page.context().storageState();
    const context = await browser.newContext({ bypassCSP: true, storageState });
    const page = await context.newPage();
    await page.goto(`${desk.origin}/version`);
    return page;
  }

  for (const name of ['127.0.0.1', 'localhost', 'tandem.localhost']) {
    describe(`at http://${name}${name === 'localhost' ? ' @long' : ''}`, () => {
      let page: Page;
      before(async () => {
        page = await victim.page.context().newPage();
        await page.goto(`http://${name}:${attackerPort}/`);
      });
      after(() => page?.close());

      for (const [attempt, [script, outcome]] of Object.entries(ATTEMPTS)) {
        it(`${attempt}: in vain`, async () => {
          const earlier = await standing();
          for (const host of ['tandem.localhost', '127.0.0.1']) {
            const target = `http://${host}:${gateway.port}`;
            expect(await page.evaluate(script(target).replaceAll('UID', uid)), host).to.equal(outcome);
          }
          expect(await standing()).to.deep.equal(earlier);
        });
      }

      it('frames the consent page: in vain', async () => {
        await page.evaluate(
          `new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '${desk.origin}/consent/${uid}'; frame.onload = resolve; document.body.append(frame); })`,
        );
        const [framed] = page.frames().filter((frame) => frame !== page.mainFrame());
        // The frame's own news of where it ended may come after its load.
        const address = await untilPage(page, 'where the frame ended', () => framed?.url());
        expect(address).to.match(/^chrome-error:/);
      });

      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
        it(`sends the user there with a form of ${type}: in vain${type === 'application/x-www-form-urlencoded' ? '' : ' @long'}`, async () => {
          const earlier = await standing();
          const sender = await victim.page.context().newPage();
          for (const path of [
            `/interaction/${uid}/confirm`,
            `/interaction/${uid}/abort`,
            '/auth/logout',
            '/api-keys',
          ]) {
            await sender.goto(`http://${name}:${attackerPort}/`);
            const answer = sender.waitForResponse((response) => response.url().endsWith(path));
            await sender.evaluate(
              `(() => { const form = document.createElement('form'); Object.assign(form, { method: 'post', enctype: '${type}', action: '${desk.origin}${path}' }); form.append(Object.assign(document.createElement('input'), { name: '{"scopes":["mcp:write"],"x":"', value: '"}' })); document.body.append(form); form.submit(); })()`,
            );
            expect((await answer).status(), path).to.equal(403);
            // The page of the answer, from which the next attempt goes back.
            await sender.waitForURL(`${desk.origin}${path}`);
          }
          await sender.close();
          expect(await standing()).to.deep.equal(earlier);
        });
      }
    });
  }
});
