/**
 * The dashboard as the desktop app runs it: everything that the page asks goes through the app's own handler, which holds
 * the session; the WebSocket goes to the gateway itself, with a ticket. Chromium in the place of Electron's window: the page
 * stands at the gateway's address instead of `app://tandem`, and nothing but the WebSocket gets past the handler.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { BRIDGE_NAME, CALL_NAMES, EVENT_NAMES, type ShellState } from '../../../main/ipc/contract.ts';
import { createForward } from '../../../main/pages/forward.ts';
import { createPageHandler } from '../../../main/pages/page-handler.ts';
import { createSessionKeeper } from '../../../main/pages/session-keeper.ts';
import { staticFiles } from '../../../main/pages/static-files.ts';
import { NETWORK_CHECKS_OFF } from '../../../main/window/lock-down.ts';
import { launchChromium, openWatched, type WatchedPage } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { PASSWORD } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { PAIR } from '../../support/trader.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
/** As build/bundle-shell.mjs puts them together. */
const STARTING = [path('main/pages/starting'), path('renderer/styles'), path('renderer')].map(staticFiles);
const USER = { email: 'ada@example.test', password: PASSWORD };

describe('the dashboard in the desktop app', function () {
  this.timeout(120_000);
  let browser: Browser;
  let gateway: TestGateway;
  let tab: WatchedPage;
  let page: Page;
  let origin: string;
  let handle: (request: Request) => Promise<Response>;
  let state: ShellState;
  /** Requests of the page to the app. */
  let asked: { readonly name: string; readonly value: unknown }[];
  const sockets: { readonly url: string; readonly sent: string[] }[] = [];

  before(async function () {
    // As the app sets them.
    browser = await launchChromium(this, [`--${NETWORK_CHECKS_OFF.name}=${NETWORK_CHECKS_OFF.value}`]);
  });
  after(() => browser?.close());
  beforeEach(async () => {
    gateway = await startTestGateway({ clock: null });
    origin = gateway.url;
    const place = { url: gateway.url, pageOrigin: `http://tandem.localhost:${gateway.port}` };
    state = { gateway: 'STARTING', problem: null, elsewhere: null, realtimeUrl: null, version: '0.1.0' };
    asked = [];
    sockets.splice(0);
    const now = () => (state.gateway === 'READY' ? place : null);
    handle = createPageHandler({
      files: staticFiles(path('dist/renderer')),
      starting: {
        async read(name) {
          for (const files of STARTING) {
            const file = await files.read(name);
            if (file !== null) return file;
          }
          return null;
        },
      },
      forward: createForward(),
      session: createSessionKeeper(join(await mkdtemp(join(tmpdir(), 'tandem-test-')), 'session'), null),
      gateway: async () => now(),
      gatewayNow: now,
      decided: () => undefined,
      userAgent: 'Tandem desktop/0.1.0',
    });
    tab = await openWatched(browser, { viewport: { width: 1280, height: 800 } }, (status) => status === 401);
    page = tab.page;
    await page.exposeFunction('askShell', (name: string, value: unknown) => {
      asked.push({ name, value });
      if (name === 'shellState') return state;
      return name === 'readPreferences' ? { autostart: false, onClose: 'ask' } : true;
    });
    await page.addInitScript(bridgeScript());
    page.on('websocket', (socket) => {
      const sent: string[] = [];
      sockets.push({ url: socket.url(), sent });
      socket.on('framesent', ({ payload }) => sent.push(String(payload)));
    });
    await page.route('**/*', async (route, request) => {
      const { pathname, search } = new URL(request.url());
      const { origin: _page, host: _host, ...headers } = request.headers();
      const body = request.postDataBuffer();
      const answer = await handle(
        new Request(`app://tandem${pathname}${search}`, {
          method: request.method(),
          headers,
          ...(body === null ? {} : { body: new Uint8Array(body) }),
        }),
      );
      if (answer.type === 'error') return route.abort();
      return route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
    });
  });
  afterEach(async () => {
    const { offences } = tab;
    await tab.close();
    await gateway.close();
    expect(offences).to.deep.equal([]);
  });

  /** Functions of the same names as the preload's, that end in this test. */
  function bridgeScript(): string {
    const calls = CALL_NAMES.map((name) => `${name}: (value) => askShell('${name}', value)`);
    const events = EVENT_NAMES.map((name) => {
      const made = `on${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return `${made}: (listener) => { heard['${name}'] ??= new Set(); heard['${name}'].add(listener); return () => heard['${name}'].delete(listener); }`;
    });
    return `globalThis.heard = {}; globalThis.${BRIDGE_NAME} = { ${[...calls, ...events].join(', ')} };`;
  }
  async function tell(name: 'shellStateChanged' | 'screenAsked', value: unknown): Promise<void> {
    await page.evaluate(
      `for (const listener of globalThis.heard['${name}'] ?? []) listener(${JSON.stringify(value)})`,
    );
  }
  async function become(next: Partial<ShellState>): Promise<void> {
    state = { ...state, ...next };
    await tell('shellStateChanged', state);
  }
  const ready = { gateway: 'READY', problem: null, elsewhere: null } as const;
  const realtimeUrl = () => `ws://127.0.0.1:${gateway.port}/ws`;
  async function ask(method: string, address: string, body: unknown, headers = {}): Promise<Json> {
    const answer = await handle(
      new Request(`app://tandem${address}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
    return answer.json();
  }
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });

  it('says what keeps the gateway from starting and what to do, until it is there', async () => {
    await page.goto(`${origin}/app/orders`);
    await heading('Tandem is starting').waitFor();
    await expectAccessible(page, 'starting');

    await become({ gateway: 'RESTARTING', problem: 'port 7391 is taken by another program; stop it' });
    await heading('The gateway could not start').waitFor();
    await page.locator('section:not([hidden])').getByText('port 7391 is taken by another program').waitFor();
    await expectAccessible(page, 'trying');
    // Another attempt is no news.
    await become({ gateway: 'STARTING', problem: null });
    expect(await heading('The gateway could not start').count()).to.equal(1);
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('button', { name: 'Open logs folder' }).click();

    const elsewhere = 'http://tandem.localhost:7391/';
    const problem = 'another Tandem (pid 4656) already runs at http://127.0.0.1:7391';
    await become({ gateway: 'RESTARTING', problem, elsewhere });
    await heading('Tandem already runs on this computer').waitFor();
    await expectAccessible(page, 'elsewhere');
    await page.getByRole('button', { name: 'Open it in the browser' }).click();

    await become({ gateway: 'FAILED', problem: '--log-level: debug, info, warn or error', elsewhere: null });
    await heading('The gateway cannot start with these settings').waitFor();
    await expectAccessible(page, 'failed');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();

    await become({ gateway: 'STOPPING', problem: null });
    await heading('Tandem is stopping').waitFor();
    await expectAccessible(page, 'stopping');
    expect(asked.filter(({ name }) => name !== 'shellState')).to.deep.equal([
      { name: 'restartGateway', value: undefined },
      { name: 'openLogs', value: undefined },
      { name: 'openLink', value: elsewhere },
      { name: 'restartGateway', value: undefined },
    ]);
    // A link that comes meanwhile names the screen that opens.
    await tell('screenAsked', '/positions');
    await become({ ...ready, realtimeUrl: realtimeUrl() });
    await page.getByRole('heading', { name: 'Create your user' }).waitFor();
    expect(page.url()).to.equal(`${origin}/app/positions`);
  });

  it('signs in, trades and follows live without ever holding a token', async () => {
    state = { ...state, ...ready, realtimeUrl: realtimeUrl() };
    const { tradeAccount } = await ask('POST', '/auth/register', USER);
    await page.goto(`${origin}/app/positions`);
    await page.getByText('No open positions').first().waitFor();
    const account = { 'x-trade-account-id': tradeAccount.id };
    await ask('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, account);
    // The page hears of it by its WebSocket.
    await page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]').first().waitFor();
    const [socket] = sockets;
    expect(socket?.url).to.equal(realtimeUrl());
    const [first] = (socket?.sent ?? []).map((frame) => JSON.parse(frame));
    expect(Object.keys(first).sort()).to.deep.equal(['id', 'op', 'ticket']);
    // Each connection buys its own.
    const tickets = sockets.flatMap(({ sent }) => sent.map((frame) => JSON.parse(frame)['ticket'] ?? []));
    expect(tickets.flat().length).to.equal(new Set(tickets.flat()).size);
    const held: string = await page.evaluate(
      'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
    );
    expect(held).not.to.match(/eyJ|tdm_|tandem_session|Bearer/);
    await tell('screenAsked', '/orders');
    await page.waitForURL(`${origin}/app/orders`);
  });
});
