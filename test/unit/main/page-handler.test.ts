/** Everything that `app://tandem` answers: files from a list, the gateway behind it, and no token for the page. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createForward, type ForwardedRequest } from '../../../main/pages/forward.ts';
import { createPageHandler } from '../../../main/pages/page-handler.ts';
import { createSessionKeeper, type SessionKeeper } from '../../../main/pages/session-keeper.ts';
import { staticFiles } from '../../../main/pages/static-files.ts';
import { gatewayForSuite } from '../../support/gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const STARTING = fileURLToPath(new URL('../../../main/pages/starting', import.meta.url));
const PLACE = { url: 'http://127.0.0.1:7391', pageOrigin: 'http://tandem.localhost:7391' };
const USER = { email: 'ada@example.test', password: 'correct horse battery' };

interface Rig {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly forwarded: ForwardedRequest[];
  readonly decided: string[];
  readonly session: SessionKeeper;
}

async function dashboardFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'renderer', 'assets'), { recursive: true });
  await writeFile(join(folder, 'renderer', 'index.html'), '<!doctype html><title>the dashboard</title>');
  await writeFile(join(folder, 'renderer', 'assets', 'index-4f3a.js'), 'export {};');
  await writeFile(join(folder, 'secret.js'), 'not for pages');
  return folder;
}

type Parts = Parameters<typeof createPageHandler>[0];

/** Pages of a folder, with the gateway at its place. */
const handlerOf = (folder: string, over: Partial<Parts> & Pick<Parts, 'forward'>) =>
  createPageHandler({
    files: staticFiles(join(folder, 'renderer')),
    starting: staticFiles(STARTING),
    session: createSessionKeeper(join(folder, 'session'), null),
    gateway: async () => PLACE,
    gatewayNow: () => PLACE,
    decided: () => undefined,
    userAgent: 'Tandem desktop/0.1.0',
    ...over,
  });

async function rig(
  answer: { status?: number; headers?: [string, string][]; body?: string } | null = {},
  isReady = true,
): Promise<Rig> {
  const folder = await dashboardFolder();
  const forwarded: ForwardedRequest[] = [];
  const decided: string[] = [];
  const session = createSessionKeeper(join(folder, 'session'), null);
  const handle = handlerOf(folder, {
    session,
    async forward(_url, request) {
      forwarded.push(request);
      if (answer === null) throw new Error('the connection broke');
      const body = new Response(answer.body ?? '{}').body;
      if (body === null) throw new Error('no body');
      return { status: answer.status ?? 200, headers: answer.headers ?? [], body };
    },
    gateway: async () => (isReady ? PLACE : null),
    gatewayNow: () => (isReady ? PLACE : null),
    decided: (returnTo) => decided.push(returnTo),
  });
  return {
    ask: (path, init) => handle(new Request(`app://tandem${path}`, init)),
    forwarded,
    decided,
    session,
  };
}

describe('what app://tandem answers', () => {
  it('is the dashboard at every address of a screen, under a policy with one address of the WebSocket', async () => {
    const { ask, forwarded } = await rig();
    for (const path of ['/', '/app', '/app/', '/app/positions/3f', '/app/trade?long=BTC-PERP']) {
      const page = await ask(path);
      expect(await page.text(), path).to.contain('the dashboard');
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).to.deep.equal([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self' ws://127.0.0.1:7391",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
      expect(page.headers.get('x-frame-options')).to.equal('DENY');
    }
    const asset = await ask('/app/assets/index-4f3a.js');
    expect([await asset.text(), asset.headers.get('content-type')]).to.deep.equal([
      'export {};',
      'text/javascript; charset=utf-8',
    ]);
    expect((await ask('/app/assets/gone.js')).status).to.equal(404);
    expect(forwarded).to.deep.equal([]);
  });

  it('is, until there is a gateway, the page that says so at every address of a screen', async () => {
    const { ask, forwarded } = await rig({}, false);
    for (const path of ['/', '/app', '/app/positions/3f']) {
      const page = await ask(path);
      expect(await page.text(), path).to.contain('Tandem is starting');
      expect(page.headers.get('content-security-policy')).to.contain("connect-src 'self';");
      expect(page.headers.get('cache-control')).to.equal('no-store');
    }
    const script = await ask('/starting/starting.js');
    expect([script.status, script.headers.get('content-type')]).to.deep.equal([
      200,
      'text/javascript; charset=utf-8',
    ]);
    for (const path of ['/starting/', '/starting/..%2fpage-handler.ts', '/starting/tsconfig'])
      expect((await ask(path)).status, path).to.equal(404);
    expect(forwarded).to.deep.equal([]);
  });

  it('is nothing outside of the dashboard’s folder, however it is written', async () => {
    const { ask } = await rig();
    for (const path of [
      '/app/..%2fsecret.js',
      '/app/%2e%2e%2fsecret.js',
      '/app/assets/..%2f..%2f..%2fsecret.js',
      '/app/..%5csecret.js',
      '/app/assets%2f..%2f..%2fsecret.js',
      '/app/%00secret.js',
      '/app/%E0%A4%A',
    ]) {
      const answer = await ask(path);
      expect(answer.status, path).to.equal(404);
      expect(await answer.text()).not.to.contain('not for pages');
    }
    // The URL itself takes these out.
    for (const path of ['/app/../secret.js', '/app/%2e%2e/secret.js'])
      expect(await (await ask(path)).text(), path).not.to.contain('not for pages');
    // Encoded twice is a name like any other, of a screen that is not there.
    expect(await (await ask('/app/..%252fsecret.js')).text()).to.contain('the dashboard');
  });

  it('is for this host, this origin and the methods of the API only', async () => {
    const folder = await dashboardFolder();
    const { ask, forwarded } = await rig();
    expect((await ask('/positions', { headers: { origin: 'https://evil.example' } })).status).to.equal(403);
    expect((await ask('/positions', { headers: { origin: 'null' } })).status).to.equal(403);
    expect((await ask('/positions', { method: 'OPTIONS' })).status).to.equal(405);
    const handle = handlerOf(folder, {
      forward: async () => {
        throw new Error('nothing may be sent');
      },
    });
    for (const url of ['app://evil/', 'app://tandem.evil/', 'app://tandem:1/', 'http://tandem/'])
      expect((await handle(new Request(url))).status, url).to.equal(404);
    expect(forwarded).to.deep.equal([]);
  });

  it('reaches the gateway with what a page may say, and with the session that it does not have', async () => {
    const { ask, forwarded, session } = await rig();
    await session.keep({ accessToken: 'eyJ.kept', refreshToken: 'refresh', expiresIn: 900 });
    await ask('/trade/open?x=1', {
      method: 'POST',
      body: '{"type":"MARKET"}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'k1',
        'x-trade-account-id': 'a1',
        authorization: 'Bearer stolen',
        'x-api-key': 'tdm_x',
        'x-forwarded-for': '1.2.3.4',
      },
    });
    const [sent] = forwarded;
    expect([sent?.method, sent?.path, Buffer.from(sent?.body ?? []).toString()]).to.deep.equal([
      'POST',
      '/trade/open?x=1',
      '{"type":"MARKET"}',
    ]);
    expect(sent?.headers).to.deep.equal({
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'x-trade-account-id': 'a1',
      authorization: 'Bearer eyJ.kept',
      host: 'tandem.localhost:7391',
      origin: 'http://tandem.localhost:7391',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Tandem desktop/0.1.0',
    });
  });

  it('gives the page no cookie and no token, and keeps the session until it ends', async () => {
    const body = JSON.stringify({
      accessToken: 'eyJ.secret',
      refreshToken: 'refresh-secret',
      expiresIn: 900,
      user: { id: 'u' },
    });
    const { ask, forwarded, session } = await rig({
      headers: [
        ['content-type', 'application/json'],
        ['set-cookie', 'tandem_session=abc; Path=/; HttpOnly'],
        ['x-request-id', 'r1'],
      ],
      body,
    });
    for (const path of ['/auth/login', '/auth/register', '/auth/link']) {
      const answer = await ask(path, { method: 'POST', body: '{}' });
      const shown = { accessToken: '', refreshToken: '', expiresIn: 900, user: { id: 'u' } };
      expect(await answer.json()).to.deep.equal(shown);
      expect([...answer.headers.keys()]).to.deep.equal(['content-type', 'x-request-id']);
    }
    expect([session.accessToken(), session.refreshToken()]).to.deep.equal(['eyJ.secret', 'refresh-secret']);
    // A renewal is the app's: the page asks for it with nothing, and gets nothing.
    const renewed = await ask('/auth/session/refresh', { method: 'POST', body: '{}' });
    expect(await renewed.json()).to.deep.equal({ accessToken: '', refreshToken: '', expiresIn: 0 });
    expect(JSON.parse(Buffer.from(forwarded.at(-1)?.body ?? []).toString())).to.deep.equal({
      refreshToken: 'refresh-secret',
    });
    // No cookie of the gateway's goes anywhere.
    expect(forwarded.map(({ headers }) => headers['cookie'])).to.deep.equal(forwarded.map(() => undefined));
    session.end();
    expect([session.accessToken(), session.refreshToken()]).to.deep.equal([null, null]);
    expect((await ask('/auth/session/refresh', { method: 'POST', body: '{}' })).status).to.equal(401);
  });

  it('keeps a sign-in for an agent’s request apart from its own session', async () => {
    const { ask, forwarded, session } = await rig({
      headers: [['set-cookie', 'tandem_session=of.the.request; Max-Age=600; Path=/; HttpOnly']],
      body: '{"returnTo":"http://tandem.localhost:7391/consent/u1"}',
    });
    await session.keep({ accessToken: 'eyJ.kept', refreshToken: 'refresh', expiresIn: 900 });
    await ask('/interaction/u1/login', { method: 'POST', body: '{}' });
    for (const path of ['/interaction/u1', '/interaction/u2', '/interaction/u1/confirm', '/auth/me'])
      await ask(path);
    const sent = forwarded.slice(1).map(({ headers }) => headers['cookie'] ?? headers['authorization']);
    expect(sent).to.deep.equal([
      'tandem_session=of.the.request',
      'Bearer eyJ.kept',
      'tandem_session=of.the.request',
      'Bearer eyJ.kept',
    ]);
  });

  it('keeps a sign-in for an agent inside, and tells the app the one address that a decision goes to', async () => {
    const inside = await rig({ body: '{"returnTo":"http://tandem.localhost:7391/consent/u1"}' });
    const login = await inside.ask('/interaction/u1/login', { method: 'POST', body: '{}' });
    expect(await login.json()).to.deep.equal({ returnTo: 'app://tandem/consent/u1' });
    expect(inside.decided).to.deep.equal([]);
    const outside = await rig({ body: '{"returnTo":"http://127.0.0.1:9/callback?code=c"}' });
    await outside.ask('/interaction/u1/confirm', { method: 'POST', body: '{}' });
    expect(outside.decided).to.deep.equal(['http://127.0.0.1:9/callback?code=c']);
    // Any other answer that holds such a field means nothing.
    await outside.ask('/positions', { method: 'POST', body: '{}' });
    expect(outside.decided.length).to.equal(1);
  });

  it('is a lost connection where the outcome is unknown, and a clear no where nothing was sent', async () => {
    const broken = await (await rig(null)).ask('/trade/open', { method: 'POST', body: '{}' });
    expect(broken.type).to.equal('error');
    const away = await rig({}, false);
    const refused = await away.ask('/trade/open', { method: 'POST', body: '{}' });
    expect(refused.status).to.equal(503);
    expect(away.forwarded).to.deep.equal([]);
    const large = await (await rig()).ask('/trade/open', {
      method: 'POST',
      body: 'x'.repeat(1024 * 1024 + 1),
    });
    expect(large.status).to.equal(413);
  });

  describe('with a real gateway behind it', () => {
    const gateway = gatewayForSuite();

    it('signs in, trades and buys a ticket without a token in the page', async () => {
      const folder = await dashboardFolder();
      const place = { url: gateway.url, pageOrigin: `http://tandem.localhost:${gateway.port}` };
      const handle = handlerOf(folder, {
        forward: createForward(),
        gateway: async () => place,
        gatewayNow: () => place,
      });
      const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        handle(
          new Request(`app://tandem${path}`, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        );
      const registered = await ask('POST', '/auth/register', USER);
      expect(registered.status).to.equal(201);
      const { accessToken, tradeAccount } = (await registered.json()) as {
        accessToken: string;
        tradeAccount: { id: string };
      };
      expect(accessToken).to.equal('');
      expect((await ask('GET', '/auth/me')).status).to.equal(200);
      const legs = [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' }];
      const account = { 'x-trade-account-id': tradeAccount.id };
      const placed = await ask('POST', '/trade/open', { type: 'MARKET', legs }, account);
      expect(placed.status).to.equal(202);
      expect((await ask('POST', '/auth/ws-ticket')).status).to.equal(200);
      expect((await ask('POST', '/auth/logout')).status).to.equal(204);
      expect((await ask('GET', '/auth/me')).status).to.equal(401);
    });
  });
});
